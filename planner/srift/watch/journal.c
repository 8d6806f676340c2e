/* SPDX-License-Identifier: BSD-3-Clause */
/* journal.c - records what a watch did, line by line */
#include "config.h"

#include "planner/srift/watch/journal.h"

#include "base/mem.h"
#include "base/text/path.h"
#include "planner/srift/watch/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, value);
}

static void put_number(json_t *o, const char *key, double x)
{
	if (isfinite(x))
		put(o, key, json_real(x));
}

static void put_string(json_t *o, const char *key, const char *s)
{
	if (s)
		put(o, key, json_string(s));
}

static json_t *machines(const struct pl_srift_fleet *fleet)
{
	json_t *all = json_array();

	for (size_t i = 0; i < fleet->n; i++) {
		const struct pl_fleet_part *part = &fleet->part[i];

		json_array_append_new(all, json_pack("{sI ss ss sI}", "count",
						     (json_int_t)part->count, "type", part->type,
						     "kind", part->spot ? "spot" : "on-demand",
						     "batch", (json_int_t)part->batch));
	}
	return all;
}

json_t *pl_watch_event_json(const struct pl_srift_watch *w, const struct pl_watch_event *e)
{
	json_t *o = json_pack("{ss sf sI sf}", "event", e->name, "at_s", e->at_s, "iteration",
			      (json_int_t)w->iteration, "dollars", pl_watch_dollars(w, e->at_s));

	if (!o)
		return NULL;
	put_string(o, "host", e->host);
	put_string(o, "type", e->type);
	put_string(o, "why", e->why);
	put_number(o, "left_s", e->left_s);
	put_number(o, "finish_s", e->finish_s);
	put_number(o, "mean_s", e->mean_s);
	put_number(o, "quantile_s", e->likely_s);
	put_number(o, "saves_s", e->saves_s);
	if (e->count)
		put(o, "count", json_integer((json_int_t)e->count));
	if (strcmp(e->name, "none") == 0)
		put(o, "excluded", pl_watch_excluded_json(w));
	if (strcmp(e->name, "plan") == 0) {
		put(o, "machines", machines(&w->fleet));
		put_number(o, "iteration_s", w->fleet.iteration_s);
		put_number(o, "launch_s", w->job.times.launch_s);
		put_string(o, "launch_origin", pl_time_origin_name[w->job.times.launch_from]);
		put(o, "launches", json_integer((json_int_t)w->job.times.n_launches));
	}
	return o;
}

int pl_journal_open(struct pl_journal *j, const char *path, struct pl_err *err)
{
	char *real = pl_path_resolve(path, err);
	struct stat st;

	j->path = path;
	if (!real)
		return -1;
	j->fd = open(real,
		     O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW,
		     0666);
	free(real);
	if (j->fd < 0)
		return pl_err_errno(err, "cannot open %s", path);
	if (fstat(j->fd, &st) || !S_ISREG(st.st_mode)) {
		pl_journal_close(j);
		return pl_err_set(err, PL_EUSAGE, "%s: a journal must be a regular file", path);
	}
	if (flock(j->fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (errno == EWOULDBLOCK)
		pl_err_set(err, PL_EPARTIAL,
			   "%s: another watch has it: end that one, or use another --journal",
			   path);
	else
		pl_err_errno(err, "cannot lock %s", path);
	pl_journal_close(j);
	return -1;
}

void pl_journal_close(struct pl_journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
}

int pl_journal_mend(struct pl_journal *j, struct pl_err *err)
{
	off_t end = lseek(j->fd, 0, SEEK_END);
	char c = '\n';

	while (end > 0 && pread(j->fd, &c, 1, end - 1) == 1 && c != '\n')
		end--;
	if (end < 0 || ftruncate(j->fd, end))
		return pl_err_errno(err, "cannot mend %s", j->path);
	return 0;
}

static int write_all(struct pl_journal *j, const char *s, size_t len, struct pl_err *err)
{
	while (len) {
		const ssize_t put_len = write(j->fd, s, len);

		if (put_len < 0 && errno != EINTR)
			return pl_err_errno(err, "cannot write %s", j->path);
		if (put_len > 0) {
			s += put_len;
			len -= (size_t)put_len;
		}
	}
	return fdatasync(j->fd) ? pl_err_errno(err, "cannot write %s", j->path) : 0;
}

int pl_journal_write(struct pl_journal *j, const struct pl_srift_watch *w,
		     const struct pl_watch_event *event, const struct pl_journal_end *end,
		     struct pl_err *err)
{
	json_t *o = pl_watch_event_json(w, event);
	char *line = NULL, *grown;
	size_t len;
	int rc;

	if (!o)
		return pl_err_nomem(err);
	put(o, "journal", json_integer(1));
	put(o, "began_s", json_real(end->began_s));
	put(o, "iterations", json_integer((json_int_t)w->job.iterations));
	put(o, "time_scale", json_real(end->time_scale));
	put(o, "progress_inode", json_integer((json_int_t)(end->progress.inode & INT64_MAX)));
	put(o, "progress_offset", json_integer((json_int_t)end->progress.offset));
	put(o, "state", pl_watch_save(w));
	if (json_object_get(o, "state"))
		line = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
	json_decref(o);
	len = line ? strlen(line) : 0;
	grown = line ? realloc(line, len + 2) : NULL;
	if (!grown) {
		free(line);
		return pl_err_nomem(err);
	}
	memcpy(grown + len, "\n", 2);
	rc = write_all(j, grown, len + 1, err);
	free(grown);
	return rc;
}

static int take_host(const struct pl_json_at *root, struct pl_journal_end *end, struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(root, "host");
	const char *host = "";

	if (at.value && pl_json_string(&at, &host, err))
		return -1;
	snprintf(end->host, sizeof(end->host), "%s", host);
	return 0;
}

static int take(const struct pl_json_at *root, struct pl_srift_watch *w, struct pl_journal_end *end,
		struct pl_err *err)
{
	const struct pl_json_at state = pl_json_member(root, "state");
	uint64_t version;

	if (pl_json_whole_in(root, "journal", 1, 1, &version, err) ||
	    pl_json_number_in(root, "began_s", 0, 1e12, &end->began_s, err) ||
	    pl_json_number_in(root, "at_s", 0, 1e12, &end->at_s, err) ||
	    take_host(root, end, err) ||
	    pl_json_whole_in(root, "iterations", 1, PL_PROGRESS_ITERATION_MAX, &end->iterations,
			     err) ||
	    pl_json_number_in(root, "time_scale", 1e-6, 1e6, &end->time_scale, err) ||
	    pl_json_whole_in(root, "progress_inode", 0, INT64_MAX, &end->progress.inode, err) ||
	    pl_json_whole_in(root, "progress_offset", 0, INT64_MAX, &end->progress.offset, err) ||
	    pl_watch_restore(w, &state, err))
		return -1;
	end->found = true;
	return 0;
}

/* How each line begins, whoever wrote it. */
static const char beginning[] = "{\"event\":\"";

int pl_journal_check_line(const struct pl_line *line, struct pl_err *err)
{
	const size_t len = line->len < sizeof(beginning) - 1 ? line->len : sizeof(beginning) - 1;

	if (memcmp(line->s, beginning, len) == 0)
		return 0;
	return pl_err_at(err, pl_line_place(line), "this is no journal of plink-srift watch");
}

/* The last line that has an end; none: last->s is NULL. A line without an end was being written,
 * unless this is another kind of file: where it is the only one, it must begin as ours do. 0, or
 * -1. */
static int find_last(struct pl_text *text, struct pl_line *last, bool *cut, struct pl_err *err)
{
	struct pl_line line;

	*cut = false;
	*last = (struct pl_line){0};
	while (pl_text_next(text, &line)) {
		if (line.s + line.len != text->data + text->len) {
			*last = line;
			continue;
		}
		if (!last->s && pl_journal_check_line(&line, err))
			return -1;
		*cut = true;
	}
	return 0;
}

int pl_journal_take_line(const struct pl_text *text, const struct pl_line *line,
			 struct pl_srift_watch *w, struct pl_journal_end *end, struct pl_err *err)
{
	struct pl_text one;
	struct pl_json doc;
	struct pl_json_at root;
	int rc;

	if (pl_text_copy(&one, text->name, line->s, line->len, err))
		return -1;
	rc = pl_json_parse(&doc, &one, err);
	if (rc == 0) {
		root = pl_json_root(&doc);
		rc = take(&root, w, end, err);
		pl_json_fini(&doc);
	}
	if (rc && err && err->line)
		err->line += line->number - 1;
	pl_text_fini(&one);
	return rc;
}

int pl_journal_parse(struct pl_text *text, struct pl_srift_watch *w, struct pl_journal_end *end,
		     struct pl_err *err)
{
	struct pl_line last;

	*end = (struct pl_journal_end){0};
	if (find_last(text, &last, &end->cut, err))
		return -1;
	return last.s ? pl_journal_take_line(text, &last, w, end, err) : 0;
}

int pl_journal_read(const char *path, struct pl_srift_watch *w, struct pl_journal_end *end,
		    struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*end = (struct pl_journal_end){0};
	if (pl_text_load_file(&text, path, PL_JOURNAL_MAX, err))
		return -1;
	rc = pl_journal_parse(&text, w, end, err);
	pl_text_fini(&text);
	return rc;
}

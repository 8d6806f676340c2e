/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c - the file of a job's statistics (plink-stats(5)) */
#include "config.h"

#include "shim/stats/write.h"

#include "base/text/outfile.h"
#include "base/text/path.h"
#include "base/text/sizesignal.h"
#include "shim/say.h"
#include "shim/stats/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FORMAT_VERSION 1

/* Columns of the text, keys of the JSON. */
static const char *const columns[] = {"collective",   "kind",        "ranks",      "size_min",
				      "size_max",     "calls",       "bytes",      "processes",
				      "seconds_mean", "seconds_min", "seconds_max"};

#define N_COLUMNS (sizeof(columns) / sizeof(*columns))
#define COLUMNS_MAX (N_COLUMNS + PL_STATS_ADDED_MAX + 1)
#define VALUE_CHARS 40

/* A row as text; @is_word where JSON wants quotes. */
struct value {
	bool is_word;
	char text[VALUE_CHARS];
};

static void set_word(struct value *value, const char *s)
{
	value->is_word = true;
	snprintf(value->text, sizeof(value->text), "%s", s);
}

static void set_int(struct value *value, uint64_t n)
{
	value->is_word = false;
	snprintf(value->text, sizeof(value->text), "%" PRIu64, n);
}

/* To the nanosecond, with a point in any locale. */
static const char *format_seconds(char buf[VALUE_CHARS], double seconds)
{
	const uint64_t ns = seconds > 0 ? (uint64_t)(seconds * 1e9 + 0.5) : 0;

	snprintf(buf, VALUE_CHARS, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
	return buf;
}

static void set_seconds(struct value *value, double seconds)
{
	value->is_word = false;
	format_seconds(value->text, seconds);
}

static bool has_groups(const struct pl_stats_job *job)
{
	return job->groups || job->member;
}

static size_t n_columns(const struct pl_stats_job *job)
{
	return N_COLUMNS + job->n_added + has_groups(job);
}

static const char *column_name(const struct pl_stats_job *job, size_t i)
{
	return i < N_COLUMNS                  ? columns[i]
	       : i < N_COLUMNS + job->n_added ? job->added[i - N_COLUMNS].name
					      : "communicator";
}

/* Not all calls are timed where times are not those of the host. */
static bool is_timed(const struct pl_stats_job *job, const struct pl_stats_sum *sum)
{
	return !job->time || strcmp(job->time, "host") == 0 || sum->seconds > 0;
}

/* "world", "other", or the number of the line that has the members. */
static void set_group(struct value *value, uint64_t key)
{
	const unsigned int group = pl_stats_key_group(key);

	value->is_word = true;
	if (group == 0)
		set_word(value, "world");
	else if (group == PL_STATS_GROUP_OTHER)
		set_word(value, "other");
	else
		snprintf(value->text, sizeof(value->text), "%u", group);
}

static void fill(struct value value[COLUMNS_MAX], const struct pl_stats_job *job,
		 const struct pl_stats_sum *sum)
{
	const bool is_other = sum->key == PL_STATS_OTHER;
	const unsigned int number = pl_stats_key_call(sum->key);
	const struct pl_stats_call *call =
		is_other ? &(struct pl_stats_call){"other", "any"} : &job->calls[number];

	set_word(&value[0], call->name);
	set_word(&value[1], call->kind);
	set_int(&value[2], is_other ? 0 : pl_stats_key_ranks(sum->key));
	set_int(&value[3], pl_stats_key_size_min(sum->key));
	set_int(&value[4], pl_stats_key_size_max(sum->key));
	set_int(&value[5], sum->calls);
	set_int(&value[6], sum->bytes);
	set_int(&value[7], sum->n_processes);
	if (is_timed(job, sum)) {
		set_seconds(&value[8], sum->seconds / (double)sum->n_processes);
		set_seconds(&value[9], sum->seconds_min);
		set_seconds(&value[10], sum->seconds_max);
	} else {
		for (size_t i = 8; i < N_COLUMNS; i++)
			set_word(&value[i], "-");
	}
	for (size_t i = 0; i < job->n_added; i++)
		set_word(&value[N_COLUMNS + i], is_other ? "any" : job->added[i].word(number));
	if (has_groups(job))
		set_group(&value[N_COLUMNS + job->n_added], sum->key);
}

#define DATE_CHARS 32

static const char *date(char buf[DATE_CHARS], time_t t)
{
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(buf, DATE_CHARS, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return "unknown";
	return buf;
}

/* A name to the end of the line. */
static void text_chars(FILE *out, const char *name)
{
	for (; *name; name++)
		putc((unsigned char)*name < ' ' ? '?' : *name, out);
	putc('\n', out);
}

static void text_name(FILE *out, const char *key, const char *name)
{
	if (!*name)
		return;
	fprintf(out, "# %s ", key);
	text_chars(out, name);
}

static void text_process(FILE *out, const struct pl_stats_process *process)
{
	text_name(out, "host", process->host);
	fprintf(out, "# pid %d\n", process->pid);
	if (process->rank >= 0)
		fprintf(out, "# rank %d\n", process->rank);
}

static void text_groups(FILE *out, const struct pl_stats_groups *groups)
{
	for (size_t g = 0; g < groups->n; g++) {
		fprintf(out, "# communicator %zu", g + 1);
		for (int i = 0; i < groups->v[g].n; i++)
			fprintf(out, " %d", groups->v[g].member[i]);
		putc('\n', out);
	}
}

static void text_member(FILE *out, size_t number, const struct pl_stats_membership *m)
{
	fprintf(out, "# member %zu %016" PRIx64 " %d %d %d%s", number, m->id, m->rank, m->n_ranks,
		m->n_nodes, *m->name ? " " : "");
	text_chars(out, m->name);
	for (int i = 0; m->sent && i < m->n_ranks; i++)
		if (m->sent[i].calls)
			fprintf(out, "# sent %zu %d %" PRIu64 " %" PRIu64 "\n", number, i,
				m->sent[i].calls, m->sent[i].bytes);
}

void pl_stats_write_text(FILE *out, const struct pl_stats_job *job,
			 const struct pl_stats_sums *sums)
{
	struct value value[COLUMNS_MAX];
	char buf[VALUE_CHARS];
	char day[DATE_CHARS];

	fprintf(out, "# plink-stats %d\n# by %s %s\n", FORMAT_VERSION, PL_SHIM_NAME,
		PACKAGE_VERSION);
	fprintf(out, "# mode %s\n# ranks %d\n", job->mode, job->n_ranks);
	if (job->process)
		text_process(out, job->process);
	text_name(out, "plan", job->plan);
	text_name(out, "order", job->order);
	fprintf(out, "# started %s\n", date(day, job->started));
	fprintf(out, "# ended %s\n", date(day, job->ended));
	fprintf(out, "# seconds %s\n", format_seconds(buf, job->seconds));
	fprintf(out, "# clock %s\n", job->clock);
	if (job->time)
		fprintf(out, "# time %s\n", job->time);
	if (job->groups)
		text_groups(out, job->groups);
	for (size_t i = 0; i < job->n_members; i++)
		text_member(out, i + 1, &job->member[i]);
	for (size_t i = 0; i < n_columns(job); i++)
		fprintf(out, "%s%s", i ? " " : "", column_name(job, i));
	putc('\n', out);
	for (size_t row = 0; row < sums->n; row++) {
		fill(value, job, &sums->v[row]);
		for (size_t i = 0; i < n_columns(job); i++)
			fprintf(out, "%s%s", i ? " " : "", value[i].text);
		putc('\n', out);
	}
}

/* Length of the UTF-8 character at @s, 0 where there is none. */
static size_t utf8_len(const unsigned char *s)
{
	const size_t len = s[0] < 0x80                   ? 1
			   : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
			   : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
			   : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
							 : 0;

	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

/* A string as JSON has it; what is not UTF-8 becomes U+FFFD. */
static void json_string(FILE *out, const char *name)
{
	const unsigned char *s = (const unsigned char *)name;

	putc('"', out);
	while (*s) {
		const size_t len = utf8_len(s);

		if (len == 0)
			fputs("\\ufffd", out);
		else if (*s < ' ')
			fprintf(out, "\\u%04x", *s);
		else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else
			fwrite(s, 1, len, out);
		s += len ? len : 1;
	}
	putc('"', out);
}

static void json_name(FILE *out, const char *key, const char *name)
{
	fprintf(out, "\"%s\": ", key);
	if (*name)
		json_string(out, name);
	else
		fputs("null", out);
	fputs(",\n", out);
}

static void json_process(FILE *out, const struct pl_stats_process *process)
{
	json_name(out, "host", process->host);
	fprintf(out, "\"pid\": %d,\n", process->pid);
	if (process->rank >= 0)
		fprintf(out, "\"rank\": %d,\n", process->rank);
	else
		fputs("\"rank\": null,\n", out);
}

static void json_row(FILE *out, const struct pl_stats_job *job,
		     const struct value value[COLUMNS_MAX])
{
	putc('{', out);
	for (size_t i = 0; i < n_columns(job); i++) {
		const char *quote = value[i].is_word ? "\"" : "";

		fprintf(out, "%s\"%s\": %s%s%s", i ? ", " : "", column_name(job, i), quote,
			value[i].text, quote);
	}
	putc('}', out);
}

static void json_groups(FILE *out, const struct pl_stats_groups *groups)
{
	fputs("\"communicators\": {", out);
	for (size_t g = 0; g < groups->n; g++) {
		fprintf(out, "%s\"%zu\": [", g ? ",\n" : "\n", g + 1);
		for (int i = 0; i < groups->v[g].n; i++)
			fprintf(out, "%s%d", i ? ", " : "", groups->v[g].member[i]);
		putc(']', out);
	}
	fputs("},\n", out);
}

static void json_member(FILE *out, const struct pl_stats_membership *m)
{
	const char *comma = "";

	fprintf(out, "{\"id\": \"%016" PRIx64 "\", \"rank\": %d, \"ranks\": %d, \"nodes\": %d,\n",
		m->id, m->rank, m->n_ranks, m->n_nodes);
	json_name(out, "name", m->name);
	fputs("\"sent\": [", out);
	for (int i = 0; m->sent && i < m->n_ranks; i++) {
		if (!m->sent[i].calls)
			continue;
		fprintf(out, "%s[%d, %" PRIu64 ", %" PRIu64 "]", comma, i, m->sent[i].calls,
			m->sent[i].bytes);
		comma = ", ";
	}
	fputs("]}", out);
}

static void json_members(FILE *out, const struct pl_stats_job *job)
{
	fputs("\"members\": [", out);
	for (size_t i = 0; i < job->n_members; i++) {
		fputs(i ? ",\n" : "\n", out);
		json_member(out, &job->member[i]);
	}
	fputs("],\n", out);
}

void pl_stats_write_json(FILE *out, const struct pl_stats_job *job,
			 const struct pl_stats_sums *sums)
{
	struct value value[COLUMNS_MAX];
	char buf[VALUE_CHARS];
	char day[DATE_CHARS];

	fprintf(out, "{\"plink_stats\": %d,\n", FORMAT_VERSION);
	fprintf(out, "\"by\": \"%s %s\",\n", PL_SHIM_NAME, PACKAGE_VERSION);
	fprintf(out, "\"mode\": \"%s\",\n\"ranks\": %d,\n", job->mode, job->n_ranks);
	if (job->process)
		json_process(out, job->process);
	json_name(out, "plan", job->plan);
	json_name(out, "order", job->order);
	fprintf(out, "\"started\": \"%s\",\n", date(day, job->started));
	fprintf(out, "\"ended\": \"%s\",\n", date(day, job->ended));
	fprintf(out, "\"seconds\": %s,\n", format_seconds(buf, job->seconds));
	fprintf(out, "\"clock\": \"%s\",\n", job->clock);
	if (job->time)
		fprintf(out, "\"time\": \"%s\",\n", job->time);
	if (job->groups)
		json_groups(out, job->groups);
	if (job->member)
		json_members(out, job);
	fputs("\"rows\": [", out);
	for (size_t row = 0; row < sums->n; row++) {
		fill(value, job, &sums->v[row]);
		fputs(row ? ",\n" : "\n", out);
		json_row(out, job, value);
	}
	fputs("]}\n", out);
}

static void warn_of_other(const char *path, const struct pl_stats_sums *sums)
{
	static bool said;

	if (sums->n > 0 && sums->v[sums->n - 1].key == PL_STATS_OTHER &&
	    !__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		pl_shim_say("PLINK_STATS: more than %d kinds of calls in a process; the last row "
			    "of %s, \"other\", counts all further calls",
			    PL_STATS_ROWS_MAX, path);
}

/* By each of its names. */
static bool is_stdout(const char *path)
{
	return !strcmp(path, "-") || !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/fd/1") ||
	       !strcmp(path, "/proc/self/fd/1");
}

int pl_stats_leave(const char *path, const struct pl_stats_job *job,
		   const struct pl_stats_sums *sums)
{
	struct pl_err err = {0};

	warn_of_other(path, sums);
	if (is_stdout(path) && !pl_shim_owns(STDOUT_FILENO))
		pl_err_set(&err, PL_ESYSTEM, "standard output is another file by now");
	else if (pl_stats_write(path, job, sums, &err) == 0)
		return 0;
	pl_shim_say_err(&err, "no statistics (PLINK_STATS)");
	return -1;
}

static bool is_json(const char *path)
{
	const size_t len = strlen(path);

	return len > 5 && strcmp(path + len - 5, ".json") == 0;
}

/* /dev/stdout, /proc/self/fd/1 and their like: links to what is open
 * already. */
static bool is_open(const char *path)
{
	struct stat st;

	return pl_path_is_open(path) && lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Opening a named pipe would wait for somebody who reads. */
static bool is_pipe(const char *path)
{
	struct stat st;

	return !is_open(path) && stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

int pl_stats_write(const char *path, const struct pl_stats_job *job,
		   const struct pl_stats_sums *sums, struct pl_err *err)
{
	struct pl_size_signal size;
	struct pl_outfile out;
	int rc;

	if (is_pipe(path))
		return pl_err_set(err, PL_EINPUT, "cannot write %s: a pipe", path);
	if (pl_same_file(path, getenv("PLINK_PLAN")))
		return pl_err_set(err, PL_EINPUT, "cannot write %s: it is PLINK_PLAN", path);
	if (pl_outfile_open(&out, path, err))
		return -1;
	pl_size_signal_hold(&size);
	if (is_json(path))
		pl_stats_write_json(out.f, job, sums);
	else
		pl_stats_write_text(out.f, job, sums);
	rc = pl_outfile_commit(&out, err);
	pl_size_signal_release(&size);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.c - the names and secrets of the jobs that a hub serves */
#include "config.h"

#include "src/hub/jobs.h"

#include "base/mem.h"
#include "base/text/names.h"
#include "base/text/text.h"
#include "lib/service.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BYTES_MAX (1 << 20)

struct jobs {
	struct pl_names names; /* of all lines so far; borrows from the text */
	size_t n;
	const char *wanted; /* a job whose secret is asked for, or NULL */
	char *secret;
};

static bool is_comment(const struct pl_word *word)
{
	return word->s[0] == '#';
}

/* Is the name new, and one that a job can have? */
static int take_name(struct jobs *j, const struct pl_word *name, struct pl_err *err)
{
	const char *fault = pl_service_name_fault(name->s, name->len);
	int rc;

	if (fault)
		return pl_err_at(err, name->place, "%s", fault);
	rc = pl_names_add(&j->names, name->s, name->len, j->n);
	if (rc > 0)
		return pl_err_at(err, name->place, "job \"%.*s\" stands here twice", (int)name->len,
				 name->s);
	return rc ? pl_err_nomem(err) : 0;
}

/* NAME SECRET [# comment], or nothing but a comment */
static int take_line(struct jobs *j, struct pl_line *line, struct pl_err *err)
{
	struct pl_word name, secret, more;

	if (!pl_line_next(line, &name) || is_comment(&name))
		return 0;
	if (take_name(j, &name, err))
		return -1;
	if (!pl_line_word(line, &secret) || is_comment(&secret))
		return pl_err_at(
			err, secret.place,
			"the secret of job \"%.*s\" must stand here, and does not begin with '#'",
			(int)name.len, name.s);
	if (pl_line_next(line, &more) && !is_comment(&more))
		return pl_err_at(err, more.place,
				 "only a comment (#) may follow the secret, which is one word");
	j->n++;
	if (!j->wanted || !pl_word_is(&name, j->wanted))
		return 0;
	j->secret = pl_string_copy(secret.s, secret.len);
	return j->secret ? 0 : pl_err_nomem(err);
}

/* It is read again and again, as no pipe can be. */
static int load(struct pl_text *text, const char *path, struct pl_err *err)
{
	struct stat st;

	if (stat(path, &st))
		return pl_err_errno(err, "cannot open %s", path);
	if (!S_ISREG(st.st_mode))
		return pl_err_set(err, PL_EINPUT, "%s is not a regular file", path);
	return pl_text_load_secret(text, path, BYTES_MAX, err);
}

static int read_jobs(struct jobs *j, const char *path, struct pl_err *err)
{
	struct pl_text text;
	struct pl_line line;
	int rc = 0;

	if (load(&text, path, err))
		return -1;
	while (rc == 0 && pl_text_next(&text, &line))
		rc = take_line(j, &line, err);
	pl_names_fini(&j->names);
	pl_text_fini(&text);
	return rc;
}

int hub_jobs_count(const char *path, struct pl_err *err)
{
	struct jobs j = {.wanted = NULL};

	return read_jobs(&j, path, err) ? -1 : (int)j.n;
}

char *hub_jobs_secret(const char *path, const char *job, struct pl_err *err)
{
	struct jobs j = {.wanted = job};

	if (read_jobs(&j, path, err)) {
		free(j.secret);
		return NULL;
	}
	if (!j.secret)
		pl_err_set(err, PL_EINPUT, "no job \"%s\"", job);
	return j.secret;
}

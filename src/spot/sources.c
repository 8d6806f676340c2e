/* SPDX-License-Identifier: BSD-3-Clause */
/* sources.c - the files that lifetimes come from */
#include "config.h"

#include "src/spot/sources.h"

#include "src/spot/verbs.h"

static int add(const char **file, size_t *n, const struct pl_option *option, const char *value,
	       struct pl_err *err)
{
	if (!*value)
		return pl_err_set(err, PL_EUSAGE, "--%s is empty", option->name);
	if (*n == SPOT_FILES_MAX)
		return pl_err_set(err, PL_EUSAGE, "--%s: more than %d", option->name,
				  SPOT_FILES_MAX);
	file[(*n)++] = value;
	return 0;
}

int spot_take_file(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct spot_sources *to = pl_option_to(o, option);

	return add(to->file, &to->n_files, option, value, err);
}

int spot_take_history(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err)
{
	struct spot_sources *to = pl_option_to(o, option);

	return add(to->history, &to->n_histories, option, value, err);
}

static int read_histories(struct pl_lifetimes *l, const struct spot_sources *from,
			  struct pl_err *err)
{
	struct pl_history h = {0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < from->n_histories; i++)
		rc = pl_history_read(&h, from->history[i], err);
	if (rc == 0 && pl_lifetimes_add_history(l, &h))
		rc = pl_err_nomem(err);
	pl_history_fini(&h);
	return rc;
}

int spot_sources_read(struct pl_lifetimes *l, const struct spot_sources *from, struct pl_err *err)
{
	size_t n_lives = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < from->n_files; i++)
		rc = pl_lifetimes_read(l, from->file[i], err);
	if (rc == 0)
		rc = read_histories(l, from, err);
	for (size_t i = 0; i < l->n; i++)
		n_lives += l->group[i].n;
	if (rc == 0 && n_lives == 0)
		rc = pl_err_at(
			err,
			(struct pl_place){from->n_files ? from->file[0] : from->history[0], 0, 0},
			"no lifetime of a machine that may be taken away");
	if (rc)
		pl_lifetimes_fini(l);
	return rc;
}

int spot_sources_spare(const struct spot_sources *from, const char *output)
{
	int status = PL_EXIT_DONE;

	for (size_t i = 0; !status && i < from->n_files; i++)
		status = pl_tool_spares(SPOT_TOOL, output, from->file[i]);
	for (size_t i = 0; !status && i < from->n_histories; i++)
		status = pl_tool_spares(SPOT_TOOL, output, from->history[i]);
	return status;
}

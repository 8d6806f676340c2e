/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-file.c - schedules as programs see them */
#include "config.h"

#include "lib/parts.h"

#include "base/fnv.h"
#include "base/text/text.h"

#include <stdio.h>
#include <stdlib.h>

#define TEXT_MAX ((size_t)256 << 20)

/* Hubs come to a job as it begins, and know the schedules as they are then. */
static int check(const struct pl_schedules *s, struct pl_err *err)
{
	if (s->n_aggregators > 0 && s->is_tuned)
		return pl_err_set(err, PL_EINPUT,
				  "schedules that are tuned cannot have "
				  "aggregators (\"%s\")",
				  s->aggregator[0]);
	return pl_schedules_add_up(s, err);
}

static int read_file(struct pl_schedule_file *file, const char *path,
		     struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load_file(&text, path, TEXT_MAX, err))
		return -1;
	file->digest = pl_fnv_add(PL_FNV_FIRST, text.data, text.len);
	rc = pl_schedules_parse(&file->schedules, &text, err);
	pl_text_fini(&text);
	if (rc || check(&file->schedules, err) == 0)
		return rc;
	snprintf(err->file, sizeof(err->file), "%s", path);
	pl_schedules_fini(&file->schedules);
	return -1;
}

struct pl_schedule_file *pl_schedule_file_read(const char *path,
					       struct pl_error *error)
{
	struct pl_schedule_file *file = calloc(1, sizeof(*file));
	struct pl_err err;

	if (!file) {
		pl_lib_nomem(error);
	} else if (read_file(file, path, &err)) {
		pl_lib_fail(error, &err);
		free(file);
		file = NULL;
	}
	return file;
}

size_t pl_schedule_file_processes(const struct pl_schedule_file *file)
{
	return pl_hosts_ranks(&file->schedules.job.hosts);
}

int pl_schedule_file_has(const struct pl_schedule_file *file, uint64_t bytes)
{
	return pl_schedules_find(&file->schedules, bytes) != NULL;
}

void pl_schedule_file_destroy(struct pl_schedule_file *file)
{
	if (file)
		pl_schedules_fini(&file->schedules);
	free(file);
}

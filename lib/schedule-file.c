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
				  "schedules that are tuned cannot have aggregators (\"%s\")",
				  s->aggregator[0]);
	return pl_schedules_add_up(s, err);
}

struct pl_schedule_file *pl_schedule_file_parse(struct pl_text *text, struct pl_err *err)
{
	struct pl_schedule_file *file = calloc(1, sizeof(*file));

	if (!file) {
		pl_err_nomem(err);
		return NULL;
	}
	file->digest = pl_fnv_add(PL_FNV_FIRST, text->data, text->len);
	if (pl_schedules_parse(&file->schedules, text, err) == 0) {
		if (check(&file->schedules, err) == 0)
			return file;
		snprintf(err->file, sizeof(err->file), "%s", text->name);
		pl_schedules_fini(&file->schedules);
	}
	free(file);
	return NULL;
}

struct pl_schedule_file *pl_schedule_file_read(const char *path, struct pl_error *error)
{
	struct pl_schedule_file *file = NULL;
	struct pl_text text;
	struct pl_err err;

	if (pl_text_load_file(&text, path, TEXT_MAX, &err) == 0) {
		file = pl_schedule_file_parse(&text, &err);
		pl_text_fini(&text);
	}
	if (!file)
		pl_lib_fail(error, &err);
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

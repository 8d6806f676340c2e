/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-stalls.c - any bytes as measured steps, or as DS-Analyzer's MODEL.json: what is read is
 * written back alike, or there is an error with its place */
#include "config.h"

#include "planner/stalls/parts.h"
#include "planner/stalls/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int parse(struct pl_stall_runs *runs, const void *data, size_t size)
{
	struct pl_err err = {0};
	struct pl_text text;
	int rc;

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return -1;
	rc = pl_stall_runs_parse(runs, &text, &err);
	if (rc && (err.code != PL_EINPUT || err.line < 1 || runs->n))
		abort();
	pl_text_fini(&text);
	return rc;
}

static char *written(const struct pl_stall_runs *runs)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f || pl_stall_runs_write(runs, f, NULL) || fclose(f))
		abort();
	return text;
}

static void check_store(const void *data, size_t size)
{
	struct pl_stall_store store = {.disk_mib_per_s = 1, .memory_gib_per_s = 1};
	enum pl_stall_bound bound;
	struct pl_err err = {0};
	struct pl_text text;

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return;
	if ((pl_stall_workload_is(&text) ? pl_stall_workload_parse(&store, &text, &err)
					 : pl_stall_store_parse(&store, &text, &err)) == 0) {
		if (!(pl_stall_trained_per_s(&store, 0.5, &bound) > 0))
			abort();
	} else if (err.code != PL_EINPUT || err.line < 1) {
		abort();
	}
	pl_text_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_stall_runs runs = {0}, again = {0};
	char *once, *twice;

	check_store(data, size);
	if (parse(&runs, data, size) == 0) {
		once = written(&runs);
		if (parse(&again, once, strlen(once)))
			abort();
		twice = written(&again);
		if (strcmp(once, twice) != 0)
			abort();
		free(once);
		free(twice);
	}
	pl_stall_runs_fini(&runs);
	pl_stall_runs_fini(&again);
	return 0;
}

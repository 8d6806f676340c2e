/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-plan.c - any bytes as a plan: one that is written back alike, or an error */
#include "config.h"

#include "base/plan/plan.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int parse(struct pl_plan *plan, const void *data, size_t size)
{
	struct pl_err err = {0};
	struct pl_text text;
	int rc;

	*plan = (struct pl_plan){0};
	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return -1;
	rc = pl_plan_parse(plan, &text, &err);
	if (rc && (err.code != PL_EINPUT || plan->order || plan->hosts.v))
		abort();
	pl_text_fini(&text);
	return rc;
}

/* What was read must be fit to be written. */
static char *written(const struct pl_plan *plan)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f || pl_plan_write(plan, f, NULL) || fclose(f))
		abort();
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_plan plan, again;
	char *once, *twice;

	if (parse(&plan, data, size))
		return 0;
	once = written(&plan);
	if (parse(&again, once, strlen(once)))
		abort();
	twice = written(&again);
	if (strcmp(once, twice) != 0)
		abort();
	free(once);
	free(twice);
	pl_plan_fini(&plan);
	pl_plan_fini(&again);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-machines.c - any bytes as a list of machines: in order once and for
 * all */
#include "config.h"

#include "src/exec/machines.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char plan_text[] = "# plink-plan 1\n"
				"host 0 a addr=10.0.0.1\n"
				"host 1 b slots=2 addr=10.0.0.2\n"
				"host 2 10.0.0.3 port=1\n"
				"host 3 c addr=10.0.0.3 port=2\n"
				"order allreduce ring lightgbm 0- : 2 0 3 1\n";

static char *order(const struct pl_plan *plan, const void *data, size_t size)
{
	struct pl_err err = {0};
	struct pl_text text;
	char *list;

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return NULL;
	list = pl_machines_order(&text, plan, &err);
	if (!list && err.code != PL_EPARTIAL)
		abort();
	pl_text_fini(&text);
	return list;
}

/* In order it stays as it is, with a machine for each slot. */
static void check(const struct pl_plan *plan, const char *list)
{
	char *lines = strdup(list), *again;
	size_t n = 1;

	if (!lines)
		abort();
	for (char *c = lines; *c; c++)
		if (*c == ',') {
			*c = '\n';
			n++;
		}
	again = order(plan, lines, strlen(lines));
	if (n != pl_hosts_ranks(&plan->hosts) || !again || strcmp(list, again) != 0)
		abort();
	free(again);
	free(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_plan plan = {0};
	struct pl_text text;
	char *list;

	if (pl_text_copy(&text, "plan", plan_text, sizeof(plan_text) - 1, NULL) ||
	    pl_plan_parse(&plan, &text, NULL))
		abort();
	pl_text_fini(&text);
	list = order(&plan, data, size);
	if (list)
		check(&plan, list);
	free(list);
	pl_plan_fini(&plan);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.c - the iterations of plink-stalls table, drawn as bars */
#include "config.h"

#include "src/stalls/table.h"

#include "base/mem.h"
#include "base/text/outfile.h"
#include "planner/stalls/parts.h"
#include "report/bars.h"

#include <math.h>
#include <stdlib.h>

#define PARTS (1 + PL_STALLS) /* what is computed, and the stalls */
#define NAME_CHARS 40

struct drawn {
	char name[NAME_CHARS];
	double part_s[PARTS];
};

/* On one machine, or on those of t5: from t1, or the first step that was measured, to t3, or to
 * t5. */
static void fill(struct drawn *d, const struct pl_stall_run *run, bool apart)
{
	const struct pl_stall_parts p = pl_stall_parts_of(run);
	const double t1_s = run->t_s[PL_STALL_T1];
	const double t2_s = pl_stall_seconds(run, PL_STALL_T2);

	d->part_s[0] = isnan(t1_s) ? t2_s : t1_s;
	for (int i = 0; i < PL_STALLS; i++)
		d->part_s[1 + i] = p.s[i];
	if (apart) {
		d->part_s[1 + PL_STALL_PREP] = NAN;
		d->part_s[1 + PL_STALL_FETCH] = NAN;
		snprintf(d->name, sizeof(d->name), "%.16s, %llu x %.14s", run->model,
			 (unsigned long long)run->machines, stalls_table_machine(run, true));
	} else {
		d->part_s[1 + PL_STALL_NETWORK] = NAN;
		snprintf(d->name, sizeof(d->name), "%.18s, %.18s", run->model, run->machine);
	}
}

static int write_bars(const void *bars, FILE *out, struct pl_err *err)
{
	return pl_bars_write_svg(bars, out, err);
}

int stalls_table_picture(const struct stalls_table *t, struct pl_err *err)
{
	static const char *const parts[PARTS] = {
		"compute",
		[1 + PL_STALL_INTERCONNECT] = "interconnect",
		[1 + PL_STALL_NETWORK] = "network",
		[1 + PL_STALL_PREP] = "prep",
		[1 + PL_STALL_FETCH] = "fetch",
	};
	struct drawn *drawn = pl_array_create(t->runs.n, 2 * sizeof(*drawn));
	struct pl_bar *bar = pl_array_create(t->runs.n, 2 * sizeof(*bar));
	struct pl_bars bars = {.title = "an iteration of training",
			       .part = parts,
			       .n_parts = PARTS,
			       .bar = bar,
			       .n = 0};
	int rc = drawn && bar ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < t->runs.n; i++)
		for (int apart = 0; apart <= stalls_table_apart(&t->runs.v[i]); apart++) {
			fill(&drawn[bars.n], &t->runs.v[i], apart);
			bar[bars.n] = (struct pl_bar){.name = drawn[bars.n].name,
						      .part_s = drawn[bars.n].part_s};
			bars.n++;
		}
	if (rc == 0)
		rc = pl_outfile_write(t->picture, write_bars, &bars, err);
	free(drawn);
	free(bar);
	return rc;
}

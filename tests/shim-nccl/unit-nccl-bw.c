/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-nccl-bw.c - what plink-nccl-bw makes of times on several rails */
#include "config.h"

#include "src/nccl-bw/nccl-bw.h"
#include "tests/tap.h"

#include <math.h>

#define RAILS 2
#define BYTES 3000

static const struct nccl_bw_options options = {.bytes = BYTES, .repeat = 1};

/* [rail][source * 2 + destination]; p10, p50, transfer in ns */
static const double figure[RAILS][4][NCCL_BW_FIGURES] = {
	{{0, 0, 0}, {100, 110, 1050}, {200, 210, 100}, {0, 0, 0}},
	{{0, 0, 0}, {400, 410, 500}, {100, 120, 1050}, {0, 0, 0}},
};

static double cell(const struct pl_matrix *m, const char *statistic, size_t at)
{
	const struct pl_layer *layer = pl_matrix_layer(m, statistic);

	return layer ? layer->cell[at] : -1;
}

int main(void)
{
	struct nccl_bw_job job = {.n = 2 * RAILS, .n_rails = RAILS};
	const struct pl_host a = {.name = (char *)"a", .slots = RAILS},
			     b = {.name = (char *)"b", .slots = RAILS};
	struct pl_matrix *m;
	struct pl_err err;

	ok(!pl_hosts_add(&job.hosts, &a) && !pl_hosts_add(&job.hosts, &b), "two hosts");
	m = nccl_bw_matrix(&job, &options, figure[0][0], "2.28.9", &err);
	if (ok(m != NULL, "a matrix")) {
		is_int((int64_t)m->n_layers, 7, "its layers");
		ok(cell(m, "p10", 1) == 400 && cell(m, "p10", 2) == 200 && cell(m, "p50", 1) == 410,
		   "round trips of the slower rail");
		ok(cell(m, "p10-rail0", 1) == 100 && cell(m, "p10-rail1", 2) == 100,
		   "of each rail");
		ok(cell(m, "p10-time-rail0", 1) == 3e9 && cell(m, "p10-time-rail1", 1) == 1e10,
		   "rates without half a round trip");
		ok(cell(m, "p10-time", 1) == 6e9, "of all rails: as often the slower one");
		ok(isnan(cell(m, "p10-time-rail0", 2)) && isnan(cell(m, "p10-time", 2)) &&
			   !isnan(cell(m, "p10-time-rail1", 2)),
		   "too short to tell");
	}
	pl_matrix_destroy(m);
	pl_hosts_fini(&job.hosts);
	return done_testing();
}

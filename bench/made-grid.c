/* SPDX-License-Identifier: BSD-3-Clause */
/* made-grid.c - made-up measurements of all-reduces, of a truth that is
 * known */
#include "config.h"

#include "bench/made-grid.h"

#include "base/rng.h"
#include "planner/srift/comm/comm.h"
#include "planner/srift/iteration/straggler.h"

#include <inttypes.h>
#include <math.h>

/* As in the paper: three families in two places; cards reach a part of what is rated. */
static const struct machine {
	const char *about; /* cloud to rated_gbps, as the columns stand */
	double alpha_s, bytes_per_s;
} machines[MADE_MACHINES] = {
	{"aws,us-west-2,us-west-2a,g3.8xlarge,M60,Xeon E5-2686,32,244,10", 24e-6, 1.05e9},
	{"aws,us-west-2,us-west-2a,g4dn.8xlarge,T4,Xeon 8259CL,32,128,50", 17e-6, 3.6e9},
	{"aws,us-west-2,us-west-2b,p3.8xlarge,V100,Xeon E5-2686,32,244,10", 21e-6, 1.15e9},
	{"aws,us-east-1,us-east-1a,g3.8xlarge,M60,Xeon E5-2686,32,244,10", 31e-6, 0.98e9},
	{"aws,us-east-1,us-east-1a,g4dn.8xlarge,T4,Xeon 8259CL,32,128,50", 19e-6, 3.1e9},
	{"aws,us-east-1,us-east-1c,c5.18xlarge,,Xeon 8124M,72,144,25", 15e-6, 2.4e9},
};

double made_bandwidth(int64_t machine, double bytes, int64_t ranks, int64_t async)
{
	const struct machine *m = &machines[machine];
	const double n = (double)ranks, c = (double)async;
	/* one transfer gets two thirds of the card, several all of it */
	const double beta = fmax(1.5, c) / m->bytes_per_s;
	const double alpha = m->alpha_s * (1 + 0.15 * (c - 1));
	const double ring = 2 * (n - 1) * (alpha + beta * bytes / n);
	const double tree = 2 * ceil(log2(n)) * (alpha + beta * bytes);

	return pl_bus_bytes(bytes, (size_t)ranks) / fmin(ring, tree);
}

static void write_row(const struct made_grid *g, int64_t machine, int64_t bytes, int64_t ranks,
		      int64_t async, struct pl_rng *rng, FILE *out)
{
	const double b = made_bandwidth(machine, (double)bytes, ranks, async);
	const double z = pl_normal_exceeds(fmax(pl_rng_double(rng), 0x1p-54));

	fprintf(out, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%.9g,%.9g\n", machines[machine].about,
		bytes, ranks, async,
		pl_bus_bytes((double)bytes, (size_t)ranks) / (b * exp(-g->noise * z)), b);
}

void made_grid_write(const struct made_grid *g, FILE *out)
{
	struct pl_rng rng;

	pl_rng_init(&rng, g->seed, 0);
	fprintf(out, "cloud,region,zone,instance,gpu,cpu,cores,memory_gib,rated_gbps,bytes,ranks,"
		     "async,seconds,true\n");
	for (int64_t m = 0; m < g->n_machines; m++)
		for (int64_t s = 4; s <= g->bytes_max; s *= 2)
			for (int64_t n = 2; n <= g->ranks_max; n *= 2)
				for (int64_t c = 1; c <= g->async_max; c *= 2)
					for (int64_t k = 0; k < g->n_repeats; k++)
						write_row(g, m, s, n, c, &rng, out);
}

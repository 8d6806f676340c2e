/* SPDX-License-Identifier: BSD-3-Clause */
/* predict-cost.c - how long predictions take to make */
#include "config.h"

#include "bench/options.h"

#include "base/mem.h"
#include "base/rng.h"
#include "costmodels/catalogue.h"
#include "predict/predict.h"
#include "src/common/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TOOL "predict-cost"

static const char help[] =
	"usage: predict-cost [OPTION]...\n"
	"Predicts Open MPI's own all-reduce of hosts in racks, in a random order, and\n"
	"prints for each size: hosts, bytes, the predicted milliseconds, and the seconds\n"
	"that predicting took.\n"
	"\n"
	"  --hosts=N    hosts (16)\n"
	"  --rack=N     hosts of a rack (8)\n"
	"  --nic=MBIT   rate of cards, 0: no limit (10000)\n"
	"  --uplink=MBIT  rate of uplinks, 0: no limit (20000)\n"
	"  --calls=N    predictions of each size, of which the fastest counts (3)\n"
	"  --seed=N     of delays and the order (1)\n"
	"  --help, --version\n";

struct args {
	int64_t hosts, rack, nic_mbit, uplink_mbit, calls, seed;
};

/* 10 us within a rack, 50 us to others, and up to a fifth more. */
static int make_network(struct pl_network *net, const struct args *args, struct pl_rng *rng,
			struct pl_err *err)
{
	const size_t n = (size_t)args->hosts, rack = (size_t)args->rack;

	net->n = n;
	net->latency_s = pl_array_create(n * n, sizeof(double));
	if (!net->latency_s)
		return pl_err_nomem(err);
	if (pl_tiers_init(&net->tiers, n, err))
		return -1;
	for (size_t i = 0; i < n * n; i++)
		if (i / n != i % n)
			net->latency_s[i] = (i / n / rack == i % n / rack ? 10e-6 : 50e-6) *
					    (1 + 0.2 * pl_rng_double(rng));
	for (size_t h = 0; h < n; h++) {
		if (h % rack == 0 && pl_tiers_add_group(&net->tiers) == PL_NO_GROUP)
			return pl_err_nomem(err);
		net->tiers.rack[h] = h / rack;
	}
	return pl_network_set_rates(net, (double)args->nic_mbit * 1e6,
				    (double)args->uplink_mbit * 1e6, err);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int time_size(const struct pl_network *net, const size_t *host_at, uint64_t bytes,
		     int64_t calls, struct pl_err *err)
{
	const struct pl_call call = {.n_pos = net->n, .bytes = bytes};
	struct pl_protocol protocol;
	struct pl_pattern pattern;
	size_t radix;
	const struct pl_algorithm *a =
		pl_catalogue_find(PL_ALLREDUCE, PL_OPENMPI, "default", &radix, err);
	int64_t least_ns = INT64_MAX, took_ns;
	double seconds = 0;
	int rc = 0;

	if (!a || pl_protocol_of(a, radix, &protocol, err) ||
	    pl_algorithm_pattern(a, &call, &pattern, err))
		return -1;
	for (int64_t i = 0; rc == 0 && i < calls; i++) {
		const int64_t begin_ns = now_ns();
		struct pl_prediction p;

		rc = pl_predict(&pattern, host_at, net, &protocol, NULL, &p, err);
		took_ns = now_ns() - begin_ns;
		least_ns = took_ns < least_ns ? took_ns : least_ns;
		seconds = p.seconds;
		pl_prediction_fini(&p);
	}
	pl_pattern_fini(&pattern);
	if (rc == 0)
		printf("%5zu %8llu %10.3f ms %10.4f s\n", net->n, (unsigned long long)bytes,
		       seconds * 1e3, (double)least_ns * 1e-9);
	return rc;
}

static int run(const struct args *args, struct pl_err *err)
{
	static const uint64_t size[] = {2048, 65536, 1 << 20, 8 << 20};
	const size_t n = (size_t)args->hosts;
	size_t *host_at = pl_array_create(n, sizeof(*host_at));
	struct pl_network net = {0};
	struct pl_rng rng;
	int rc = host_at ? 0 : pl_err_nomem(err);

	pl_rng_init(&rng, (uint64_t)args->seed, 0);
	if (rc == 0)
		rc = make_network(&net, args, &rng, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		host_at[i] = i;
	if (rc == 0)
		pl_rng_shuffle(&rng, host_at, n);
	for (size_t i = 0; rc == 0 && i < sizeof(size) / sizeof(*size); i++)
		rc = time_size(&net, host_at, size[i], args->calls, err);
	pl_network_fini(&net);
	free(host_at);
	return rc;
}

int main(int argc, char **argv)
{
	struct args args = {.hosts = 16,
			    .rack = 8,
			    .nic_mbit = 10000,
			    .uplink_mbit = 20000,
			    .calls = 3,
			    .seed = 1};
	const struct bench_option options[] = {
		{"hosts", .whole = &args.hosts, .least = 2, .most = 16384},
		{"rack", .whole = &args.rack, .least = 1, .most = 16384},
		{"nic", .whole = &args.nic_mbit, .most = 1000000},
		{"uplink", .whole = &args.uplink_mbit, .most = 1000000},
		{"calls", .whole = &args.calls, .least = 1, .most = 1000},
		{"seed", .whole = &args.seed, .most = INT64_MAX},
	};
	struct pl_err err = {0};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);

	if (status >= 0)
		return status;
	if (run(&args, &err))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-stats.c - any bytes as statistics of a job: calls to be counted, or an error */
#include "config.h"

#include "job/stats.h"
#include "order/calls/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_row(const struct pl_stats_line *row)
{
	if (row->ranks < 0 || row->calls < 0 || row->bytes < 0 || row->processes < 0 ||
	    row->seconds < 0 || isinf(row->seconds))
		abort();
}

/* What plink-order makes of them, for four hosts. */
static void weigh(const struct pl_stats *s)
{
	struct pl_order_workload w = {0};
	struct pl_order_request q = {.stats = "fuzz"};
	struct pl_hosts hosts = {0};
	struct pl_host host = {.slots = 1};
	struct pl_err err = {0};
	static char names[4][2] = {"a", "b", "c", "d"};

	for (size_t i = 0; i < 4; i++) {
		host.name = names[i];
		if (pl_hosts_add(&hosts, &host))
			abort();
	}
	q.names.collective = "allreduce";
	q.names.impl = "openmpi";
	if (pl_order_algorithm_find(&q.what, &q.names, &err))
		abort();
	if (pl_order_workload_take(&w, s, &hosts, &q, &err) == 0)
		for (size_t i = 0; i < w.n; i++)
			if (!(w.v[i].weight > 0) || !isfinite(w.v[i].weight))
				abort();
	pl_order_workload_fini(&w);
	pl_hosts_fini(&hosts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_stats s = {.n = 0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return 0;
	if (pl_stats_parse(&s, &text, &err) == 0) {
		for (size_t i = 0; i < s.n; i++)
			check_row(&s.row[i]);
		weigh(&s);
	} else if (err.code != PL_EINPUT || !err.file[0] || s.row) {
		abort();
	}
	pl_stats_fini(&s);
	pl_text_fini(&text);
	return 0;
}

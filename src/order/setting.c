/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.c - which settings of a library would make an order pay off */
#include "config.h"

#include "src/order/setting.h"

#include "src/order/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Open MPI allocates a buffer of that size for every message under way. */
#define EAGER_MAX_BYTES ((uint64_t)16 << 20)

bool pl_reorder_worth(double seconds, double instead)
{
	return seconds < instead && seconds <= instead * (1 - PL_ORDER_WORTH / 100.0);
}

/* A limit that makes every message of the pattern eager; 0: not needed, or too high. */
static uint64_t limit_for(const struct pl_pattern *pattern, const struct pl_protocol *protocol)
{
	struct pl_protocol raised = *protocol;
	uint64_t largest = 0, limit;

	for (size_t i = 0; i < pattern->n_messages; i++)
		if (pattern->message[i].bytes > largest)
			largest = pattern->message[i].bytes;
	if (largest <= protocol->eager_bytes)
		return 0;
	for (limit = 1; limit <= EAGER_MAX_BYTES; limit *= 2) {
		pl_protocol_eager_limit(&raised, limit);
		if (largest <= raised.eager_bytes)
			return limit;
	}
	return 0;
}

int pl_reorder_raise_eager(const struct pl_order_forecaster *f, const struct pl_pattern *pattern,
			   const size_t *given, struct pl_reorder_row *row, struct pl_err *err)
{
	struct pl_protocol raised = f->protocol;
	uint64_t limit;

	/* In measurements (bench/predict), eager messages under BBR take up to half as long again
	 * as predicted; other congestion controls are not known. */
	if (row->what.a->impl != PL_OPENMPI || f->net.congestion != PL_CONGESTION_WINDOW)
		return 0;
	limit = limit_for(pattern, &f->protocol);
	if (limit == 0)
		return 0;
	pl_protocol_eager_limit(&raised, limit);
	if (pl_order_time(f, pattern, given, &raised, &row->raised_given, err) ||
	    pl_order_time(f, pattern, row->host_at, &raised, &row->raised_found, err))
		return -1;
	if (pl_reorder_worth(row->raised_found.seconds, row->found.seconds))
		row->eager_bytes = limit;
	return 0;
}

const char *pl_reorder_eager_setting(char buf[PL_SETTING_CHARS], const struct pl_reorder_row *row)
{
	buf[0] = '\0';
	if (row->eager_bytes)
		snprintf(buf, PL_SETTING_CHARS,
			 "--mca btl_tcp_eager_limit %" PRIu64
			 " --mca btl_tcp_max_send_size %" PRIu64,
			 row->eager_bytes, row->eager_bytes);
	return buf;
}

const char *pl_reorder_row_setting(char buf[PL_REORDER_SETTING], const struct pl_mpi *mpi,
				   const struct pl_reorder_row *row)
{
	char setting[PL_SETTING_CHARS];

	pl_algorithm_setting(setting, row->what.a, row->what.radix, row->what.segment_bytes);
	snprintf(buf, PL_REORDER_SETTING, "%s%s",
		 pl_mpi_asks_han(mpi, setting) ? "--mca coll_han_priority 0 " : "", setting);
	return buf;
}

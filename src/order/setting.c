/* SPDX-License-Identifier: BSD-3-Clause */
/* setting.c - which settings of a library would make an order pay */
#include "config.h"

#include "src/order/setting.h"

#include "costmodels/mpich/mpich.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Open MPI keeps a buffer of that size for every message under way. */
#define EAGER_MAX_BYTES ((uint64_t)16 << 20)

/* By enum pl_collective; the numbers are those of COLLTYPE in Open MPI 4.1's
 * coll_base_functions.h. */
static const struct {
	int id;
	const char *word;
} openmpi[] = {
	{2, "allreduce"}, {7, "bcast"},           {11, "reduce"},
	{0, "allgather"}, {12, "reduce_scatter"}, {6, "barrier"},
};

/* MPI_Reduce_scatter_block has algorithms and parameters of its own. */
static bool is_block(const struct pl_algorithm *a)
{
	return (a->impl == PL_OPENMPI || a->impl == PL_MPICH) &&
	       a->collective == PL_REDUCE_SCATTER &&
	       strncmp(a->name, "block-", 6) == 0;
}

bool pl_order_same_call(const struct pl_algorithm *a,
			const struct pl_algorithm *b)
{
	return a->collective == b->collective && a->impl == b->impl &&
	       is_block(a) == is_block(b);
}

int pl_order_openmpi_id(const struct pl_algorithm *a)
{
	return is_block(a) ? 13 : openmpi[a->collective].id;
}

const char *pl_order_openmpi_word(const struct pl_algorithm *a)
{
	return is_block(a) ? "reduce_scatter_block"
			   : openmpi[a->collective].word;
}

bool pl_order_worth(double seconds, double instead)
{
	return seconds < instead &&
	       seconds <= instead * (1 - PL_ORDER_WORTH / 100.0);
}

/* A limit that lets every message of the pattern go eagerly; 0: there is no
 * need, or it would be too high. */
static uint64_t limit_for(const struct pl_pattern *pattern,
			  const struct pl_protocol *protocol)
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

int pl_order_raise_eager(const struct pl_order_forecaster *f,
			 const struct pl_pattern *pattern, const size_t *given,
			 struct pl_order_row *row, struct pl_err *err)
{
	struct pl_protocol raised = f->protocol;
	uint64_t limit;

	/* Measured (bench/predict), eager messages under BBR take up to half as
	 * long again as predicted; and under what is not known, who knows? */
	if (row->what.a->impl != PL_OPENMPI ||
	    f->net.congestion != PL_CONGESTION_WINDOW)
		return 0;
	limit = limit_for(pattern, &f->protocol);
	if (limit == 0)
		return 0;
	pl_protocol_eager_limit(&raised, limit);
	if (pl_order_time(f, pattern, given, &raised, &row->raised_given,
			  err) ||
	    pl_order_time(f, pattern, row->host_at, &raised, &row->raised_found,
			  err))
		return -1;
	if (pl_order_worth(row->raised_found.seconds, row->found.seconds))
		row->eager_bytes = limit;
	return 0;
}

const char *pl_order_eager_setting(char buf[PL_ORDER_SETTING],
				   const struct pl_order_row *row)
{
	buf[0] = '\0';
	if (row->eager_bytes)
		snprintf(buf, PL_ORDER_SETTING,
			 "--mca btl_tcp_eager_limit %" PRIu64
			 " --mca btl_tcp_max_send_size %" PRIu64,
			 row->eager_bytes, row->eager_bytes);
	return buf;
}

static const char *force_mpich(char buf[PL_ORDER_SETTING],
			       const struct pl_algorithm *a)
{
	char value[PL_MPICH_VALUE];

	snprintf(buf, PL_ORDER_SETTING, "-genv %s %s", pl_mpich_variable(a),
		 pl_mpich_value(value, a));
	return buf;
}

static const char *force_openmpi(char buf[PL_ORDER_SETTING],
				 const struct pl_order_algorithm *what)
{
	const char *word = pl_order_openmpi_word(what->a);
	char segment[96] = "", radix[96] = "";

	if (what->segment_bytes && what->a->takes_segment)
		snprintf(segment, sizeof(segment),
			 " --mca coll_tuned_%s_algorithm_segmentsize %" PRIu64,
			 word, what->segment_bytes);
	if (what->radix)
		snprintf(radix, sizeof(radix),
			 " --mca coll_tuned_%s_algorithm_%s %zu", word,
			 strcmp(what->a->name, "knomial") == 0 ? "knomial_radix"
							       : "chain_fanout",
			 what->radix);
	snprintf(buf, PL_ORDER_SETTING,
		 "--mca coll_tuned_use_dynamic_rules 1 "
		 "--mca coll_tuned_%s_algorithm %d%s%s",
		 word, what->a->setting, segment, radix);
	return buf;
}

const char *pl_order_force_setting(char buf[PL_ORDER_SETTING],
				   const struct pl_order_algorithm *what)
{
	buf[0] = '\0';
	if (what->a->setting && what->a->impl == PL_MPICH)
		return force_mpich(buf, what->a);
	if (what->a->setting && what->a->impl == PL_OPENMPI)
		return force_openmpi(buf, what);
	return buf;
}

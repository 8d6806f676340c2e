/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-reduce.c - which reduce Open MPI takes by itself */
/*
 * By ranks and bytes of the buffer, wherever the root is, for operations that
 * commute. Never in segments, and its chain has a fan-out of 1, so that it is
 * the pipeline: what these are set to holds for an algorithm chosen by hand
 * only.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

static const struct pl_openmpi_rule rules[] = {
	{4, 8, "rabenseifner"},
	{4, 16, "binary"},
	{4, 32, "pipeline"},
	{4, 262144, "linear"},
	{4, 524288, "pipeline"},
	{4, 1048576, "chain"},
	{4, UINT64_MAX, "pipeline"},
	{8, 4096, "binary"},
	{8, 65536, "chain"},
	{8, 262144, "binomial"},
	{8, 524288, "linear"},
	{8, 1048576, "binomial"},
	{8, UINT64_MAX, "linear"},
	{16, 8192, "binary"},
	{16, UINT64_MAX, "binomial"},
	{32, 4096, "binary"},
	{32, UINT64_MAX, "binomial"},
	{256, UINT64_MAX, "binomial"},
	{512, 8192, "binomial"},
	{512, 16384, "in-order-binary"},
	{512, UINT64_MAX, "binomial"},
	{2048, UINT64_MAX, "binomial"},
	{4096, 512, "binomial"},
	{4096, 1024, "in-order-binary"},
	{4096, 8192, "binomial"},
	{4096, 16384, "in-order-binary"},
	{4096, UINT64_MAX, "binomial"},
	{SIZE_MAX, 16, "binomial"},
	{SIZE_MAX, 32, "in-order-binary"},
	{SIZE_MAX, 1024, "binomial"},
	{SIZE_MAX, 2048, "in-order-binary"},
	{SIZE_MAX, 8192, "binomial"},
	{SIZE_MAX, 16384, "in-order-binary"},
	{SIZE_MAX, UINT64_MAX, "binomial"},
};

const struct pl_algorithm *pl_openmpi_decide_reduce(const struct pl_call *call,
						    struct pl_call *decided)
{
	decided->segment_bytes = 0;
	decided->radix = 1;
	return pl_openmpi_han_or(PL_REDUCE, call, pl_openmpi_rule(rules, call->n_pos, call->bytes));
}

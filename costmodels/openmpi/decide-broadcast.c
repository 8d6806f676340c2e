/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-broadcast.c - which broadcast Open MPI takes by itself */
/*
 * By ranks and bytes of the buffer, wherever the root is. Never in segments:
 * what segment size and chain fan-out are set to holds for an algorithm chosen
 * by hand only. Its chain has a fan-out of 1 here, so that it is the pipeline;
 * the radix of knomial is that of coll_tuned_bcast_algorithm_knomial_radix, 4.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

#include <string.h>

static const struct pl_openmpi_rule rules[] = {
	{4, 32, "pipeline"},
	{4, 256, "binary"},
	{4, 512, "pipeline"},
	{4, 1024, "knomial"},
	{4, 32768, "linear"},
	{4, 131072, "binary"},
	{4, 262144, "chain"},
	{4, 524288, "linear"},
	{4, 1048576, "binomial"},
	{4, UINT64_MAX, "binary"},
	{8, 64, "binary"},
	{8, 128, "binomial"},
	{8, 2048, "binary"},
	{8, 8192, "binomial"},
	{8, 1048576, "linear"},
	{8, UINT64_MAX, "chain"},
	{16, 8, "knomial"},
	{16, 64, "binary"},
	{16, 4096, "knomial"},
	{16, 16384, "binary"},
	{16, 32768, "binomial"},
	{16, UINT64_MAX, "linear"},
	{32, 4096, "knomial"},
	{32, 1048576, "binomial"},
	{32, UINT64_MAX, "scatter-allgather"},
	{64, 2048, "binomial"},
	{64, UINT64_MAX, "knomial"},
	{128, UINT64_MAX, "knomial"},
	{256, 2, "binomial"},
	{256, 16384, "binary"},
	{256, 32768, "linear"},
	{256, 65536, "binary"},
	{256, UINT64_MAX, "knomial"},
	{1024, 16384, "knomial"},
	{1024, 32768, "split-binary"},
	{1024, UINT64_MAX, "knomial"},
	{2048, 524288, "knomial"},
	{2048, UINT64_MAX, "scatter-allgather"},
	{4096, 262144, "knomial"},
	{4096, UINT64_MAX, "scatter-allgather"},
	{SIZE_MAX, 8192, "knomial"},
	{SIZE_MAX, 16384, "binary"},
	{SIZE_MAX, 262144, "knomial"},
	{SIZE_MAX, UINT64_MAX, "scatter-allgather"},
};

const struct pl_algorithm *pl_openmpi_decide_broadcast(const struct pl_call *call,
						       struct pl_call *decided)
{
	const char *name = pl_openmpi_rule(rules, call->n_pos, call->bytes);

	decided->segment_bytes = 0;
	decided->radix = strcmp(name, "chain") == 0 ? 1 : 0;
	return pl_openmpi_han_or(PL_BROADCAST, call, name);
}

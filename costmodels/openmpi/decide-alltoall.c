/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-alltoall.c - which all-to-all Open MPI takes by itself */
/* By ranks and bytes of a block. */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/openmpi/algorithms.h"

static const struct pl_openmpi_rule rules[] = {
	{3, 2, "pairwise"},
	{3, 4, "two-proc"},
	{3, 16, "pairwise"},
	{3, 64, "two-proc"},
	{3, 256, "pairwise"},
	{3, 4096, "two-proc"},
	{3, 32768, "pairwise"},
	{3, 262144, "linear-sync"},
	{3, 1048576, "two-proc"},
	{3, UINT64_MAX, "pairwise"},
	{8, 8192, "linear-sync"},
	{8, 16384, "linear"},
	{8, 65536, "linear-sync"},
	{8, 524288, "linear"},
	{8, 1048576, "pairwise"},
	{8, UINT64_MAX, "linear"},
	{16, 262144, "linear-sync"},
	{16, UINT64_MAX, "linear"},
	{32, 4, "linear-sync"},
	{32, 512, "modified-bruck"},
	{32, 8192, "linear-sync"},
	{32, 32768, "linear"},
	{32, 262144, "linear-sync"},
	{32, 524288, "linear"},
	{32, UINT64_MAX, "linear-sync"},
	{64, 512, "modified-bruck"},
	{64, 524288, "linear"},
	{64, UINT64_MAX, "linear-sync"},
	{128, 1024, "modified-bruck"},
	{128, 2048, "linear"},
	{128, 4096, "linear-sync"},
	{128, 262144, "linear"},
	{128, UINT64_MAX, "pairwise"},
	{256, 1024, "modified-bruck"},
	{256, 2048, "linear-sync"},
	{256, 262144, "linear"},
	{256, UINT64_MAX, "pairwise"},
	{512, 1024, "modified-bruck"},
	{512, 8192, "linear-sync"},
	{512, 32768, "linear"},
	{512, UINT64_MAX, "pairwise"},
	{1024, 512, "modified-bruck"},
	{1024, 8192, "linear-sync"},
	{1024, 16384, "linear"},
	{1024, 131072, "linear-sync"},
	{1024, 262144, "linear"},
	{1024, UINT64_MAX, "pairwise"},
	{2048, 512, "modified-bruck"},
	{2048, 1024, "linear-sync"},
	{2048, 2048, "linear"},
	{2048, 16384, "linear-sync"},
	{2048, 262144, "linear"},
	{2048, UINT64_MAX, "linear-sync"},
	{4096, 1024, "modified-bruck"},
	{4096, 4096, "linear-sync"},
	{4096, 8192, "linear"},
	{4096, 131072, "linear-sync"},
	{4096, UINT64_MAX, "linear"},
	{SIZE_MAX, 2048, "modified-bruck"},
	{SIZE_MAX, 8192, "linear-sync"},
	{SIZE_MAX, 16384, "linear"},
	{SIZE_MAX, 32768, "linear-sync"},
	{SIZE_MAX, 65536, "linear"},
	{SIZE_MAX, UINT64_MAX, "linear-sync"},
};

const struct pl_algorithm *pl_openmpi_decide_alltoall(const struct pl_call *call,
						      struct pl_call *decided)
{
	(void)decided;
	return pl_catalogue_named(PL_ALLTOALL, PL_OPENMPI,
				  pl_openmpi_rule(rules, call->n_pos, call->bytes));
}

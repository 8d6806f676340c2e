/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi-rules.c - what Open MPI takes unless it is told: the fixed decision rules */
/*
 * By ranks and bytes (of the buffer, of one block; in an MPI_Reduce_scatter of all blocks),
 * wherever the root is, for operations that commute. Never in segments, and a chain has a fan-out
 * of 1, so that it is the pipeline: what these are set to holds for an algorithm chosen by hand
 * only.
 */
#include "config.h"

#include "costmodels/openmpi.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ANY_RANKS SIZE_MAX

/* What is taken by fewer ranks than so many, unless an earlier row is for them: an algorithm, the
 * bytes from which on it is the next one, that one, ... */
struct rule {
	size_t ranks_below;
	const char *by_bytes;
};

static const struct rule allreduce[] = {
	{4, "ring 8 recursive-doubling 4096 ring 8192 recursive-doubling 16384 ring 65536 "
	    "segmented-ring 262144 rabenseifner"},
	{8, "ring 16 recursive-doubling 8192 rabenseifner"},
	{16, "recursive-doubling 8192 rabenseifner"},
	{32, "segmented-ring 64 recursive-doubling 4096 rabenseifner"},
	{64, "segmented-ring 128 rabenseifner"},
	{128, "recursive-doubling 262144 rabenseifner"},
	{256, "nonoverlapping 131072 recursive-doubling 262144 rabenseifner"},
	{512, "nonoverlapping 4096 rabenseifner"},
	{2048, "nonoverlapping 2048 recursive-doubling 16384 rabenseifner"},
	{4096, "nonoverlapping 2048 segmented-ring 4096 recursive-doubling 16384 rabenseifner"},
	{ANY_RANKS, "nonoverlapping 2048 segmented-ring 16384 recursive-doubling 32768 "
		    "rabenseifner"},
};

static const struct rule broadcast[] = {
	{4, "pipeline 32 binary 256 pipeline 512 knomial 1024 linear 32768 binary 131072 "
	    "chain 262144 linear 524288 binomial 1048576 binary"},
	{8, "binary 64 binomial 128 binary 2048 binomial 8192 linear 1048576 chain"},
	{16, "knomial 8 binary 64 knomial 4096 binary 16384 binomial 32768 linear"},
	{32, "knomial 4096 binomial 1048576 scatter-allgather"},
	{64, "binomial 2048 knomial"},
	{128, "knomial"},
	{256, "binomial 2 binary 16384 linear 32768 binary 65536 knomial"},
	{1024, "knomial 16384 split-binary 32768 knomial"},
	{2048, "knomial 524288 scatter-allgather"},
	{4096, "knomial 262144 scatter-allgather"},
	{ANY_RANKS, "knomial 8192 binary 16384 knomial 262144 scatter-allgather"},
};

static const struct rule reduce[] = {
	{4, "rabenseifner 8 binary 16 pipeline 32 linear 262144 pipeline 524288 chain 1048576 "
	    "pipeline"},
	{8, "binary 4096 chain 65536 binomial 262144 linear 524288 binomial 1048576 linear"},
	{16, "binary 8192 binomial"},
	{32, "binary 4096 binomial"},
	{256, "binomial"},
	{512, "binomial 8192 in-order-binary 16384 binomial"},
	{2048, "binomial"},
	{4096, "binomial 512 in-order-binary 1024 binomial 8192 in-order-binary 16384 binomial"},
	{ANY_RANKS, "binomial 16 in-order-binary 32 binomial 1024 in-order-binary 2048 "
		    "binomial 8192 in-order-binary 16384 binomial"},
};

static const struct rule allgather[] = {
	{3, "two-proc"},
	{32, "recursive-doubling"},
	{64, "recursive-doubling 1024 neighbor 65536 ring"},
	{128, "recursive-doubling 512 neighbor 65536 ring"},
	{256, "recursive-doubling 512 neighbor 131072 ring 524288 neighbor 1048576 ring"},
	{512, "recursive-doubling 32 bruck 128 recursive-doubling 1024 neighbor 131072 ring 524288 "
	      "neighbor 1048576 ring"},
	{1024, "recursive-doubling 64 bruck 256 recursive-doubling 2048 neighbor"},
	{2048, "recursive-doubling 4 bruck 8 recursive-doubling 16 bruck 32 recursive-doubling 256 "
	       "bruck 512 recursive-doubling 4096 neighbor"},
	{4096, "bruck 32 recursive-doubling 128 bruck 512 recursive-doubling 4096 neighbor"},
	{ANY_RANKS, "recursive-doubling 2 bruck 8 recursive-doubling 16 bruck 512 "
		    "recursive-doubling 4096 neighbor"},
};

static const struct rule reduce_scatter[] = {
	{4, "ring 65536 butterfly 131072 ring"},
	{8, "nonoverlapping 8 recursive-halving 262144 ring"},
	{32, "recursive-halving 262144 ring"},
	{64, "nonoverlapping 64 recursive-halving 2048 butterfly 524288 ring"},
	{128, "nonoverlapping 256 recursive-halving 512 butterfly 2048 recursive-halving 4096 "
	      "butterfly"},
	{256, "nonoverlapping 256 recursive-halving 512 butterfly"},
	{512, "nonoverlapping 256 recursive-halving 1024 butterfly"},
	{1024, "nonoverlapping 512 recursive-halving 2048 butterfly 8192 recursive-halving 16384 "
	       "butterfly"},
	{2048, "nonoverlapping 512 recursive-halving 4096 butterfly 16384 recursive-halving 32768 "
	       "butterfly"},
	{4096, "nonoverlapping 512 recursive-halving 4096 butterfly"},
	{ANY_RANKS, "nonoverlapping 1024 recursive-halving 8192 butterfly"},
};

static const struct rule reduce_scatter_block[] = {
	{4, "block-recursive-doubling 4 block-butterfly 8 block-recursive-halving 16 "
	    "block-butterfly 128 block-recursive-halving 256 block-butterfly 4096 "
	    "block-recursive-halving 8192 block-butterfly 131072 block-linear"},
	{8, "block-recursive-halving 8 block-recursive-doubling 32 block-butterfly 256 "
	    "block-recursive-halving 8192 block-butterfly 16384 block-recursive-halving 1048576 "
	    "block-linear"},
	{16, "block-linear 4 block-recursive-halving 32 block-butterfly 128 "
	     "block-recursive-halving 524288 block-linear 4194304 block-butterfly"},
	{32, "block-linear 32 block-recursive-halving 524288 block-linear 2097152 "
	     "block-recursive-halving 4194304 block-butterfly"},
	{ANY_RANKS, "block-recursive-halving 4 block-linear 16 block-butterfly 65536 "
		    "block-linear 262144 block-butterfly"},
};

static const struct rule barrier[] = {
	{4, "recursive-doubling"},
	{8, "linear"},
	{64, "recursive-doubling"},
	{256, "bruck"},
	{512, "tree"},
	{1024, "bruck"},
	{4096, "tree"},
	{ANY_RANKS, "bruck"},
};

static const struct rule alltoall[] = {
	{3, "pairwise 2 two-proc 4 pairwise 16 two-proc 64 pairwise 256 two-proc 4096 "
	    "pairwise 32768 linear-sync 262144 two-proc 1048576 pairwise"},
	{8, "linear-sync 8192 linear 16384 linear-sync 65536 linear 524288 pairwise 1048576 "
	    "linear"},
	{16, "linear-sync 262144 linear"},
	{32, "linear-sync 4 modified-bruck 512 linear-sync 8192 linear 32768 linear-sync 262144 "
	     "linear 524288 linear-sync"},
	{64, "modified-bruck 512 linear 524288 linear-sync"},
	{128, "modified-bruck 1024 linear 2048 linear-sync 4096 linear 262144 pairwise"},
	{256, "modified-bruck 1024 linear-sync 2048 linear 262144 pairwise"},
	{512, "modified-bruck 1024 linear-sync 8192 linear 32768 pairwise"},
	{1024, "modified-bruck 512 linear-sync 8192 linear 16384 linear-sync 131072 linear 262144 "
	       "pairwise"},
	{2048, "modified-bruck 512 linear-sync 1024 linear 2048 linear-sync 16384 linear 262144 "
	       "linear-sync"},
	{4096, "modified-bruck 1024 linear-sync 4096 linear 8192 linear-sync 131072 linear"},
	{ANY_RANKS, "modified-bruck 2048 linear-sync 8192 linear 16384 linear-sync 32768 "
		    "linear 65536 linear-sync"},
};

static const struct rule gather[] = {
	{4, "linear-sync 2 linear 4 binomial 32768 linear 65536 binomial 131072 linear-sync"},
	{8, "binomial 1024 linear 8192 binomial 32768 linear 262144 linear-sync"},
	{256, "binomial"},
	{512, "binomial 2048 linear 8192 binomial"},
	{ANY_RANKS, "binomial"},
};

static const struct rule scatter[] = {
	{4, "linear-nb 2 linear 131072 linear-nb 262144 linear"},
	{8, "binomial 2048 linear 4096 binomial 8192 linear 32768 linear-nb 1048576 linear"},
	{16, "binomial 16384 linear-nb 1048576 linear"},
	{32, "binomial 16384 linear 32768 linear-nb"},
	{64, "binomial 512 linear-nb 8192 binomial 16384 linear-nb"},
	{ANY_RANKS, "binomial 512 linear-nb"},
};

static const struct rule *const rules[PL_COLLECTIVES] = {
	[PL_ALLREDUCE] = allreduce, [PL_BROADCAST] = broadcast,
	[PL_REDUCE] = reduce,       [PL_ALLGATHER] = allgather,
	[PL_BARRIER] = barrier,     [PL_REDUCE_SCATTER] = reduce_scatter,
	[PL_ALLTOALL] = alltoall,
};

/* In the first row that is for the ranks. */
static struct pl_openmpi_name name_in(const struct rule *r, size_t n_pos, uint64_t bytes)
{
	struct pl_openmpi_name name = {""};
	uint64_t below = 0;
	size_t len = 0;

	while (n_pos >= r->ranks_below)
		r++;
	for (const char *word = r->by_bytes; bytes >= below; word++) {
		char *end;

		len = strcspn(word, " ");
		assert(len < sizeof(name.text));
		memcpy(name.text, word, len);
		below = strtoull(word + len, &end, 10);
		if (!below) /* the last one has no limit */
			below = UINT64_MAX;
		word = end;
	}
	name.text[len] = '\0';
	return name;
}

struct pl_openmpi_name pl_openmpi_gather_rule(size_t n_pos, uint64_t bytes)
{
	return name_in(gather, n_pos, bytes);
}

struct pl_openmpi_name pl_openmpi_scatter_rule(size_t n_pos, uint64_t bytes)
{
	return name_in(scatter, n_pos, bytes);
}

const struct pl_algorithm *pl_openmpi_decide(const struct pl_algorithm *rule, struct pl_call *call)
{
	const size_t n = call->n_pos;
	const struct pl_openmpi_name name =
		strcmp(rule->name, "block-default") == 0
			? name_in(reduce_scatter_block, n, call->bytes / n)
			: name_in(rules[rule->collective], n, call->bytes);
	const bool han = call->han && pl_openmpi_han_serves(rule->collective, call);

	call->segment_bytes = 0;
	call->radix = strcmp(name.text, "chain") == 0 ? 1 : 0;
	return pl_catalogue_named(rule->collective, PL_OPENMPI, han ? "han" : name.text);
}

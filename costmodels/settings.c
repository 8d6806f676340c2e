/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - what makes a library run an algorithm */
#include "config.h"

#include "costmodels/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The numbers are those of COLLTYPE in Open MPI 4.1's coll_base_functions.h. */
static const struct {
	int id;
	const char *word;
} openmpi[PL_COLLECTIVES] = {
	[PL_ALLREDUCE] = {2, "allreduce"},
	[PL_BROADCAST] = {7, "bcast"},
	[PL_REDUCE] = {11, "reduce"},
	[PL_ALLGATHER] = {0, "allgather"},
	[PL_REDUCE_SCATTER] = {12, "reduce_scatter"},
	[PL_BARRIER] = {6, "barrier"},
	[PL_ALLTOALL] = {3, "alltoall"},
};

/* MPI_Reduce_scatter_block has algorithms and parameters of its own. */
static bool is_block(const struct pl_algorithm *a)
{
	return (a->impl == PL_OPENMPI || a->impl == PL_MPICH) &&
	       a->collective == PL_REDUCE_SCATTER && strncmp(a->name, "block-", 6) == 0;
}

bool pl_algorithm_same_function(const struct pl_algorithm *a, const struct pl_algorithm *b)
{
	return a->collective == b->collective && a->impl == b->impl && is_block(a) == is_block(b);
}

int pl_openmpi_function_id(const struct pl_algorithm *a)
{
	return is_block(a) ? 13 : openmpi[a->collective].id;
}

const char *pl_openmpi_function_name(const struct pl_algorithm *a)
{
	return is_block(a) ? "reduce_scatter_block" : openmpi[a->collective].word;
}

/* "-genv MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM recursive_doubling": MPICH has the words of Open MPI,
 * in capitals. */
static const char *force_mpich(char buf[PL_SETTING_CHARS], const struct pl_algorithm *a)
{
	const char *word = pl_openmpi_function_name(a), *name = a->name;
	size_t len = (size_t)snprintf(buf, PL_SETTING_CHARS, "-genv MPIR_CVAR_");

	for (; *word; word++)
		buf[len++] = (char)(*word == '_' ? '_' : *word - 'a' + 'A');
	len += (size_t)snprintf(buf + len, PL_SETTING_CHARS - len, "_INTRA_ALGORITHM ");
	for (name += is_block(a) ? strlen("block-") : 0; *name; name++)
		buf[len++] = (char)(*name == '-' ? '_' : *name);
	buf[len] = '\0';
	return buf;
}

static const char *force_openmpi(char buf[PL_SETTING_CHARS], const struct pl_algorithm *a,
				 size_t radix, uint64_t segment_bytes)
{
	const char *word = pl_openmpi_function_name(a);
	char segment[96] = "", branches[96] = "";

	if (segment_bytes && a->takes_segment)
		snprintf(segment, sizeof(segment),
			 " --mca coll_tuned_%s_algorithm_segmentsize %" PRIu64, word,
			 segment_bytes);
	if (radix)
		snprintf(branches, sizeof(branches), " --mca coll_tuned_%s_algorithm_%s %zu", word,
			 strcmp(a->name, "knomial") == 0 ? "knomial_radix" : "chain_fanout", radix);
	snprintf(buf, PL_SETTING_CHARS,
		 "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_%s_algorithm %d%s%s", word,
		 a->setting, segment, branches);
	return buf;
}

/* coll/han is asked first for whatever it has. */
static const char *force_han(char buf[PL_SETTING_CHARS], const struct pl_algorithm *a,
			     uint64_t segment_bytes)
{
	const char *word = pl_openmpi_function_name(a);
	char segment[96] = "", simple[96] = "";

	if (segment_bytes && a->takes_segment)
		snprintf(segment, sizeof(segment), " --mca coll_han_%s_segsize %" PRIu64, word,
			 segment_bytes);
	if (strcmp(a->name, "han-simple") == 0)
		snprintf(simple, sizeof(simple), " --mca coll_han_use_simple_%s 1", word);
	snprintf(buf, PL_SETTING_CHARS, "--mca coll_han_priority 100%s%s", segment, simple);
	return buf;
}

const char *pl_algorithm_setting(char buf[PL_SETTING_CHARS], const struct pl_algorithm *a,
				 size_t radix, uint64_t segment_bytes)
{
	buf[0] = '\0';
	if (a->for_slots && a->impl == PL_OPENMPI)
		return force_han(buf, a, segment_bytes);
	if (a->setting && a->impl == PL_MPICH)
		return force_mpich(buf, a);
	if (a->setting && a->impl == PL_OPENMPI)
		return force_openmpi(buf, a, radix, segment_bytes);
	return buf;
}

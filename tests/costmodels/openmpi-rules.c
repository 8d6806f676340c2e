/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi-rules.c - Open MPI's own rules, of jobs of any size, against plink's */
/*
 * coll/tuned asks the communicator for its ranks, decides, and calls a function that runs the
 * algorithm of that number. Here those functions only take the number down, and the communicator
 * has as many ranks as are written where its group keeps them: one process asks for the decisions
 * of any job. Exit 1: some differ from plink's.
 */
#include "config.h"

#include "costmodels/catalogue.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#define RANKS_MAX 8193
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static char buffer[2];
static int counts[RANKS_MAX]; /* of reduce-scatter: all bytes are the first rank's */
static int taken, taken_segment;

/* The function that runs an algorithm, and one that has the library decide for so many bytes. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define RULE(name, arguments, ...)                                                                 \
	int ompi_coll_tuned_##name##_intra_do_this(__VA_ARGS__, int number, int fanout,            \
						   int segment);                                   \
	int ompi_coll_tuned_##name##_intra_do_this(__VA_ARGS__, int number, int fanout,            \
						   int segment)                                    \
	{                                                                                          \
		taken = number;                                                                    \
		taken_segment = segment;                                                           \
		return MPI_SUCCESS;                                                                \
	}                                                                                          \
	static void ask_##name(void *decide, int bytes)                                            \
	{                                                                                          \
		((int (*)(__VA_ARGS__))decide) arguments;                                          \
	}

#define GIVEN buffer, bytes, MPI_BYTE
#define TWO buffer, buffer + 1
#define WHERE MPI_COMM_WORLD, NULL
#define AT MPI_Comm comm, void *module
#define GATHERED const void *s, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u, AT
#define REDUCED(count, ...) const void *s, void *r, count, MPI_Datatype t, MPI_Op op, __VA_ARGS__
RULE(allgather, (GIVEN, GIVEN, WHERE), GATHERED)
RULE(alltoall, (GIVEN, GIVEN, WHERE), GATHERED)
RULE(allreduce, (TWO, bytes, MPI_BYTE, MPI_SUM, WHERE), REDUCED(int n, AT))
RULE(bcast, (GIVEN, 0, WHERE), void *s, int n, MPI_Datatype t, int root, AT)
RULE(reduce, (TWO, bytes, MPI_BYTE, MPI_SUM, 0, WHERE), REDUCED(int n, int root, AT))
RULE(reduce_scatter, (TWO, counts, MPI_BYTE, MPI_SUM, WHERE), REDUCED(const int *n, AT))
RULE(reduce_scatter_block, (TWO, bytes, MPI_BYTE, MPI_SUM, WHERE), REDUCED(int n, AT))
RULE(barrier, (WHERE), AT)

static const struct rule {
	const char *name;
	void (*ask)(void *decide, int bytes);
	enum pl_collective collective;
	const char *algorithm;
} rules[] = {
	{"allgather", ask_allgather, PL_ALLGATHER, "default"},
	{"alltoall", ask_alltoall, PL_ALLTOALL, "default"},
	{"allreduce", ask_allreduce, PL_ALLREDUCE, "default"},
	{"bcast", ask_bcast, PL_BROADCAST, "default"},
	{"reduce", ask_reduce, PL_REDUCE, "default"},
	{"reduce_scatter", ask_reduce_scatter, PL_REDUCE_SCATTER, "default"},
	{"reduce_scatter_block", ask_reduce_scatter_block, PL_REDUCE_SCATTER, "block-default"},
	{"barrier", ask_barrier, PL_BARRIER, "default"},
};

/* Where the group of the communicator keeps its number of ranks, 1. NULL: not found. */
static int *find_ranks(void)
{
	MPI_Group group;
	int *word, n;

	MPI_Comm_group(MPI_COMM_WORLD, &group);
	word = (int *)group;
	for (size_t i = 0; i < 16; i++) {
		if (word[i] != 1)
			continue;
		word[i] = 2;
		MPI_Comm_size(MPI_COMM_WORLD, &n);
		word[i] = 1;
		if (n == 2)
			return &word[i];
	}
	return NULL;
}

/* Do both take another algorithm? Says so. */
static int differs(const struct rule *rule, void *decide, size_t n, int bytes)
{
	const struct pl_call call = {.n_pos = n,
				     .bytes = (uint64_t)bytes *
					      (rule->ask == ask_reduce_scatter_block ? n : 1),
				     .element_bytes = 1,
				     .slots = 1};
	struct pl_call decided;
	const struct pl_algorithm *a = pl_algorithm_decide(
		pl_catalogue_named(rule->collective, PL_OPENMPI, rule->algorithm), &call, &decided);

	counts[0] = bytes;
	taken = -1;
	rule->ask(decide, bytes);
	if (taken == a->setting && taken_segment == (int)decided.segment_bytes)
		return 0;
	printf("# %s of %zu, %d bytes: number %d, segments of %d; plink says %d (%s)\n", rule->name,
	       n, bytes, taken, taken_segment, a->setting, a->name);
	return 1;
}

int main(int argc, char **argv)
{
	int *ranks, differ = 0;
	void *decide;
	char name[80];

	MPI_Init(&argc, &argv);
	ranks = find_ranks();
	for (size_t i = 0; ranks && i < COUNT(rules); i++) {
		snprintf(name, sizeof(name), "ompi_coll_tuned_%s_intra_dec_fixed", rules[i].name);
		decide = dlsym(RTLD_DEFAULT, name);
		if (!decide)
			ranks = NULL;
		for (size_t n = 2; ranks && n < RANKS_MAX; n++) {
			if (n > 64 && (n & (n - 1)) && (n & (n + 1)))
				continue;
			*ranks = (int)n;
			for (int bytes = 1; bytes <= 1 << 24; bytes *= 2)
				differ += differs(&rules[i], decide, n, bytes - 1) +
					  differs(&rules[i], decide, n, bytes);
			*ranks = 1;
		}
	}
	if (!ranks)
		puts("# cannot ask this library");
	printf("# %d decisions differ\n", differ);
	MPI_Finalize();
	return !ranks || differ > 0;
}

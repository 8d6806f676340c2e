/* SPDX-License-Identifier: BSD-3-Clause */
/* same.c - an MPI program that looks for differences that a preload makes */
/*
 * Whatever holds here holds without libplink-mpi.so and with it, whichever ranks it gives: the
 * program asks for what the MPI standard or Open MPI promises, with nothing but MPI_COMM_WORLD. One
 * line a check on standard output, by rank 0: "ok" where all ranks agree that it holds.
 */
#include "config.h"

#include PL_MPI_LIBRARY_H
#include "tests/shim-mpi/programs/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, n;

/* What the environment said before MPI_Init. */
static char own_before[16], local_before[16];

void check(int good, const char *what)
{
	int all;

	MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s %s\n", all ? "ok" : "not ok", what);
	if (!good)
		printf("# not on rank %d\n", rank);
	fflush(stdout);
}

static int env_is(const char *name, const char *value)
{
	const char *s = getenv(name);

	return s && strcmp(s, value) == 0;
}

static void check_environment(void)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", rank);
	if (*PL_MPI_RANK_VARIABLE)
		check(env_is(PL_MPI_RANK_VARIABLE, text), PL_MPI_RANK_VARIABLE " is the rank");
	check(env_is(PL_MPI_OWN_RANK_VARIABLE, own_before), PL_MPI_OWN_RANK_VARIABLE " stays");
	check(env_is(PL_MPI_LOCAL_RANK_VARIABLE, local_before),
	      PL_MPI_LOCAL_RANK_VARIABLE " stays");
}

static void check_world(void)
{
	char name[MPI_MAX_OBJECT_NAME];
	MPI_Comm copy;
	int len, same, like;

	MPI_Comm_get_name(MPI_COMM_WORLD, name, &len);
	check(strcmp(name, "MPI_COMM_WORLD") == 0, "the world has its name");
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &same);
	MPI_Comm_compare(MPI_COMM_WORLD, copy, &like);
	check(same == MPI_IDENT && like == MPI_CONGRUENT, "it is itself, and its copy is like it");
	MPI_Comm_free(&copy);
	check(MPI_Comm_c2f(MPI_COMM_WORLD) == PL_MPI_FORTRAN_WORLD &&
		      MPI_Comm_f2c(PL_MPI_FORTRAN_WORLD) == MPI_COMM_WORLD,
	      "its Fortran handle is that of the library");
	MPI_Comm_set_name(MPI_COMM_WORLD, "all");
	MPI_Comm_get_name(MPI_COMM_WORLD, name, &len);
	check(strcmp(name, "all") == 0, "a name given to it stays");
}

static void check_groups(void)
{
	int in[2] = {0, n - 1}, out[2], mine;
	MPI_Group all, copy;
	MPI_Comm sub;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_rank(all, &mine);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &sub);
	MPI_Comm_group(sub, &copy);
	MPI_Group_translate_ranks(all, 2, in, copy, out);
	check(mine == rank && out[0] == n - 1 && out[1] == 0, "groups have the world's ranks");
	MPI_Comm_free(&sub);
	MPI_Group_free(&all);
	MPI_Group_free(&copy);
}

static int attribute_of(int keyval)
{
	int *value, flag;

	MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &flag);
	return flag ? *value : -1000;
}

static void check_predefined(void)
{
	int last = attribute_of(MPI_LASTUSEDCODE), class, code;

	check(attribute_of(MPI_TAG_UB) >= 32767, "MPI_TAG_UB");
	check(attribute_of(MPI_HOST) == MPI_PROC_NULL, "MPI_HOST");
	check(attribute_of(MPI_IO) == MPI_ANY_SOURCE, "MPI_IO");
	check(attribute_of(MPI_WTIME_IS_GLOBAL) == 0, "MPI_WTIME_IS_GLOBAL");
	check(attribute_of(MPI_UNIVERSE_SIZE) >= 1, "MPI_UNIVERSE_SIZE");
	check(attribute_of(MPI_APPNUM) == 0, "MPI_APPNUM");
	MPI_Add_error_class(&class);
	MPI_Add_error_code(class, &code);
	check(last > 0 && attribute_of(MPI_LASTUSEDCODE) == last + 2, "MPI_LASTUSEDCODE follows");
}

static void check_messages(void)
{
	const int next = (rank + 1) % n, before = (rank + n - 1) % n;
	MPI_Request request;
	MPI_Status status;
	int got = -1, prefix;

	MPI_Sendrecv(&rank, 1, MPI_INT, next, 1, &got, 1, MPI_INT, before, 1, MPI_COMM_WORLD,
		     &status);
	check(got == before && status.MPI_SOURCE == before,
	      "a message comes from the rank it is from");
	MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
	MPI_Ssend(&rank, 1, MPI_INT, before, 2, MPI_COMM_WORLD);
	MPI_Wait(&request, &status);
	check(got == next && status.MPI_SOURCE == next, "from any source, too");
	MPI_Scan(&rank, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(prefix == rank * (rank + 1) / 2, "a scan goes by rank");
}

/* Digits after one another, {value, number of digits}: associative, and does not commute. */
static void append(void *in, void *inout, int *len, MPI_Datatype *type)
{
	const int(*a)[2] = in;
	int(*b)[2] = inout;

	(void)type;
	for (int i = 0; i < *len; i++) {
		b[i][0] += a[i][0] << (3 * b[i][1]);
		b[i][1] += a[i][1];
	}
}

static void check_operation(void)
{
	int digit[2] = {rank + 1, 1}, word[2], want = 0;
	MPI_Op op;

	for (int i = 0; i < n; i++)
		want = want * 8 + i + 1;
	MPI_Op_create(append, 0, &op);
	MPI_Allreduce(digit, word, 1, MPI_2INT, op, MPI_COMM_WORLD);
	check(word[0] == want, "an operation that does not commute");
	MPI_Op_free(&op);
}

static int counts_up(const int *all)
{
	for (int i = 0; i < n; i++)
		if (all[i] != i)
			return 0;
	return 1;
}

static void check_collectives(void)
{
	int *all = calloc((size_t)n, sizeof(*all));
	MPI_Request request;

	if (!all)
		MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, n - 1, MPI_COMM_WORLD);
	check(rank != n - 1 || counts_up(all), "a gather goes by rank");
	memset(all, 0, (size_t)n * sizeof(*all));
	MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	check(counts_up(all), "an all-gather that does not block");
	memset(all, 0, (size_t)n * sizeof(*all));
	PL_MPI_PERSISTENT(Allgather)
	(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
	check(counts_up(all), "a persistent all-gather");
	free(all);
}

/* Among those of this machine, this is the one that the launcher says. */
static void check_local(void)
{
	char text[16];
	MPI_Comm local;
	int mine;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
	MPI_Comm_rank(local, &mine);
	snprintf(text, sizeof(text), "%d", mine);
	check(env_is(PL_MPI_LOCAL_RANK_VARIABLE, text),
	      "the rank within the machine is the launcher's");
	MPI_Comm_free(&local);
}

static void init(int *argc, char ***argv)
{
	const int threads = *argc > 2 && strcmp((*argv)[2], "threads") == 0;
	const char *own = getenv(PL_MPI_OWN_RANK_VARIABLE);
	const char *local = getenv(PL_MPI_LOCAL_RANK_VARIABLE);
	int provided;

	snprintf(own_before, sizeof(own_before), "%s", own ? own : "");
	snprintf(local_before, sizeof(local_before), "%s", local ? local : "");
	if (threads)
		MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
	else
		MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
}

/* same FILE [threads|machines]: FILE is written by MPI; threads: MPI is told of them; machines:
 * those there are, and not some that PLINK_HOST makes up, so that ranks within them can be looked
 * at. (Over TCP, Open MPI 4.1 has no windows.) */
int main(int argc, char **argv)
{
	const int machines = argc > 2 && strcmp(argv[2], "machines") == 0;

	if (argc < 2)
		return 2;
	init(&argc, &argv);
	check_environment();
	check_predefined();
	check_world();
	check_groups();
	check_messages();
	check_operation();
	check_collectives();
	check_intercomm(rank, n);
	if (machines)
		check_local();
	else
		check_windows(rank, n);
	check_topologies(rank, n);
	check_file(rank, n, argv[1]);
	check_attributes();
	check_old_attributes();
	check_handlers();
	check_many_handlers();
	check_wrong_calls();
	watch_finalize(rank);
	MPI_Finalize();
	return 0;
}

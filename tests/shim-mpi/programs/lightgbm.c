/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm.c - the MPI calls of LightGBM: messages by rank, on the world */
/*
 * Its linkers know a barrier at the start, and then MPI_Isend, MPI_Recv, MPI_Wait by rank, of
 * bytes, until all has come. On them it builds all-gathers (Bruck, recursive doubling, a ring) and
 * reduce-scatters (recursive halving, where processes beyond a power of two pair up, and a ring).
 * So does this; every rank checks what it got, and rank 0 prints one line a check, and where the
 * ranks run.
 */
#include "config.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 32
#define NAME_MAX_BYTES 32
#define BLOCK 300 /* integers */

static int rank, n;

static void receive(int from, void *to, int bytes)
{
	MPI_Status status;
	int got, part;

	for (got = 0; got < bytes; got += part) {
		MPI_Recv((char *)to + got, bytes - got, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD,
			 &status);
		MPI_Get_count(&status, MPI_BYTE, &part);
		if (status.MPI_SOURCE != from)
			MPI_Abort(MPI_COMM_WORLD, 3);
	}
}

static void send(int to, const void *from, int bytes)
{
	MPI_Request request;
	MPI_Status status;

	MPI_Isend(from, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, &status);
}

static void exchange(int to, const void *give, int n_give, int from, void *take, int n_take)
{
	MPI_Request request;
	MPI_Status status;

	MPI_Isend(give, n_give, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
	receive(from, take, n_take);
	MPI_Wait(&request, &status);
}

/* Blocks of @size bytes, own one at @all + rank * size. */
typedef void allgather_fn(char *all, int size);

/* In step k each has 2^k blocks, from its own on, and gets as many more. */
static void allgather_bruck(char *all, int size)
{
	char *turned = malloc((size_t)(n * size));

	if (!turned)
		MPI_Abort(MPI_COMM_WORLD, 2);
	memcpy(turned, all + rank * size, (size_t)size);
	for (int have = 1; have < n; have *= 2) {
		const int more = have < n - have ? have : n - have;

		exchange((rank - have + n) % n, turned, more * size, (rank + have) % n,
			 turned + have * size, more * size);
	}
	for (int i = 0; i < n; i++)
		memcpy(all + (rank + i) % n * size, turned + i * size, (size_t)size);
	free(turned);
}

static void allgather_doubling(char *all, int size)
{
	for (int have = 1; have < n; have *= 2) {
		const int other = rank ^ have;
		const int mine = rank / have * have, theirs = mine ^ have;

		exchange(other, all + mine * size, have * size, other, all + theirs * size,
			 have * size);
	}
}

static void allgather_ring(char *all, int size)
{
	const int next = (rank + 1) % n, before = (rank - 1 + n) % n;

	for (int i = 0; i < n - 1; i++) {
		const int give = (rank - i + n) % n;

		exchange(next, all + give * size, size, before, all + (give - 1 + n) % n * size,
			 size);
	}
}

static void add(int *to, const int *from, int n_blocks)
{
	for (int i = 0; i < n_blocks * BLOCK; i++)
		to[i] += from[i];
}

#define BYTES(n_blocks) ((n_blocks)*BLOCK * (int)sizeof(int))

/* One of a power of two of groups, each of one rank, or of two of which the first leads. Blocks of
 * a group: first[g] to first[g + 1]. */
struct groups {
	int n, own;
	int leader[RANKS_MAX], first[RANKS_MAX + 1];
};

static struct groups make_groups(void)
{
	struct groups g = {.n = 1};
	int n_pairs, at = 0;

	while (2 * g.n <= n)
		g.n *= 2;
	n_pairs = n - g.n;
	for (int i = 0; i < g.n; i++) {
		g.leader[i] = g.first[i] = at;
		at += i >= g.n - n_pairs ? 2 : 1;
		if (rank >= g.first[i] && rank < at)
			g.own = i;
	}
	g.first[g.n] = at;
	return g;
}

/* Between leaders: each step with the group so far away, half of what is
 * left. */
static void halve(const struct groups *g, int *sums, int *room)
{
	for (int away = g->n / 2; away > 0; away /= 2) {
		const int other = g->own ^ away;
		const int keep = g->own / away * away;
		const int give = other / away * away;
		const int n_keep = g->first[keep + away] - g->first[keep];
		const int n_give = g->first[give + away] - g->first[give];

		exchange(g->leader[other], sums + g->first[give] * BLOCK, BYTES(n_give),
			 g->leader[other], room, BYTES(n_keep));
		add(sums + g->first[keep] * BLOCK, room, n_keep);
	}
}

/* Own block of @sums becomes the sum of all ranks'; the others are spoilt. */
static void reduce_scatter_halving(int *sums)
{
	int *room = calloc((size_t)n * BLOCK, sizeof(*room));
	const struct groups g = make_groups();
	const int leader = g.leader[g.own];
	const int is_pair = g.first[g.own + 1] - g.first[g.own] == 2;

	if (!room)
		MPI_Abort(MPI_COMM_WORLD, 2);
	if (rank != leader) {
		send(leader, sums, BYTES(n));
		receive(leader, sums + rank * BLOCK, BYTES(1));
	} else {
		if (is_pair) {
			receive(rank + 1, room, BYTES(n));
			add(sums, room, n);
		}
		halve(&g, sums, room);
		if (is_pair)
			send(rank + 1, sums + (rank + 1) * BLOCK, BYTES(1));
	}
	free(room);
}

static void reduce_scatter_ring(int *sums)
{
	int room[BLOCK];

	for (int i = 1; i < n; i++) {
		const int give = (rank - i + n) % n;
		const int take = (rank - i - 1 + 2 * n) % n;

		exchange((rank + 1) % n, sums + give * BLOCK, BYTES(1), (rank - 1 + n) % n, room,
			 BYTES(1));
		add(sums + take * BLOCK, room, 1);
	}
}

/* One line: does it hold everywhere? By messages: there is no all-reduce. */
static void check(int good, const char *what)
{
	char all[RANKS_MAX];

	all[rank] = (char)good;
	allgather_bruck(all, 1);
	if (rank == 0)
		printf("%sok %s\n", memchr(all, 0, (size_t)n) ? "not " : "", what);
}

static int value(int of, int i)
{
	return 1000003 * of + 17 * i + of * i;
}

static void check_allgather(allgather_fn *allgather, const char *what)
{
	int *all = calloc((size_t)n * BLOCK, sizeof(*all)), good = 1;

	if (!all)
		MPI_Abort(MPI_COMM_WORLD, 2);
	for (int i = 0; i < BLOCK; i++)
		all[rank * BLOCK + i] = value(rank, i);
	allgather((char *)all, BYTES(1));
	for (int r = 0; r < n; r++)
		for (int i = 0; i < BLOCK; i++)
			good &= all[r * BLOCK + i] == value(r, i);
	free(all);
	check(good, what);
}

static void check_reduce_scatter(void reduce_scatter(int *), const char *what)
{
	int *sums = calloc((size_t)n * BLOCK, sizeof(*sums)), good = 1;

	if (!sums)
		MPI_Abort(MPI_COMM_WORLD, 2);
	for (int i = 0; i < n * BLOCK; i++)
		sums[i] = value(rank, i);
	reduce_scatter(sums);
	for (int i = rank * BLOCK; i < (rank + 1) * BLOCK; i++) {
		int want = 0;

		for (int r = 0; r < n; r++)
			want += value(r, i);
		good &= sums[i] == want;
	}
	free(sums);
	check(good, what);
}

/* "rank host" of all, as rank 0 has heard of it. */
static void show_hosts(void)
{
	char names[RANKS_MAX][NAME_MAX_BYTES] = {{0}};
	const char *host = getenv("PLINK_HOST");

	snprintf(names[rank], sizeof(names[rank]), "%s", host ? host : "none");
	allgather_bruck(names[0], NAME_MAX_BYTES);
	for (int r = 0; rank == 0 && r < n; r++)
		printf("%d %s\n", r, names[r]);
}

int main(int argc, char **argv)
{
	int flag, provided;

	MPI_Initialized(&flag);
	if (!flag)
		MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (n > RANKS_MAX)
		MPI_Abort(MPI_COMM_WORLD, 2);
	check_allgather(allgather_bruck, "Bruck's all-gather");
	if ((n & (n - 1)) == 0)
		check_allgather(allgather_doubling, "recursive doubling");
	check_allgather(allgather_ring, "an all-gather by a ring");
	check_reduce_scatter(reduce_scatter_halving, "recursive halving");
	check_reduce_scatter(reduce_scatter_ring, "a reduce-scatter by a ring");
	show_hosts();
	fflush(stdout);
	MPI_Initialized(&flag);
	if (flag)
		MPI_Finalize();
	return 0;
}

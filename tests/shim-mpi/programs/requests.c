/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c - an MPI program whose all-reduces do not block */
/*
 * As collectives.c: it asks for what the MPI standard promises, and cannot know where its
 * all-reduces run. One line a check on standard output, by rank 0.
 */
#include "config.h"

#include PL_MPI_LIBRARY_H
#include "tests/shim-mpi/programs/check.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MPICH's MPI_STATUSES_IGNORE is not an array of statuses. */
#ifndef __clang__ /* which has no such warning */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

/* MPICH itself starts persistent ones in one order only, and may wait for ever for those that have
 * not been started. */
#ifdef MPICH_NUMVERSION
#define PERSISTENT_AS_IN_THE_STANDARD false
#else
#define PERSISTENT_AS_IN_THE_STANDARD true
#endif

#define COUNT 5000
#define MANY 60

static int rank, n;

/* By messages: what is checked is the all-reduces. */
void check(int good, const char *what)
{
	int theirs;

	if (rank > 0)
		MPI_Send(&good, 1, MPI_INT, 0, 77, MPI_COMM_WORLD);
	for (int from = 1; rank == 0 && from < n; from++) {
		MPI_Recv(&theirs, 1, MPI_INT, from, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		good = good && theirs;
	}
	if (rank == 0)
		printf("%s %s\n", good ? "ok" : "not ok", what);
	fflush(stdout);
}

/* What one all-reduce needs; what it computes depends on its number. */
struct work {
	int number;
	int in[COUNT], out[COUNT];
	MPI_Request request;
};

static void fill(struct work *w, int number)
{
	w->number = number;
	for (int i = 0; i < COUNT; i++) {
		w->in[i] = i * number + rank;
		w->out[i] = -1;
	}
}

static bool is_right(const struct work *w)
{
	for (int i = 0; i < COUNT; i++)
		if (w->out[i] != n * i * w->number + n * (n - 1) / 2)
			return false;
	return true;
}

static void start(struct work *w, int number, MPI_Comm comm)
{
	fill(w, number);
	MPI_Iallreduce(w->in, w->out, COUNT, MPI_INT, MPI_SUM, comm, &w->request);
}

static struct work *create(int how_many)
{
	struct work *w = calloc((size_t)how_many, sizeof(*w));

	if (!w)
		MPI_Abort(MPI_COMM_WORLD, 9);
	return w;
}

/* In the order of their numbers, backwards, by whatever ends requests. */
static void check_many(void)
{
	struct work *w = create(MANY);
	bool right = true;

	for (int i = 0; i < MANY; i++)
		start(&w[i], i, MPI_COMM_WORLD);
	for (int i = MANY; i-- > 0;) {
		int flag = 0;

		if (i % 2)
			MPI_Wait(&w[i].request, MPI_STATUS_IGNORE);
		while (i % 2 == 0 && !flag)
			MPI_Test(&w[i].request, &flag, MPI_STATUS_IGNORE);
		right &= w[i].request == MPI_REQUEST_NULL && is_right(&w[i]);
	}
	check(right, "many at once, ended in another order");
	free(w);
}

#define N_SET 6

/* Three all-reduces, and messages from and to the neighbours. */
struct set {
	struct work *w;
	int from, to, got[2];
	MPI_Request request[N_SET];
	MPI_Status status[N_SET];
};

static void set_start(struct set *s)
{
	const int next = (rank + 1) % n, before = (rank + n - 1) % n;

	*s = (struct set){.w = create(3), .from = rank, .to = 10 + rank};
	MPI_Irecv(&s->got[0], 1, MPI_INT, before, 1, MPI_COMM_WORLD, &s->request[1]);
	MPI_Irecv(&s->got[1], 1, MPI_INT, next, 2, MPI_COMM_WORLD, &s->request[4]);
	for (int i = 0; i < 3; i++) {
		start(&s->w[i], i + 1, MPI_COMM_WORLD);
		s->request[i == 0 ? 0 : i == 1 ? 3 : 5] = s->w[i].request;
	}
	s->request[2] = MPI_REQUEST_NULL;
	MPI_Send(&s->from, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
	MPI_Send(&s->to, 1, MPI_INT, before, 2, MPI_COMM_WORLD);
}

static bool set_is_right(struct set *s)
{
	bool right = s->got[0] == (rank + n - 1) % n && s->got[1] == 10 + (rank + 1) % n;

	for (int i = 0; i < N_SET; i++)
		right &= s->request[i] == MPI_REQUEST_NULL;
	for (int i = 0; i < 3; i++)
		right &= is_right(&s->w[i]);
	free(s->w);
	return right;
}

static void check_all(void)
{
	struct set s;
	int flag = 0;
	bool right;

	set_start(&s);
	MPI_Waitall(N_SET, s.request, s.status);
	right = set_is_right(&s);
	set_start(&s);
	MPI_Waitall(N_SET, s.request, MPI_STATUSES_IGNORE);
	right &= set_is_right(&s);
	set_start(&s);
	while (!flag)
		MPI_Testall(N_SET, s.request, &flag, s.status);
	check(right && set_is_right(&s), "all of several requests");
}

static void check_any(void)
{
	bool ended[N_SET] = {false}, right = true;
	struct set s;
	int i;

	set_start(&s);
	for (int turn = 0; turn < N_SET - 1; turn++) {
		MPI_Waitany(N_SET, s.request, &i, MPI_STATUS_IGNORE);
		right &= i >= 0 && i < N_SET && !ended[i];
		ended[i >= 0 && i < N_SET ? i : 0] = true;
	}
	MPI_Waitany(N_SET, s.request, &i, MPI_STATUS_IGNORE);
	right &= i == MPI_UNDEFINED && set_is_right(&s);
	set_start(&s);
	for (int turn = 0; turn < N_SET - 1;) {
		int flag;

		MPI_Testany(N_SET, s.request, &i, &flag, MPI_STATUS_IGNORE);
		turn += flag;
	}
	check(right && set_is_right(&s), "any of several requests");
}

static void check_some(void)
{
	int index[N_SET], n_done, ended = 0;
	struct set s;
	bool right;

	set_start(&s);
	while (ended < N_SET - 1) {
		MPI_Waitsome(N_SET, s.request, &n_done, index, s.status);
		ended += n_done;
	}
	right = set_is_right(&s);
	set_start(&s);
	for (ended = 0; ended < N_SET - 1; ended += n_done)
		MPI_Testsome(N_SET, s.request, &n_done, index, MPI_STATUSES_IGNORE);
	check(right && set_is_right(&s), "some of several requests");
}

static void check_status(void)
{
	struct work *w = create(1);
	bool right;
	int flag = 0;

	start(w, 3, MPI_COMM_WORLD);
	while (!flag)
		MPI_Request_get_status(w->request, &flag, MPI_STATUS_IGNORE);
	right = w->request != MPI_REQUEST_NULL && is_right(w);
	MPI_Test(&w->request, &flag, MPI_STATUS_IGNORE);
	check(right && flag && w->request == MPI_REQUEST_NULL,
	      "a request is done before it is ended");
	free(w);
}

/* Rank 0 waits for a message that rank 1 sends when the all-reduce is over. */
static void check_progress(void)
{
	struct work *w = create(1);
	int token = 0;

	start(w, 2, MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Recv(&token, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&w->request, MPI_STATUS_IGNORE);
	if (rank == 1)
		MPI_Send(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
	check(is_right(w), "one is over while its process waits for another");
	free(w);
}

/* Among those that do not block, and other collectives, some that do. */
static void check_between(void)
{
	struct work *w = create(3);
	bool right;

	start(&w[0], 1, MPI_COMM_WORLD);
	fill(&w[1], 2);
	MPI_Allreduce(w[1].in, w[1].out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	start(&w[2], 3, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	right = is_right(&w[1]);
	MPI_Wait(&w[2].request, MPI_STATUS_IGNORE);
	MPI_Wait(&w[0].request, MPI_STATUS_IGNORE);
	check(right && is_right(&w[0]) && is_right(&w[2]), "between blocking ones");
	free(w);
}

/* A copy of the world on which a blocking one has been. */
static MPI_Comm copy_world(void)
{
	struct work *w = create(1);
	MPI_Comm comm;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	fill(w, 4);
	MPI_Allreduce(w->in, w->out, COUNT, MPI_INT, MPI_SUM, comm);
	check(is_right(w), "a blocking one on a copy of the world");
	free(w);
	return comm;
}

/* On two communicators, which the ranks take in different orders. In engine mode one is freed while
 * they run; Open MPI's own calls (coll/libnbc of 4.1) crash of that at times. */
static void check_orders(void)
{
	const char *mode = getenv("PLINK_MPI_MODE");
	const bool early = mode && strcmp(mode, "engine") == 0;
	const MPI_Comm comm[2] = {MPI_COMM_WORLD, copy_world()};
	struct work *w = create(6);
	MPI_Request request[6];
	MPI_Comm freed = comm[1];
	bool right = true;

	for (int turn = 0; turn < 3; turn++)
		for (int i = 0; i < 2; i++) {
			const int at = rank % 2 ? 1 - i : i;

			start(&w[2 * turn + at], 2 * turn + at, comm[at]);
		}
	for (int i = 0; i < 6; i++)
		request[i] = w[i].request;
	if (early)
		MPI_Comm_free(&freed);
	MPI_Waitall(6, request, MPI_STATUSES_IGNORE);
	if (!early)
		MPI_Comm_free(&freed);
	for (int i = 0; i < 6; i++)
		right &= is_right(&w[i]);
	check(right, "two communicators in any order, one of them freed");
	free(w);
}

static void prepare(struct work *w, int number, MPI_Comm comm)
{
	fill(w, number);
	PL_MPI_PERSISTENT(Allreduce)
	(w->in, w->out, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &w->request);
}

/* Started one by one, in another order on each rank, and then all. */
static void check_persistent(void)
{
	const int first = PERSISTENT_AS_IN_THE_STANDARD ? rank : 0;
	struct work *w = create(3);
	MPI_Request request[4] = {[3] = MPI_REQUEST_NULL};
	bool right = true;

	for (int i = 0; i < 3; i++) {
		prepare(&w[i], i, MPI_COMM_WORLD);
		request[i] = w[i].request;
	}
	if (PERSISTENT_AS_IN_THE_STANDARD)
		MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 3; i++)
		right &= w[i].out[0] == -1;
	for (int i = 0; i < 3; i++)
		MPI_Start(&request[(i + first) % 3]);
	MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 3; i++) {
		right &= is_right(&w[i]) && request[i] == w[i].request;
		fill(&w[i], i + 5);
	}
	MPI_Startall(3, request);
	MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 3; i++) {
		right &= is_right(&w[i]);
		MPI_Request_free(&request[i]);
		right &= request[i] == MPI_REQUEST_NULL;
	}
	check(right, "persistent ones, one by one and all");
	free(w);
}

/* More than there are connections for: some are the library's. */
static void check_many_persistent(void)
{
	struct work *w = create(24);
	MPI_Request request[24];
	bool right = true;

	for (int i = 0; i < 24; i++) {
		prepare(&w[i], i, MPI_COMM_WORLD);
		request[i] = w[i].request;
	}
	MPI_Startall(24, request);
	MPI_Waitall(24, request, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 24; i++) {
		right &= is_right(&w[i]);
		MPI_Request_free(&request[i]);
	}
	check(right, "many persistent ones");
	free(w);
}

/* MPICH passes buffers of its own, at any address. */
static void keep_larger(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *count; i++) {
		const void *from = (const char *)in + (size_t)i * sizeof(double);
		void *to = (char *)inout + (size_t)i * sizeof(double);
		double a, b;

		memcpy(&a, from, sizeof(a));
		memcpy(&b, to, sizeof(b));
		b = a > b ? a : b;
		memcpy(to, &b, sizeof(b));
	}
}

/* The program's own operation, in all forms. */
static void check_own_operation(void)
{
	double in[500], out[3][500];
	MPI_Request request[2];
	bool right = true;
	MPI_Op op;

	for (int i = 0; i < 500; i++)
		in[i] = i * (double)rank;
	MPI_Op_create(keep_larger, 1, &op);
	MPI_Iallreduce(in, out[0], 500, MPI_DOUBLE, op, MPI_COMM_WORLD, &request[0]);
	MPI_Allreduce(in, out[1], 500, MPI_DOUBLE, op, MPI_COMM_WORLD);
	PL_MPI_PERSISTENT(Allreduce)
	(in, out[2], 500, MPI_DOUBLE, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
	MPI_Start(&request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	MPI_Request_free(&request[1]);
	MPI_Op_free(&op);
	for (int i = 0; i < 500; i++)
		for (int k = 0; k < 3; k++)
			right &= out[k][i] == i * (n - 1.0);
	check(right, "the program's own operation");
}

struct kind {
	MPI_Datatype type;
	MPI_Op op;
	size_t bytes;
	enum { OTHER, SIGNED, UNSIGNED } is;
};

enum { KIND_COUNT = 200, KIND_BYTES = KIND_COUNT * 32, N_REST = 10 };

/* What a rank has of it: zeros and ones in turn, or bits that look random. */
static void fill_kind(const struct kind *k, int of, unsigned char *v)
{
	unsigned x = 7 + (unsigned)of;

	memset(v, 0, KIND_BYTES);
	for (size_t i = 0; i < KIND_COUNT * k->bytes; i++) {
		x = x * 1103515245 + 12345;
		v[i] = (unsigned char)(k->is != OTHER ? x >> 16
						      : i % k->bytes == 0 && i / k->bytes % 2);
	}
}

/* As an unsigned number that is larger where the number there is. */
static uint64_t ordered(const struct kind *k, const unsigned char *v)
{
	uint64_t x = 0;

	memcpy(&x, v, k->bytes);
	return (x << (64 - 8 * k->bytes)) ^ (k->is == SIGNED ? (uint64_t)1 << 63 : 0);
}

/* As the standard has it. (Open MPI 4.1 takes the numbers of MPI_UNSIGNED_LONG for signed ones in
 * MPI_MIN and MPI_MAX, MPICH 4.0 those of all unsigned types.) */
static void combine(const struct kind *k, const unsigned char *in, unsigned char *v)
{
	for (size_t i = 0; k->op != MPI_MIN && k->op != MPI_MAX && i < KIND_BYTES; i++)
		v[i] = (unsigned char)(k->op == MPI_BAND  ? in[i] & v[i]
				       : k->op == MPI_BOR ? in[i] | v[i]
							  : in[i] ^ v[i]);
	for (size_t i = 0; i < KIND_COUNT * k->bytes; i += k->bytes)
		if ((k->op == MPI_MIN && ordered(k, in + i) < ordered(k, v + i)) ||
		    (k->op == MPI_MAX && ordered(k, in + i) > ordered(k, v + i)))
			memcpy(v + i, in + i, k->bytes);
}

static bool agrees(const struct kind *k, bool blocks)
{
	unsigned char in[KIND_BYTES], want[KIND_BYTES], out[KIND_BYTES];
	MPI_Request request;

	fill_kind(k, 0, want);
	for (int i = 1; k->is != OTHER && i < n; i++) {
		fill_kind(k, i, in);
		combine(k, in, want);
	}
	fill_kind(k, rank, out);
	if (blocks)
		MPI_Allreduce(MPI_IN_PLACE, out, KIND_COUNT, k->type, k->op, MPI_COMM_WORLD);
	else
		MPI_Iallreduce(MPI_IN_PLACE, out, KIND_COUNT, k->type, k->op, MPI_COMM_WORLD,
			       &request);
	if (!blocks)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	return memcmp(out, want, KIND_COUNT * k->bytes) == 0;
}

/* Those that the engine adds up itself, of any bits; or, as the library may do that, all there are,
 * of numbers that the operations leave as they are. */
static void check_kinds(bool also_rest)
{
	struct kind kinds[] = {
		{MPI_INT, MPI_MAX, 4, SIGNED},
		{MPI_UNSIGNED, MPI_MAX, 4, UNSIGNED},
		{MPI_LONG, MPI_MIN, sizeof(long), SIGNED},
		{MPI_UNSIGNED_LONG, MPI_MIN, sizeof(long), UNSIGNED},
		{MPI_LONG_LONG, MPI_MAX, 8, SIGNED},
		{MPI_UNSIGNED_LONG_LONG, MPI_MAX, 8, UNSIGNED},
		{MPI_SHORT, MPI_MIN, 2, SIGNED},
		{MPI_UNSIGNED_SHORT, MPI_MIN, 2, UNSIGNED},
		{MPI_SIGNED_CHAR, MPI_MAX, 1, SIGNED},
		{MPI_UNSIGNED_CHAR, MPI_MAX, 1, UNSIGNED},
		{MPI_INT8_T, MPI_MIN, 1, SIGNED},
		{MPI_UINT8_T, MPI_MIN, 1, UNSIGNED},
		{MPI_INT16_T, MPI_MAX, 2, SIGNED},
		{MPI_UINT16_T, MPI_MAX, 2, UNSIGNED},
		{MPI_INT32_T, MPI_MIN, 4, SIGNED},
		{MPI_UINT32_T, MPI_MIN, 4, UNSIGNED},
		{MPI_INT64_T, MPI_MAX, 8, SIGNED},
		{MPI_UINT64_T, MPI_MAX, 8, UNSIGNED},
		{MPI_AINT, MPI_MAX, sizeof(MPI_Aint), SIGNED},
		{MPI_OFFSET, MPI_MIN, sizeof(MPI_Offset), SIGNED},
		{MPI_COUNT, MPI_MAX, sizeof(MPI_Count), SIGNED},
		{MPI_INT, MPI_BAND, 4, SIGNED},
		{MPI_UNSIGNED_SHORT, MPI_BOR, 2, UNSIGNED},
		{MPI_LONG_LONG, MPI_BXOR, 8, SIGNED},
		{MPI_LONG, MPI_PROD, sizeof(long), OTHER},
		{MPI_FLOAT, MPI_MAX, 4, OTHER},
		{MPI_DOUBLE, MPI_MIN, 8, OTHER},
		/* the engine runs them only where they block */
		{MPI_INT, MPI_LOR, 4, OTHER},
		{MPI_UNSIGNED, MPI_LAND, 4, OTHER},
		{MPI_C_BOOL, MPI_LAND, 1, OTHER},
		{MPI_BYTE, MPI_BAND, 1, OTHER},
		{MPI_LONG_DOUBLE, MPI_MAX, sizeof(long double), OTHER},
		{MPI_2INT, MPI_MINLOC, 8, OTHER},
		{MPI_FLOAT_INT, MPI_MAXLOC, 8, OTHER},
		{MPI_DOUBLE_INT, MPI_MINLOC, 16, OTHER},
		{MPI_LONG_INT, MPI_MAXLOC, 16, OTHER},
		{MPI_SHORT_INT, MPI_MINLOC, 8, OTHER},
	};
	const size_t n_kinds = sizeof(kinds) / sizeof(*kinds) - (also_rest ? 0 : N_REST);
	char what[80];

	for (size_t i = 0; i < n_kinds; i++) {
		if (also_rest)
			kinds[i].is = OTHER;
		snprintf(what, sizeof(what), "type and operation %zu", i);
		check(agrees(&kinds[i], true) && agrees(&kinds[i], false), what);
	}
}

static void check_nothing(void)
{
	MPI_Request request[2];

	MPI_Iallreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[0]);
	PL_MPI_PERSISTENT(Allreduce)
	(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
	MPI_Start(&request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
	MPI_Request_free(&request[1]);
	check(1, "of no elements");
}

/* Left alone by the program: MPI_Finalize ends them. */
static void leave_some(void)
{
	MPI_Request request;
	static int in[COUNT], out[COUNT];

	PL_MPI_PERSISTENT(Allreduce)
	(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	check_many();
	check_all();
	check_any();
	check_some();
	check_status();
	check_progress();
	check_between();
	check_orders();
	check_persistent();
	if (argc > 1) { /* what the library may do itself */
		check_many_persistent();
		check_own_operation();
	}
	check_kinds(argc > 1);
	check_nothing();
	leave_some();
	MPI_Finalize();
	return 0;
}

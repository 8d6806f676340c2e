/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-traffic.c - what an MPI library's collectives send, case by case (under mpirun) */
/*
 * Takes the cases of traffic-check from a file, runs each as one call, and has
 * rank 0 print for each what every rank has sent to every other:
 *
 *	case 17
 *	17 0 1 4000 2        messages of 4000 bytes in all from 0 to 1: two
 *	17 0 order 1fe3...   and a digest of all its messages, as it sent them
 *	17 0 sizes 77b1...   and one of them in whatever order
 *	17 0 steps 88a0...   and of what it posted and waited for
 *
 * How algorithms are set and messages seen is the library's own part
 * (traffic-library.h). Only the call of the case is recorded: making
 * communicators is not counted, nor a call before the first on each, in which
 * the library may make communicators of its own.
 */
#include "config.h"

#include "tests/costmodels/traffic-digest.h"
#include "tests/costmodels/traffic-library.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What calls give or take: as much as any so far, of nothing but zeros. */
struct buffer {
	void *bytes;
	size_t room;
};

/* Counts are those of MPI_Reduce_scatter, one for each rank. */
struct world {
	int rank, size;
	MPI_Comm comm; /* made under the settings of the case */
	int *counts;
	struct buffer in, out;
};

/* What a rank has sent: bytes and messages to each other one, and three digests: sent[2 * size +
 * 3]. */
static uint64_t *sent;
static int n_ranks;

static size_t sent_length(void)
{
	return 2 * (size_t)n_ranks + 3;
}

void traffic_sent(size_t dst, size_t bytes)
{
	if (!sent)
		return;
	sent[2 * dst] += bytes;
	sent[2 * dst + 1]++;
	sent[2 * n_ranks] = traffic_digest(sent[2 * n_ranks], dst, bytes);
	sent[2 * n_ranks + 2] += traffic_digest(0, dst, bytes);
}

void traffic_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "mpi-traffic: ");
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	MPI_Abort(MPI_COMM_WORLD, 1);
	exit(1);
}

static void *array(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		traffic_die("out of memory");
	return p;
}

/* New memory for each case would take more time than the calls. */
static void *at_least(struct buffer *b, size_t bytes)
{
	if (bytes > b->room) {
		free(b->bytes);
		b->bytes = array(bytes, 1);
		b->room = bytes;
	}
	return b->bytes;
}

static struct traffic_case *read_cases(const char *path, size_t *n)
{
	struct traffic_case *list = NULL, c;
	FILE *f = fopen(path, "r");
	size_t room = 0;
	int got;

	if (!f)
		traffic_die("cannot open %s", path);
	for (*n = 0; (got = fscanf(f, "%u %31s %63s %d %zu %zu %d %d %d", &c.id, c.collective,
				   c.algorithm, &c.setting, &c.bytes, &c.element_bytes,
				   &c.segment_bytes, &c.radix, &c.root)) == 9;
	     ++*n) {
		if (*n == room) {
			room = room ? 2 * room : 256;
			list = realloc(list, room * sizeof(*list));
			if (!list)
				traffic_die("out of memory");
		}
		list[*n] = c;
	}
	if (got != EOF)
		traffic_die("%s: case %zu is no case", path, *n);
	fclose(f);
	return list;
}

bool traffic_is_block(const struct traffic_case *c)
{
	return !strncmp(c->algorithm, "block-", 6);
}

void traffic_set_variable(const char *name, int value)
{
	MPI_T_cvar_handle handle;
	int index, count;

	if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) {
		if (value)
			traffic_die("no variable %s", name);
		return;
	}
	if (MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS ||
	    MPI_T_cvar_write(handle, &value) != MPI_SUCCESS)
		traffic_die("cannot set %s", name);
	MPI_T_cvar_handle_free(&handle);
}

static bool same_settings(const struct traffic_case *a, const struct traffic_case *b)
{
	return !strcmp(a->collective, b->collective) && !strcmp(a->algorithm, b->algorithm) &&
	       a->setting == b->setting && a->segment_bytes == b->segment_bytes &&
	       a->radix == b->radix;
}

static MPI_Datatype element_type(size_t bytes)
{
	switch (bytes) {
	case 1:
		return MPI_UINT8_T;
	case 4:
		return MPI_FLOAT;
	case 8:
		return MPI_DOUBLE;
	default:
		traffic_die("no type of %zu bytes", bytes);
	}
}

/* Blocks as even as can be, the first ones longer. */
static void reduce_scatter_counts(const struct world *w, int count)
{
	for (int i = 0; i < w->size; i++)
		w->counts[i] = count / w->size + (i < count % w->size);
}

static void call(const struct world *w, const struct traffic_case *c, void *in, void *out)
{
	const MPI_Datatype type = element_type(c->element_bytes);
	const int count = (int)(c->bytes / c->element_bytes);

	if (!strcmp(c->collective, "allreduce"))
		MPI_Allreduce(in, out, count, type, MPI_SUM, w->comm);
	else if (!strcmp(c->collective, "broadcast"))
		MPI_Bcast(out, count, type, c->root, w->comm);
	else if (!strcmp(c->collective, "reduce"))
		MPI_Reduce(in, out, count, type, MPI_SUM, c->root, w->comm);
	else if (!strcmp(c->collective, "allgather"))
		MPI_Allgather(in, count, type, out, count, type, w->comm);
	else if (!strcmp(c->collective, "alltoall"))
		MPI_Alltoall(in, count, type, out, count, type, w->comm);
	else if (traffic_is_block(c))
		MPI_Reduce_scatter_block(in, out, count / w->size, type, MPI_SUM, w->comm);
	else if (!strcmp(c->collective, "reduce-scatter"))
		MPI_Reduce_scatter(in, out, w->counts, type, MPI_SUM, w->comm);
	else if (!strcmp(c->collective, "barrier"))
		MPI_Barrier(w->comm);
	else
		traffic_die("no collective %s", c->collective);
}

static void run_case(struct world *w, const struct traffic_case *c, uint64_t *to)
{
	const bool deals = !strcmp(c->collective, "alltoall");
	const bool gathers = deals || !strcmp(c->collective, "allgather");
	const size_t bytes = c->bytes + 8, ranks = (size_t)w->size;
	void *in = at_least(&w->in, deals ? ranks * bytes : bytes);
	void *out = at_least(&w->out, gathers ? ranks * bytes : bytes);

	reduce_scatter_counts(w, (int)(c->bytes / c->element_bytes));
	sent = to;
	traffic_posts_begin();
	call(w, c, in, out);
	to[2 * n_ranks + 1] = traffic_posts_end();
	sent = NULL;
}

/* to[case][2 * size + 3] of this rank. */
static void run_cases(struct world *w, const struct traffic_case *cases, size_t n_cases,
		      uint64_t *to)
{
	const size_t stride = sent_length();

	for (size_t i = 0; i < n_cases; i++) {
		if (i == 0 || !same_settings(&cases[i - 1], &cases[i])) {
			if (i > 0) {
				MPI_Comm_free(&w->comm);
				traffic_library_set(&cases[i - 1], 0);
			}
			traffic_library_set(&cases[i], cases[i].setting);
			MPI_Comm_dup(MPI_COMM_WORLD, &w->comm);
			run_case(w, &cases[i], &to[i * stride]);
			memset(&to[i * stride], 0, stride * sizeof(*to));
		}
		run_case(w, &cases[i], &to[i * stride]);
	}
	if (n_cases > 0)
		MPI_Comm_free(&w->comm);
}

/* Of one rank in one case. */
static void print_sent(unsigned id, size_t src, const uint64_t *from)
{
	const size_t n = (size_t)n_ranks;

	for (size_t dst = 0; dst < n; dst++)
		if (from[2 * dst + 1] > 0)
			printf("%u %zu %zu %" PRIu64 " %" PRIu64 "\n", id, src, dst, from[2 * dst],
			       from[2 * dst + 1]);
	if (from[2 * n])
		printf("%u %zu order %" PRIx64 "\n", id, src, from[2 * n]);
	if (from[2 * n + 2])
		printf("%u %zu sizes %" PRIx64 "\n", id, src, from[2 * n + 2]);
	if (from[2 * n + 1])
		printf("%u %zu steps %" PRIx64 "\n", id, src, from[2 * n + 1]);
}

static void print(const struct traffic_case *cases, size_t n_cases, const uint64_t *all)
{
	for (size_t i = 0; i < n_cases; i++) {
		printf("case %u\n", cases[i].id);
		for (size_t src = 0; src < (size_t)n_ranks; src++)
			print_sent(cases[i].id, src, &all[(src * n_cases + i) * sent_length()]);
	}
}

int main(int argc, char **argv)
{
	struct world w = {0};
	struct traffic_case *cases;
	uint64_t *mine, *all;
	size_t n_cases, n;
	int provided;

	/* mpirun's terminal would take each line by itself */
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	MPI_Init(&argc, &argv);
	MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &w.size);
	n_ranks = w.size;
	if (argc != 2)
		traffic_die("usage: mpirun ... mpi-traffic CASES");
	w.counts = array((size_t)w.size, sizeof(*w.counts));
	cases = read_cases(argv[1], &n_cases);
	n = n_cases * sent_length();
	traffic_library_open(w.rank, w.size);
	mine = array(n, sizeof(*mine));
	all = array(w.rank == 0 ? n * (size_t)w.size : 0, sizeof(*all));
	run_cases(&w, cases, n_cases, mine);
	MPI_Gather(mine, (int)n, MPI_UINT64_T, all, (int)n, MPI_UINT64_T, 0, MPI_COMM_WORLD);
	if (w.rank == 0)
		print(cases, n_cases, all);
	free(mine);
	free(all);
	free(cases);
	free(w.counts);
	free(w.in.bytes);
	free(w.out.bytes);
	MPI_T_finalize();
	MPI_Finalize();
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* job-step.c - an MPI program that does what a job file says: steps of calls
 * in communicators, timed */
/*
 * Each kind of communicator is one MPI_Comm_split of MPI_COMM_WORLD; nothing is told of the network
 * or of an order. A step makes the calls of each kind, kind after kind, without barriers. A
 * pipeline takes one microbatch forward, one backward, or interleaves parts of the model; traffic
 * posts all it has at once. Printed by rank 0: the time of a step, from a barrier to the last rank,
 * over the steps of each block.
 */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "job/job.h"
#include "src/common/tool.h"

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL "job-step"

/* A kind as this rank sees it. */
struct part {
	const struct pl_job_kind *kind;
	MPI_Comm comm; /* MPI_COMM_NULL: in no group */
	int rank, n;
	char *in, *out;
	MPI_Request *request; /* of traffic */
};

static struct pl_job job;
static struct part *part;
static int me;

static void die(const char *why)
{
	fprintf(stderr, TOOL ": %s\n", why);
	MPI_Abort(MPI_COMM_WORLD, PL_EXIT_SYSTEM);
}

/* Where this rank is in the kind's groups: the group and the index in it. */
static void find(const struct pl_job_kind *kind, int *color, int *key)
{
	*color = MPI_UNDEFINED;
	*key = 0;
	for (size_t g = 0; g < kind->n_groups; g++)
		for (size_t i = kind->first[g]; i < kind->first[g + 1]; i++)
			if (kind->member[i] == (uint32_t)me) {
				*color = (int)g;
				*key = (int)(i - kind->first[g]);
			}
}

static size_t bytes_of_traffic(const struct pl_job_kind *kind)
{
	size_t most = 0;

	for (size_t i = 0; i < kind->n_sends; i++)
		if (kind->send[i].bytes > most)
			most = kind->send[i].bytes;
	return most;
}

static void begin(struct part *p, const struct pl_job_kind *kind)
{
	size_t bytes = kind->bytes;
	int color, key;

	p->kind = kind;
	find(kind, &color, &key);
	MPI_Comm_split(MPI_COMM_WORLD, color, key, &p->comm);
	p->n = 1;
	if (p->comm != MPI_COMM_NULL) {
		MPI_Comm_rank(p->comm, &p->rank);
		MPI_Comm_size(p->comm, &p->n);
	}
	if (pl_job_has_sends(kind))
		bytes = bytes_of_traffic(kind);
	p->in = pl_array_create((size_t)p->n, bytes);
	p->out = pl_array_create((size_t)p->n, bytes);
	p->request = pl_array_create(kind->n_sends, 2 * sizeof(*p->request));
	if (!p->in || !p->out || !p->request)
		die("out of memory");
}

static void collective(struct part *p)
{
	const int bytes = (int)p->kind->bytes, n = bytes / (int)sizeof(float);

	switch (p->kind->collective) {
	case PL_ALLREDUCE:
		MPI_Allreduce(p->in, p->out, n, MPI_FLOAT, MPI_SUM, p->comm);
		break;
	case PL_BROADCAST:
		MPI_Bcast(p->in, bytes, MPI_BYTE, 0, p->comm);
		break;
	case PL_REDUCE:
		MPI_Reduce(p->in, p->out, n, MPI_FLOAT, MPI_SUM, 0, p->comm);
		break;
	case PL_ALLGATHER:
		MPI_Allgather(p->in, bytes, MPI_BYTE, p->out, bytes, MPI_BYTE, p->comm);
		break;
	case PL_ALLTOALL:
		MPI_Alltoall(p->in, bytes, MPI_BYTE, p->out, bytes, MPI_BYTE, p->comm);
		break;
	case PL_REDUCE_SCATTER:
		MPI_Reduce_scatter_block(p->in, p->out, n / p->n, MPI_FLOAT, MPI_SUM, p->comm);
		break;
	case PL_BARRIER:
		MPI_Barrier(p->comm);
		break;
	default:
		die("a collective that this program does not know");
	}
}

/* The stage computes for so long. */
static void compute(double ns)
{
	const int64_t end_ns = pl_clock_ns() + (int64_t)ns;

	while (ns > 0 && pl_clock_ns() < end_ns)
		;
}

/* Sends to a neighbour, receives from one, or both at once; a stage without that neighbour does
 * nothing. */
static void pass(struct part *p, int to, int from)
{
	const int bytes = (int)p->kind->bytes;

	MPI_Sendrecv(p->out, to == MPI_PROC_NULL ? 0 : bytes, MPI_BYTE, to, 0, p->in,
		     from == MPI_PROC_NULL ? 0 : bytes, MPI_BYTE, from, 0, p->comm,
		     MPI_STATUS_IGNORE);
}

/* One forward, one backward: see order/job/pipeline.c. */
static void pipeline(struct part *p)
{
	const int none = MPI_PROC_NULL;
	const int prev = p->rank > 0 ? p->rank - 1 : none;
	const int next = p->rank + 1 < p->n ? p->rank + 1 : none;
	const int all = (int)p->kind->microbatches, behind = p->n - 1 - p->rank;
	const int first = behind < all ? behind : all;

	for (int i = 0; i < first; i++) {
		pass(p, none, prev);
		compute(p->kind->forward_ns);
		pass(p, next, none);
	}
	if (first < all)
		pass(p, none, prev);
	for (int i = first; i < all; i++) {
		compute(p->kind->forward_ns);
		pass(p, next, next);
		compute(p->kind->backward_ns);
		pass(p, prev, i + 1 < all ? prev : none);
	}
	for (int i = 0; i < first; i++) {
		pass(p, none, next);
		compute(p->kind->backward_ns);
		pass(p, prev, none);
	}
}

/* Steps forward and backward of a stage with several parts of the model. */
struct steps {
	int forward, backward;
};

/* Is this the stage @end, and the step one in its part @which, counted from that end? */
static bool is_at(const struct part *p, int end, int step, uint64_t which)
{
	const int n = p->n * (int)p->kind->vpp;

	return p->rank == end && step % n / p->n == (int)which;
}

/* Sends what the steps @done gave, receives what the steps @next need: see
 * order/job/interleaved.c. */
static void turn(struct part *p, struct steps done, struct steps next)
{
	const int bytes = (int)p->kind->bytes, last = p->n - 1;
	const int all = (int)(p->kind->microbatches * p->kind->vpp);
	const int before = (p->rank + last) % p->n;
	const int behind = (p->rank + 1) % p->n;
	MPI_Request r[4];
	int n = 0;

	if (next.forward < all && !is_at(p, 0, next.forward, 0))
		MPI_Irecv(p->in, bytes, MPI_BYTE, before, 0, p->comm, &r[n++]);
	if (next.backward < all && !is_at(p, last, next.backward, 0))
		MPI_Irecv(p->in + bytes, bytes, MPI_BYTE, behind, 1, p->comm, &r[n++]);
	if (done.forward < all && !is_at(p, last, done.forward, p->kind->vpp - 1))
		MPI_Isend(p->out, bytes, MPI_BYTE, behind, 0, p->comm, &r[n++]);
	if (done.backward < all && !is_at(p, 0, done.backward, p->kind->vpp - 1))
		MPI_Isend(p->out + bytes, bytes, MPI_BYTE, before, 1, p->comm, &r[n++]);
	MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
}

static void interleaved(struct part *p)
{
	const int none = INT_MAX, vpp = (int)p->kind->vpp;
	const int all = (int)p->kind->microbatches * vpp;
	const int ahead = 2 * (p->n - 1 - p->rank) + (vpp - 1) * p->n;
	const int first = ahead < all ? ahead : all;
	const double forward = p->kind->forward_ns / vpp;
	const double backward = p->kind->backward_ns / vpp;

	turn(p, (struct steps){none, none}, (struct steps){0, none});
	for (int i = 0; i < first; i++) {
		compute(forward);
		turn(p, (struct steps){i, none}, (struct steps){i + 1, i + 1 < first ? none : 0});
	}
	for (int i = first; i < all; i++) {
		compute(forward);
		compute(backward);
		turn(p, (struct steps){i, i - first}, (struct steps){i + 1, i - first + 1});
	}
	for (int i = all - first; i < all; i++) {
		compute(backward);
		turn(p, (struct steps){none, i}, (struct steps){none, i + 1});
	}
}

static void traffic(struct part *p)
{
	const struct pl_job_kind *kind = p->kind;
	int n = 0;

	for (size_t i = 0; i < kind->n_sends; i++)
		if (kind->send[i].dst == (uint32_t)me)
			MPI_Irecv(p->in, (int)kind->send[i].bytes, MPI_BYTE, (int)kind->send[i].src,
				  (int)(i % 32768), MPI_COMM_WORLD, &p->request[n++]);
	for (size_t i = 0; i < kind->n_sends; i++)
		if (kind->send[i].src == (uint32_t)me)
			MPI_Isend(p->out, (int)kind->send[i].bytes, MPI_BYTE,
				  (int)kind->send[i].dst, (int)(i % 32768), MPI_COMM_WORLD,
				  &p->request[n++]);
	MPI_Waitall(n, p->request, MPI_STATUSES_IGNORE);
}

static void call(struct part *p)
{
	if (pl_job_has_sends(p->kind))
		traffic(p);
	else if (p->comm == MPI_COMM_NULL)
		return;
	else if (p->kind->form == PL_JOB_PIPELINE && p->kind->vpp > 1 && p->n > 1)
		interleaved(p);
	else if (p->kind->form == PL_JOB_PIPELINE)
		pipeline(p);
	else
		collective(p);
}

static void step(void)
{
	for (size_t k = 0; k < job.n_kinds; k++)
		for (double i = 0; i < job.kind[k].calls; i++)
			call(&part[k]);
}

/* Seconds of a step, from a barrier to the last rank. */
static double block(int steps)
{
	double mine, all;
	int64_t begin_ns;

	MPI_Barrier(MPI_COMM_WORLD);
	begin_ns = pl_clock_ns();
	for (int i = 0; i < steps; i++)
		step();
	mine = (double)(pl_clock_ns() - begin_ns) * 1e-9 / steps;
	MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return all;
}

int main(int argc, char **argv)
{
	struct pl_err err = {0};
	int n, blocks, steps;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	if (argc != 4)
		die("usage: job-step JOB BLOCKS STEPS");
	if (pl_job_read(&job, argv[1], &err))
		die(err.text);
	if ((size_t)n != job.n_ranks)
		die("the job has another number of ranks");
	blocks = atoi(argv[2]);
	steps = atoi(argv[3]);
	part = pl_array_create(job.n_kinds, sizeof(*part));
	if (!part)
		die("out of memory");
	for (size_t k = 0; k < job.n_kinds; k++)
		begin(&part[k], &job.kind[k]);
	block(2);
	for (int b = 0; b < blocks; b++) {
		const double seconds = block(steps);

		if (me == 0)
			printf("step %.6g\n", seconds);
	}
	for (size_t k = 0; k < job.n_kinds; k++) {
		free(part[k].in);
		free(part[k].out);
		free(part[k].request);
		if (part[k].comm != MPI_COMM_NULL)
			MPI_Comm_free(&part[k].comm);
	}
	free(part);
	pl_job_fini(&job);
	MPI_Finalize();
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.c - the norms of gradients, read from a job's all-reduces */
/*
 * All processes of a communicator call its collectives in the same order, with the same counts,
 * types and operations: so all count alike, and the additional all-reduce stands at the same place
 * everywhere.
 */
#include "config.h"

#include "shim/mpi/stats/noise.h"

#include "base/clock.h"
#include "shim/mpi/refuse.h"
#include "shim/mpi/stats/log.h"
#include "shim/mpi/world.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#define LEAST_BYTES 65536 /* of an all-reduce that may be one of gradients */

bool pl_stats_noise_on;

/* What is summed up in an iteration. */
enum { LOCAL, SUM, UNREAD, N_SUMS };

struct pl_stats_noise {
	uint64_t n_calls;
	int rank, size;
	double sum[N_SUMS];
	bool is_whole; /* an iteration was looked at, and waits for the next */
	uint64_t iteration;
	int64_t begin_ns;
};

static struct pl_stats_noise_setting own;
static struct pl_stats_noise world;
static int keyval = MPI_KEYVAL_INVALID;

static int drop(MPI_Comm comm, int key, void *noise, void *extra)
{
	(void)comm;
	(void)key;
	(void)extra;
	free(noise);
	return MPI_SUCCESS;
}

static void describe(struct pl_stats_noise *noise, MPI_Comm comm)
{
	const MPI_Comm entered = pl_mpi_enter(comm);
	int between = 0;

	PL_MPI_NEXT(PMPI_Comm_rank)(entered, &noise->rank);
	PL_MPI_NEXT(PMPI_Comm_size)(entered, &noise->size);
	PL_MPI_NEXT(PMPI_Comm_test_inter)(entered, &between);
	if (between)
		noise->size = 0;
}

/* Where one process had no memory, the others would wait for it. */
static struct pl_stats_noise *noise_of(MPI_Comm comm)
{
	struct pl_stats_noise *noise;
	void *value;
	int found = 0;

	if (comm == MPI_COMM_WORLD)
		return &world;
	PL_MPI_NEXT(PMPI_Comm_get_attr)(comm, keyval, &value, &found);
	if (found)
		return value;
	noise = calloc(1, sizeof(*noise));
	if (!noise)
		pl_mpi_no_memory();
	describe(noise, comm);
	PL_MPI_NEXT(PMPI_Comm_set_attr)(comm, keyval, noise);
	return noise;
}

void pl_stats_noise_start(const struct pl_stats_noise_setting *setting)
{
	own = *setting;
	if (own.options.every == 0)
		return;
	PL_MPI_NEXT(PMPI_Comm_create_keyval)
	(MPI_COMM_NULL_COPY_FN, drop, &keyval, NULL);
	describe(&world, MPI_COMM_WORLD);
	pl_stats_noise_on = true;
}

void pl_stats_noise_stop(void)
{
	pl_stats_noise_on = false;
	if (keyval != MPI_KEYVAL_INVALID)
		PL_MPI_NEXT(PMPI_Comm_free_keyval)(&keyval);
	pl_stats_noise_close();
}

/* The bytes of a predefined type of real numbers as C has them; 0 for any other type. Those of
 * Fortran may be missing, or made larger by its compiler. */
static size_t real_bytes(MPI_Datatype type)
{
	const MPI_Datatype reals[] = {MPI_FLOAT, MPI_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION,
				      MPI_REAL4, MPI_REAL8};
	int bytes = 0;

	for (size_t i = 0; i < sizeof(reals) / sizeof(*reals); i++)
		if (type == reals[i] && type != MPI_DATATYPE_NULL)
			PL_MPI_NEXT(PMPI_Type_size)(type, &bytes);
	return bytes == sizeof(float) || bytes == sizeof(double) ? (size_t)bytes : 0;
}

/* Buffers may be in the memory of a GPU. */
static bool can_read(const void *from, size_t bytes)
{
	const char *end = (const char *)from + bytes - 1;
	char got[2];
	struct iovec here = {.iov_base = got, .iov_len = sizeof(got)};
	const struct iovec there[] = {
		{.iov_base = (void *)(uintptr_t)from, .iov_len = 1},
		{.iov_base = (void *)(uintptr_t)end, .iov_len = 1},
	};

	return process_vm_readv(getpid(), &here, 1, there, 2, 0) == sizeof(got);
}

static double square_float(const float *v, size_t n)
{
	double sum = 0;

#pragma omp simd reduction(+ : sum)
	for (size_t i = 0; i < n; i++)
		sum += (double)v[i] * (double)v[i];
	return sum;
}

static double square_double(const double *v, size_t n)
{
	double sum = 0;

#pragma omp simd reduction(+ : sum)
	for (size_t i = 0; i < n; i++)
		sum += v[i] * v[i];
	return sum;
}

/* Adds the squared norm of @n elements of @bytes each. */
static void add_square(struct pl_stats_noise *noise, int which, const void *v, size_t n,
		       size_t bytes)
{
	if (n == 0)
		return;
	if (!can_read(v, n * bytes))
		noise->sum[UNREAD] = 1;
	else if (bytes == sizeof(float))
		noise->sum[which] += square_float(v, n);
	else
		noise->sum[which] += square_double(v, n);
}

/* The next iteration begins: the last one is as long as until now. */
static void begin(struct pl_stats_noise *noise, MPI_Comm comm, uint64_t iteration)
{
	const int64_t now_ns = pl_clock_ns();
	const double n = noise->size;
	const struct pl_stats_noise_line line = {
		.iteration = noise->iteration,
		.local_sq = noise->sum[LOCAL] / n,
		.mean_sq = noise->sum[SUM] / (n * n),
		.seconds = 1e-9 * (double)(now_ns - noise->begin_ns),
		.is_known = noise->sum[UNREAD] == 0,
	};

	if (noise->is_whole && noise->rank == 0)
		pl_stats_noise_write(&own, comm, &line);
	noise->is_whole = false;
	noise->iteration = iteration;
	noise->begin_ns = now_ns;
	for (int i = 0; i < N_SUMS; i++)
		noise->sum[i] = 0;
}

struct pl_stats_noise *pl_stats_noise_before(const void *in, const void *out, int count,
					     MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	const size_t bytes = op == MPI_SUM ? real_bytes(type) : 0;
	const uint64_t n_calls = own.options.calls;
	struct pl_stats_noise *noise;
	uint64_t iteration;

	if (bytes == 0 || count < 0 || (size_t)count * bytes < LEAST_BYTES ||
	    !pl_mpi_is_valid(comm))
		return NULL;
	noise = noise_of(comm);
	/* a job of one process has no noise, but its iterations take time */
	if (noise->size < (comm == MPI_COMM_WORLD ? 1 : 2))
		return NULL;
	iteration = noise->n_calls / n_calls;
	if (noise->n_calls++ % n_calls == 0)
		begin(noise, comm, iteration);
	if (iteration % own.options.every)
		return NULL;
	add_square(noise, LOCAL, in == MPI_IN_PLACE ? out : in, (size_t)count, bytes);
	return noise;
}

void pl_stats_noise_after(struct pl_stats_noise *noise, int rc, const void *out, int count,
			  MPI_Datatype type, MPI_Comm comm)
{
	const size_t bytes = real_bytes(type), n = (size_t)count;
	const size_t size = (size_t)noise->size, rank = (size_t)noise->rank;
	const size_t from = n * rank / size, to = n * (rank + 1) / size;

	if (rc != MPI_SUCCESS)
		noise->sum[UNREAD] = 1;
	else
		add_square(noise, SUM, (const char *)out + from * bytes, to - from, bytes);
	if (noise->n_calls % own.options.calls)
		return;
	noise->is_whole = PL_MPI_NEXT(PMPI_Allreduce)(MPI_IN_PLACE, noise->sum, N_SUMS, MPI_DOUBLE,
						      MPI_SUM, pl_mpi_enter(comm)) == MPI_SUCCESS;
}

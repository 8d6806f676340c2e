/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-allreduce.c - ranks that all-reduce through a network in memory, whose links deliver in any
 * order */
#include "config.h"

#include "base/rng.h"
#include "costmodels/catalogue.h"
#include "engine/allreduce.h"
#include "tests/tap.h"

#include <stdlib.h>

#define N_MAX 9
#define COUNT_MAX 700

/* A send that has not been delivered. */
struct flight {
	uint32_t src, dst, chunk;
	const void *data;
	size_t bytes;
	bool signal;
};

struct network {
	struct flight flight[1 << 16];
	size_t n;
	bool lazy; /* takes the bytes only when it delivers */
	struct pl_chunk_arrival *copy[1 << 16];
};

struct rank {
	uint32_t rank;
	struct pl_program program;
	struct pl_allreduce r;
	float data[COUNT_MAX];
};

static struct network net;
static struct rank ranks[N_MAX];
static unsigned n_other_bits; /* results of two runs in any order */

static struct pl_chunk_arrival *copy_of(const struct flight *f)
{
	struct pl_chunk_arrival *a = pl_chunk_arrival_create(NULL, f->bytes);

	a->peer = f->src;
	a->signal = f->signal;
	memcpy(a->data, f->data, f->bytes);
	return a;
}

static int send_to(void *self, uint32_t peer, uint32_t chunk, const void *data, size_t bytes,
		   bool signal, struct pl_err *err)
{
	const struct rank *rank = self;
	const struct flight f = {rank->rank, peer, chunk, data, bytes, signal};

	(void)err;
	net.copy[net.n] = net.lazy ? NULL : copy_of(&f);
	net.flight[net.n++] = f;
	return net.lazy ? 0 : 1;
}

static void add_floats(void *sum, const void *more, size_t n, void *with)
{
	float *s = sum;
	const float *m = more;

	(void)with;
	for (size_t i = 0; i < n; i++)
		s[i] += m[i];
}

/* Is the flight the first of its chunk between its ranks? */
static bool is_first(size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (net.flight[i].src == net.flight[k].src &&
		    net.flight[i].dst == net.flight[k].dst &&
		    net.flight[i].chunk == net.flight[k].chunk)
			return false;
	return true;
}

static int deliver_one(struct pl_rng *rng, struct pl_err *err)
{
	size_t k = (size_t)pl_rng_below(rng, net.n);
	struct pl_chunk_arrival *a;
	struct flight f;

	while (!is_first(k))
		k--;
	f = net.flight[k];
	a = net.lazy ? copy_of(&f) : net.copy[k];
	net.n--;
	memmove(&net.flight[k], &net.flight[k + 1], (net.n - k) * sizeof(*net.flight));
	memmove(&net.copy[k], &net.copy[k + 1], (net.n - k) * sizeof(struct pl_chunk_arrival *));
	if (pl_allreduce_arrived(&ranks[f.dst].r, f.chunk, a, err))
		return -1;
	return net.lazy ? pl_allreduce_sent(&ranks[f.src].r, f.chunk, err) : 0;
}

/* Runs the call on all ranks, of which one or none raises the signal. 0 if all ended, know the
 * signal, and nothing is left over. */
static int run(size_t n, struct pl_allreduce_call call, struct pl_rng *rng, struct pl_err *err)
{
	static size_t n_runs;
	const size_t raises = n_runs++ % (n + 1);
	int rc = 0;

	net.n = 0;
	for (size_t i = 0; i < n; i++) {
		struct rank *rank = &ranks[i];

		rank->rank = (uint32_t)i;
		for (size_t k = 0; k < call.count; k++)
			rank->data[k] = (float)(1 + i * 1000 + k) / 3;
		call.buffer = rank->data;
		call.signal = i == raises;
		if (pl_allreduce_init(&rank->r, &rank->program,
				      (struct pl_transport){
					      .send = send_to, .self = rank, .chunks_max = 1 << 20},
				      &call, err))
			return -1;
	}
	while (rc == 0 && net.n > 0)
		rc = deliver_one(rng, err);
	for (size_t i = 0; i < n; i++) {
		if (rc == 0 && !pl_allreduce_is_done(&ranks[i].r))
			rc = pl_err_set(err, PL_EINPUT, "rank %zu is not done", i);
		if (rc == 0 && pl_allreduce_signalled(&ranks[i].r) != (raises < n))
			rc = pl_err_set(err, PL_EINPUT, "rank %zu does not know the signal", i);
		pl_allreduce_fini(&ranks[i].r);
	}
	return rc;
}

static bool is_sum(const float *data, size_t count, size_t n)
{
	for (size_t k = 0; k < count; k++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += (double)((float)(1 + i * 1000 + k) / 3);
		if ((double)data[k] < sum * (1 - 1e-5) || (double)data[k] > sum * (1 + 1e-5))
			return false;
	}
	return true;
}

/* All ranks have the sum; a second run, which delivers in another order, gives the same bits unless
 * it may add in that order. */
static const char *fault(size_t n, struct pl_allreduce_call call, struct pl_rng *rng,
			 struct pl_err *err)
{
	static float before[N_MAX][COUNT_MAX];

	if (run(n, call, rng, err))
		return err->text;
	for (size_t i = 0; i < n; i++) {
		if (!is_sum(ranks[i].data, call.count, n))
			return "a wrong sum";
		memcpy(before[i], ranks[i].data, sizeof(before[i]));
	}
	if (run(n, call, rng, err))
		return err->text;
	for (size_t i = 0; i < n; i++)
		if (memcmp(before[i], ranks[i].data, call.count * sizeof(float)) != 0) {
			if (!call.any_order)
				return "other bits in a second run";
			n_other_bits++;
		}
	return NULL;
}

static void check_calls(const char *name, size_t n, struct pl_rng *rng)
{
	static const size_t counts[] = {1, 5, 64, 333, COUNT_MAX};
	struct pl_err err = {0};
	const char *text = NULL;

	for (unsigned i = 0; !text && i < 40; i++) {
		net.lazy = i & 1;
		text = fault(n,
			     (struct pl_allreduce_call){.count = counts[i % 5],
							.adder = {add_floats, NULL, sizeof(float)},
							.chunk_bytes = 50 + 100 * (i % 3),
							.window = i % 4,
							.any_order = i % 7 == 0},
			     rng, &err);
	}
	ok(!text, "%s of %zu ranks: %s", name, n, text ? text : "sums");
}

/* The programs of an algorithm's slices, as its pattern for 4 KiB has them. */
static bool load(const char *name, size_t n)
{
	const struct pl_algorithm *a = pl_catalogue_named(PL_ALLREDUCE, PL_THESIS, name);
	const struct pl_call call = {.n_pos = n, .bytes = 4096};
	struct pl_slices slices = {0};
	struct pl_pattern p = {0};
	struct pl_err err = {0};
	bool good;

	good = pl_algorithm_pattern(a, &call, &p, &err) == 0 &&
	       pl_slices_of_pattern(&slices, &p, &err) == 0;
	for (size_t i = 0; good && i < slices.n; i++)
		good = pl_slice_check(&slices.slice[i], n, 0, PL_SLICE_ALL, &err) == 0;
	for (size_t i = 0; good && i < n; i++)
		good = pl_program_init(&ranks[i].program, &slices, (uint32_t)i, &err) == 0;
	pl_slices_fini(&slices);
	pl_pattern_fini(&p);
	return good;
}

static void check_unexpected(void)
{
	struct pl_allreduce_call call = {.buffer = ranks[0].data,
					 .count = 10,
					 .adder = {add_floats, NULL, sizeof(float)},
					 .chunk_bytes = 64};
	struct pl_chunk_arrival *a = pl_chunk_arrival_create(NULL, 64);
	struct pl_allreduce r;
	struct pl_err err;

	net.n = 0;
	pl_allreduce_init(
		&r, &ranks[0].program,
		(struct pl_transport){.send = send_to, .self = &ranks[0], .chunks_max = 1 << 20},
		&call, &err);
	a->peer = 1;
	ok(pl_allreduce_arrived(&r, 77, a, &err) == -1 && err.code == PL_EINPUT,
	   "a chunk that there is not: %s", err.text);
	a = pl_chunk_arrival_create(NULL, 64);
	a->peer = N_MAX;
	ok(pl_allreduce_arrived(&r, 0, a, &err) == -1, "from a stranger: %s", err.text);
	pl_allreduce_fini(&r);
	while (net.n > 0)
		free(net.copy[--net.n]);
}

int main(void)
{
	static const char *const names[] = {"ring", "halving-doubling", "double-binary-tree",
					    "bcube", "two-level"};
	struct pl_rng rng;

	pl_rng_init(&rng, 20260101, 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		for (size_t n = 2; n <= N_MAX; n++) {
			if (!load(names[i], n)) {
				ok(false, "%s of %zu ranks", names[i], n);
				continue;
			}
			check_calls(names[i], n, &rng);
			if (n == N_MAX && i == 0)
				check_unexpected();
			for (size_t k = 0; k < n; k++)
				pl_program_fini(&ranks[k].program);
		}
	ok(n_other_bits > 0, "%u results in any order have other bits", n_other_bits);
	return done_testing();
}

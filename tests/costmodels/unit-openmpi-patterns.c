/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-openmpi-patterns.c - Open MPI's all-reduce, reduce-scatter and
 * barrier */
#include "config.h"

#include "costmodels/catalogue.h"
#include "tests/costmodels/pattern-run.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <limits.h>
#include <string.h>

#define N_MAX 40

static const struct pl_algorithm *find(enum pl_collective collective, const char *name)
{
	size_t radix;

	return pl_catalogue_find(collective, PL_OPENMPI, name, &radix, NULL);
}

static struct pl_pattern pattern(const struct pl_algorithm *a, struct pl_call call)
{
	struct pl_pattern p = {0};
	struct pl_err err = {0};

	if (pl_algorithm_pattern(a, &call, &p, &err))
		ok(false, "%s of %zu: %s", a->name, call.n_pos, err.text);
	return p;
}

static uint64_t bytes_sent(const struct pl_pattern *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n_messages; i++)
		sum += p->message[i].bytes;
	return sum;
}

static uint64_t bytes_reduced(const struct pl_pattern *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n_work; i++)
		sum += p->work[i].reduce_bytes;
	return sum;
}

/* Does it end, and has every rank something of every other then? */
static bool all_know_all(const struct pl_pattern *p)
{
	const uint64_t all = UINT64_MAX >> (64 - p->n_pos);
	uint64_t knows[64];

	if (!pattern_run(p, knows))
		return false;
	for (size_t i = 0; i < p->n_pos; i++)
		if (knows[i] != all)
			return false;
	return true;
}

/* Messages with nothing in them or from a rank to itself, of which a call with at least as many
 * elements as ranks has none. */
static size_t odd_messages(const struct pl_pattern *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_messages; i++)
		n += p->message[i].bytes == 0 || p->message[i].src == p->message[i].dst;
	return n;
}

static bool equal_blocks(const struct pl_algorithm *a)
{
	return !strncmp(a->name, "block-", 6);
}

/* All ranks' data must be added up in every byte: (N - 1) additions of the buffer, wherever they
 * are made; more where ranks add the same. */
static void test_reductions(enum pl_collective collective, const char *name, bool once)
{
	const struct pl_algorithm *a = find(collective, name);
	size_t wrong = 0, n_calls = 0;

	for (size_t n = 1; n <= N_MAX; n++)
		for (size_t count = n; count < 5 * n + 9; count += equal_blocks(a) ? n : n + 4) {
			const struct pl_call call = {.n_pos = n, .bytes = 4 * count};
			struct pl_pattern p = pattern(a, call);
			const uint64_t least = (n - 1) * call.bytes;
			const uint64_t sum = bytes_reduced(&p);

			n_calls++;
			wrong += !all_know_all(&p) || odd_messages(&p) || sum < least ||
				 (once && sum != least);
			pl_pattern_fini(&p);
		}
	ok(wrong == 0, "%s %s: %zu calls, all ends, all added%s", pl_collective_name(collective),
	   name, n_calls, once ? " once" : "");
}

static void test_few_elements(enum pl_collective collective, const char *name)
{
	const struct pl_algorithm *a = find(collective, name);
	size_t wrong = 0;

	for (size_t n = 1; n <= N_MAX; n++)
		for (size_t count = 0; count <= n; count++) {
			const struct pl_call call = {.n_pos = n, .bytes = 4 * count};
			struct pl_pattern p = pattern(a, call);
			uint64_t knows[64];

			wrong += !pattern_run(&p, knows) || (n == 1 && p.n_messages) ||
				 (count == 0 && p.n_messages) ||
				 (collective == PL_ALLREDUCE && count > 0 && !all_know_all(&p));
			pl_pattern_fini(&p);
		}
	ok(wrong == 0, "%s %s: 0 to N elements", pl_collective_name(collective), name);
}

static void test_barrier(const char *name, size_t n_max)
{
	const struct pl_algorithm *a = find(PL_BARRIER, name);
	size_t wrong = 0;

	for (size_t n = 1; n <= n_max; n++) {
		struct pl_pattern p = pattern(a, (struct pl_call){.n_pos = n});

		wrong += !all_know_all(&p) || bytes_sent(&p);
		pl_pattern_fini(&p);
	}
	ok(wrong == 0, "barrier %s: all wait for all, up to %zu", name, n_max);
}

/* Bytes in all, for a buffer of 4 KiB. */
static void test_bytes(enum pl_collective collective, const char *name, size_t n, uint64_t want)
{
	struct pl_pattern p =
		pattern(find(collective, name), (struct pl_call){.n_pos = n, .bytes = 4096});

	if (!ok(bytes_sent(&p) == want, "%s %s of %zu: bytes in all",
		pl_collective_name(collective), name, n))
		printf("# %llu, not %llu\n", (unsigned long long)bytes_sent(&p),
		       (unsigned long long)want);
	pl_pattern_fini(&p);
}

static void test_formulas(void)
{
	const uint64_t m = 4096;

	test_bytes(PL_ALLREDUCE, "ring", 7, 2 * 6 * m);
	test_bytes(PL_ALLREDUCE, "segmented-ring", 7, 2 * 6 * m);
	test_bytes(PL_ALLREDUCE, "recursive-doubling", 16, 16 * 4 * m);
	test_bytes(PL_ALLREDUCE, "recursive-doubling", 21, (16 * 4 + 2 * 5) * m);
	test_bytes(PL_ALLREDUCE, "rabenseifner", 16, 2 * 15 * m);
	test_bytes(PL_ALLREDUCE, "rabenseifner", 21, 2 * 15 * m + 5 * (m + m / 2 + m));
	test_bytes(PL_ALLREDUCE, "linear", 9, 2 * 8 * m);
	test_bytes(PL_REDUCE_SCATTER, "ring", 8, 7 * m);
	test_bytes(PL_REDUCE_SCATTER, "recursive-halving", 8, 7 * m);
	test_bytes(PL_REDUCE_SCATTER, "butterfly", 8, 7 * m + 4 * m / 8);
}

/* Messages of a segmented ring: (phases + 1) (N - 1) of every rank. */
static size_t phases(size_t n, uint64_t count, uint64_t segment_bytes)
{
	struct pl_pattern p = pattern(
		find(PL_ALLREDUCE, "segmented-ring"),
		(struct pl_call){.n_pos = n, .bytes = 4 * count, .segment_bytes = segment_bytes});
	const size_t got = p.n_messages / n / (n - 1) - 1;

	pl_pattern_fini(&p);
	return got;
}

static void test_phases(void)
{
	is_int((int64_t)phases(5, 1000, 0), 1, "no segments: one phase");
	is_int((int64_t)phases(5, 1000, 400), 2, "100 of 200 elements: two");
	is_int((int64_t)phases(5, 1000, 803), 1, "201 of 200: one");
	is_int((int64_t)phases(5, 1000, 300), 3, "75 of 200: two thirds more");
	is_int((int64_t)phases(5, 1000, 340), 2, "85 of 200: not half more");
	is_int((int64_t)phases(5, 1000, 3), 1, "less than an element is no segment");
	is_int((int64_t)phases(5, 1000, 399), 2, "99 elements and three quarters are 100");
}

static void test_shapes(void)
{
	struct pl_call call = {.n_pos = 6, .bytes = 600};
	struct pl_shape s = {0};

	ok(pl_algorithm_shape(find(PL_ALLREDUCE, "ring"), &call, &s, NULL) == 0 &&
		   s.kind == PL_SUM && s.n_hops == 6 && s.hop[5].src == 5 && s.hop[5].dst == 0 &&
		   s.hop[5].bytes == 100,
	   "a ring costs the sum of its hops");
	pl_shape_fini(&s);
	call.bytes = 20;
	ok(pl_algorithm_shape(find(PL_ALLREDUCE, "ring"), &call, &s, NULL) == 0 &&
		   s.kind == PL_SUM_OF_MAXIMA && s.n_groups == 4,
	   "of fewer elements than ranks, what is run in its place");
	pl_shape_fini(&s);
	ok(pl_algorithm_shape(find(PL_BARRIER, "double-ring"), &call, &s, NULL) == 0 &&
		   s.kind == PL_SUM && s.n_hops == 6 && s.hop[0].times == 2,
	   "a double ring costs it twice");
	pl_shape_fini(&s);
	call.bytes = 1 << 16;
	ok(pl_algorithm_shape(find(PL_ALLTOALL, "linear"), &call, &s, NULL) == 0 &&
		   s.kind == PL_SUM_OF_MAXIMA && s.n_groups == 1 && s.n_hops == 30 &&
		   s.hop[29].times == 3 && s.hop[29].times * s.hop[29].bytes == 5 << 16,
	   "a hop of an all-to-all carries all that a rank sends");
	pl_shape_fini(&s);
}

static const char *refusal(enum pl_collective collective, const char *name, struct pl_call call)
{
	static struct pl_err err;
	struct pl_pattern p;

	memset(&err, 0, sizeof(err));
	if (pl_algorithm_pattern(find(collective, name), &call, &p, &err) == 0)
		pl_pattern_fini(&p);
	return err.code == PL_EUSAGE ? err.text : "";
}

static void test_refusals(void)
{
	static const char *const reduces[] = {"recursive-doubling", "ring", "segmented-ring",
					      "rabenseifner"};
	static const char *const scatters[] = {"nonoverlapping", "ring", "recursive-halving",
					       "butterfly"};
	const struct pl_call call = {.n_pos = 4, .bytes = 4 * ((uint64_t)INT_MAX + 1)};
	struct pl_call largest = call;

	for (size_t i = 0; i < 4; i++) {
		has_str(refusal(PL_ALLREDUCE, reduces[i], call), "int", reduces[i]);
		has_str(refusal(PL_REDUCE_SCATTER, scatters[i], call), "int", scatters[i]);
	}
	largest.bytes -= 4;
	is_str(refusal(PL_ALLREDUCE, "ring", largest), "",
	       "INT_MAX elements are a size like any other");
	has_str(refusal(PL_ALLREDUCE, "segmented-ring", largest), "segment",
		"but not of one segment, times the ranks");
	largest.segment_bytes = 1 << 20;
	is_str(refusal(PL_ALLREDUCE, "segmented-ring", largest), "", "of segments they are");
	has_str(refusal(PL_REDUCE_SCATTER, "block-butterfly",
			(struct pl_call){.n_pos = 3, .bytes = 16}),
		"equal blocks", "four elements in three equal blocks");
	has_str(refusal(PL_BARRIER, "two-proc", (struct pl_call){.n_pos = 3}), "two ranks",
		"two-proc of three");
	has_str(refusal(PL_ALLTOALL, "modified-bruck",
			(struct pl_call){.n_pos = 4, .bytes = (uint64_t)INT_MAX + 1}),
		"too many for Bruck", "2^31 elements for all");
	has_str(refusal(PL_ALLTOALL, "linear", (struct pl_call){.n_pos = 4096, .bytes = 4}),
		"more than 8388608 messages", "of 4096 ranks");
}

/* Every allocation refused once: an error each time, and nothing left over. */
static void test_no_memory(enum pl_collective collective, const char *name)
{
	const struct pl_algorithm *a = find(collective, name);
	const struct pl_call call = {.n_pos = 12, .bytes = 4 * 12 * 9};
	size_t k = 0, live, wrong = 0;
	bool failed;

	do {
		struct pl_err err = {0};
		struct pl_shape s = {0};
		int rc;

		failalloc_begin(k++);
		rc = pl_algorithm_shape(a, &call, &s, &err);
		if (rc == 0)
			pl_shape_fini(&s);
		failed = failalloc_end(&live);
		wrong += (rc != 0) != failed || live > 0 || (failed && err.code != PL_ESYSTEM);
	} while (failed);
	ok(k > 1 && !wrong, "%s %s: %zu allocations, each refused once",
	   pl_collective_name(collective), name, k - 1);
}

/* Powers of two: no round in which nothing is sent. */
static void test_rounds(enum pl_collective collective, const char *name, size_t per_bit)
{
	size_t wrong = 0;

	for (size_t bits = 1; bits <= 6; bits++) {
		const struct pl_call call = {.n_pos = (size_t)1 << bits,
					     .bytes = (uint64_t)64 << bits};
		struct pl_pattern p = pattern(find(collective, name), call);

		wrong += p.n_rounds != per_bit * bits;
		pl_pattern_fini(&p);
	}
	ok(wrong == 0, "%s: %zu rounds for each bit of N", name, per_bit);
}

int main(void)
{
	test_reductions(PL_ALLREDUCE, "linear", true);
	test_reductions(PL_ALLREDUCE, "nonoverlapping", true);
	test_reductions(PL_ALLREDUCE, "recursive-doubling", false);
	test_reductions(PL_ALLREDUCE, "ring", true);
	test_reductions(PL_ALLREDUCE, "segmented-ring", true);
	test_reductions(PL_ALLREDUCE, "rabenseifner", true);
	test_reductions(PL_ALLREDUCE, "default", false);
	test_reductions(PL_REDUCE_SCATTER, "nonoverlapping", true);
	test_reductions(PL_REDUCE_SCATTER, "recursive-halving", true);
	test_reductions(PL_REDUCE_SCATTER, "ring", true);
	test_reductions(PL_REDUCE_SCATTER, "butterfly", true);
	test_reductions(PL_REDUCE_SCATTER, "block-linear", true);
	test_reductions(PL_REDUCE_SCATTER, "block-recursive-doubling", false);
	test_reductions(PL_REDUCE_SCATTER, "block-recursive-halving", true);
	test_reductions(PL_REDUCE_SCATTER, "block-butterfly", true);
	test_reductions(PL_REDUCE_SCATTER, "block-default", false);
	test_few_elements(PL_ALLREDUCE, "ring");
	test_few_elements(PL_ALLREDUCE, "rabenseifner");
	test_few_elements(PL_ALLREDUCE, "default");
	test_few_elements(PL_REDUCE_SCATTER, "nonoverlapping");
	test_few_elements(PL_REDUCE_SCATTER, "recursive-halving");
	test_few_elements(PL_REDUCE_SCATTER, "ring");
	test_few_elements(PL_REDUCE_SCATTER, "butterfly");
	test_barrier("linear", 64);
	test_barrier("double-ring", 64);
	test_barrier("recursive-doubling", 64);
	test_barrier("bruck", 64);
	test_barrier("two-proc", 2);
	test_barrier("tree", 64);
	test_barrier("default", 64);
	test_rounds(PL_ALLREDUCE, "recursive-doubling", 1);
	test_rounds(PL_ALLREDUCE, "rabenseifner", 2);
	test_rounds(PL_REDUCE_SCATTER, "recursive-halving", 1);
	test_rounds(PL_REDUCE_SCATTER, "block-recursive-doubling", 1);
	test_rounds(PL_REDUCE_SCATTER, "block-butterfly", 1);
	test_formulas();
	test_phases();
	test_shapes();
	test_refusals();
	test_no_memory(PL_ALLREDUCE, "linear");
	test_no_memory(PL_ALLREDUCE, "nonoverlapping");
	test_no_memory(PL_ALLREDUCE, "ring");
	test_no_memory(PL_ALLREDUCE, "rabenseifner");
	test_no_memory(PL_REDUCE_SCATTER, "nonoverlapping");
	test_no_memory(PL_REDUCE_SCATTER, "block-linear");
	return done_testing();
}

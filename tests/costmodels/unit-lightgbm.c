/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-lightgbm.c - LightGBM's patterns against plain ones, and its rules */
#include "config.h"

#include "costmodels/catalogue.h"
#include "tests/costmodels/pattern-traffic.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#define N_MAX 40
#define MIB ((uint64_t)1 << 20)

static const struct pl_algorithm *find(enum pl_collective collective, const char *name)
{
	size_t radix;

	return pl_catalogue_find(collective, PL_LIGHTGBM, name, &radix, NULL);
}

/* Traffic by pair; ends of no bytes are mistakes. */
static bool traffic_of(enum pl_collective collective, const char *name, const struct pl_call *call,
		       uint64_t *traffic)
{
	struct pl_pattern p;
	bool good = true;

	if (pl_algorithm_pattern(find(collective, name), call, &p, NULL))
		return false;
	for (size_t i = 0; i < p.n_messages; i++)
		good = good && p.message[i].bytes > 0;
	pattern_traffic(&p, traffic);
	pl_pattern_fini(&p);
	return good;
}

/* Bytes of block @i of ceil(count / n) elements of four bytes. */
static uint64_t block(const struct pl_call *call, size_t i)
{
	const uint64_t step = 4 * ((call->bytes / 4 + call->n_pos - 1) / call->n_pos);
	uint64_t left = call->bytes;

	for (; i > 0; i--)
		left -= step < left ? step : left;
	return step < left ? step : left;
}

/*
 * Recursive halving in plain words: a list of groups, each a leader and the rank behind it or none;
 * the two halves of the list send each other the blocks of the other's groups; and so on in each
 * half.
 */
struct list {
	size_t leader[N_MAX + 1], n; /* leader[n]: one behind the last rank */
};

static void halve(const struct pl_call *call, const struct list *l, size_t first, size_t n,
		  uint64_t *traffic)
{
	const size_t half = n / 2, N = call->n_pos;

	if (n == 1)
		return;
	for (size_t g = first; g < first + n; g++) {
		const bool low = g < first + half;
		const size_t peer = low ? g + half : g - half;
		const size_t from = low ? first + half : first;

		for (size_t b = l->leader[from]; b < l->leader[from + half]; b++)
			traffic[l->leader[g] * N + l->leader[peer]] += block(call, b);
	}
	halve(call, l, first, half, traffic);
	halve(call, l, first + half, half, traffic);
}

static void plain_halving(const struct pl_call *call, uint64_t *traffic)
{
	const size_t n = call->n_pos;
	struct list l = {.n = 1};
	size_t rank = 0;

	memset(traffic, 0, n * n * sizeof(*traffic));
	while (2 * l.n <= n)
		l.n *= 2;
	for (size_t g = 0; g <= l.n; g++) {
		/* as many groups of one as leave all others two */
		const size_t size = 2 * (l.n - g) > n - rank ? 1 : 2;

		l.leader[g] = rank;
		if (g < l.n && size == 2) {
			traffic[(rank + 1) * n + rank] += call->bytes;
			traffic[rank * n + rank + 1] += block(call, rank + 1);
		}
		rank += size;
	}
	halve(call, &l, 0, l.n, traffic);
}

static void test_halving(void)
{
	static uint64_t got[N_MAX * N_MAX], want[N_MAX * N_MAX];
	size_t wrong = 0;

	for (size_t n = 2; n <= N_MAX; n++)
		for (uint64_t count = n - 1; count < 3000; count += 997) {
			const struct pl_call call = {.n_pos = n, .bytes = 4 * count};

			plain_halving(&call, want);
			wrong += !traffic_of(PL_REDUCE_SCATTER, "recursive-halving", &call, got) ||
				 memcmp(got, want, n * n * sizeof(*got)) != 0;
		}
	is_int((int64_t)wrong, 0, "recursive halving, N = 2 .. 40");
}

/* Whoever gathers has sent nothing twice: each rank gets N - 1 blocks. */
static void test_gathers(const char *name, bool powers_only)
{
	static uint64_t traffic[N_MAX * N_MAX];
	size_t wrong = 0;

	for (size_t n = 2; n <= N_MAX; n++) {
		const struct pl_call call = {.n_pos = n, .bytes = 12};
		const bool power = (n & (n - 1)) == 0;

		if (powers_only && !power) {
			wrong += traffic_of(PL_ALLGATHER, name, &call, traffic);
			continue;
		}
		wrong += !traffic_of(PL_ALLGATHER, name, &call, traffic);
		for (size_t dst = 0; dst < n; dst++) {
			uint64_t sum = 0;

			for (size_t src = 0; src < n; src++)
				sum += traffic[src * n + dst];
			wrong += sum != 12 * (n - 1);
		}
	}
	is_int((int64_t)wrong, 0, name);
}

static void decides(enum pl_collective collective, size_t n, uint64_t bytes, uint64_t element_bytes,
		    const char *name)
{
	struct pl_call decided, call = {.n_pos = n, .bytes = bytes, .element_bytes = element_bytes};
	const struct pl_algorithm *a;

	pl_call_check(&call, NULL);
	a = pl_algorithm_decide(find(collective, "default"), &call, &decided);
	ok(strcmp(a->name, name) == 0 && a->collective == collective,
	   "%s of %zu ranks, %llu bytes: %s", pl_collective_name(collective), n,
	   (unsigned long long)bytes, a->name);
}

static void test_rules(void)
{
	decides(PL_ALLREDUCE, 6, 4092, 4, "all-gather-bruck");
	decides(PL_ALLREDUCE, 6, 4096, 4, "halving-bruck");
	decides(PL_ALLREDUCE, 8, 4092, 4, "all-gather-doubling");
	decides(PL_ALLREDUCE, 8, 4096, 4, "halving-doubling");
	decides(PL_ALLREDUCE, 8, 7 << 10, 1 << 10, "all-gather-doubling");
	decides(PL_ALLREDUCE, 8, 7 * MIB, MIB, "all-gather-ring");
	decides(PL_ALLREDUCE, 64, 7 * MIB, MIB, "all-gather-doubling");
	decides(PL_ALLREDUCE, 8, 10 * MIB, 4, "halving-doubling");
	decides(PL_ALLREDUCE, 8, 10 * MIB + 4, 4, "halving-ring");
	decides(PL_ALLREDUCE, 64, 10 * MIB + 4, 4, "halving-doubling");
	decides(PL_ALLREDUCE, 6, 10 * MIB - 4, 4, "halving-bruck");
	decides(PL_ALLREDUCE, 6, 10 * MIB, 4, "ring-bruck");
	decides(PL_ALLREDUCE, 6, 10 * MIB + 4, 4, "ring");
	decides(PL_ALLREDUCE, 63, 10 * MIB + 4, 4, "ring");
	decides(PL_ALLREDUCE, 65, 10 * MIB + 4, 4, "ring-bruck");
	decides(PL_ALLGATHER, 5, 2 * MIB, 4, "bruck");
	decides(PL_ALLGATHER, 5, 2 * MIB + 4, 4, "ring");
	decides(PL_ALLGATHER, 4, 4, 4, "recursive-doubling");
	decides(PL_ALLGATHER, 65, MIB, 4, "bruck");
	decides(PL_REDUCE_SCATTER, 6, 10 * MIB - 4, 4, "recursive-halving");
	decides(PL_REDUCE_SCATTER, 6, 10 * MIB, 4, "ring");
	decides(PL_REDUCE_SCATTER, 8, 100 * MIB, 4, "recursive-halving");
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
	const struct pl_call large = {.n_pos = 3, .bytes = 1ULL << 31};
	const struct pl_call huge = {.n_pos = 3, .bytes = INT64_MAX - 3};
	const struct pl_call six = {.n_pos = 6, .bytes = 6 << 10};

	has_str(refusal(PL_ALLREDUCE, "default", large), "int32_t", "2 GiB");
	has_str(refusal(PL_ALLREDUCE, "default", huge), "int32_t", "2^63");
	has_str(refusal(PL_REDUCE_SCATTER, "ring", huge), "int32_t", "2^63, reduced and scattered");
	has_str(refusal(PL_ALLGATHER, "ring", (struct pl_call){.n_pos = 4, .bytes = 1 << 29}),
		"int32_t", "2 GiB of all ranks together");
	has_str(refusal(PL_ALLGATHER, "default", huge), "int32_t", "2^63, gathered");
	has_str(refusal(PL_ALLREDUCE, "halving-doubling", six), "power of two",
		"doubling over 6 ranks");
	has_str(refusal(PL_ALLREDUCE, "all-gather-doubling", six), "power of two",
		"gathering all by doubling over 6 ranks");
}

int main(void)
{
	test_halving();
	test_gathers("ring", false);
	test_gathers("bruck", false);
	test_gathers("recursive-doubling", true);
	test_rules();
	test_refusals();
	return done_testing();
}

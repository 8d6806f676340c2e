/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-mpich.c - MPICH's patterns: they end, all is added up, hosts and
 * rules */
/* What MPICH sends is what tests/costmodels/0905-traffic-mpich.t holds them against. */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/settings.h"
#include "tests/costmodels/pattern-run.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <limits.h>
#include <string.h>

#define N_MAX 33

static const struct pl_algorithm *find(enum pl_collective collective, const char *name)
{
	size_t radix;

	return pl_catalogue_find(collective, PL_MPICH, name, &radix, NULL);
}

/* Does every rank know of all it must: all of all, or the root of all (reduce), or all of the root
 * (broadcast)? */
static bool knows_enough(const struct pl_algorithm *a, const struct pl_call *call,
			 const uint64_t *knows)
{
	const uint64_t all = UINT64_MAX >> (64 - call->n_pos);

	for (size_t i = 0; i < call->n_pos; i++) {
		const uint64_t must = a->collective == PL_BROADCAST ? UINT64_C(1) << call->root
				      : a->collective == PL_REDUCE && i != call->root ? 0
										      : all;

		if ((knows[i] & must) != must)
			return false;
	}
	return true;
}

/* Bytes that are added up must be (N - 1) times the buffer at least. */
static bool adds_enough(const struct pl_algorithm *a, const struct pl_call *call,
			const struct pl_pattern *p)
{
	const bool reduces = a->collective == PL_ALLREDUCE || a->collective == PL_REDUCE ||
			     a->collective == PL_REDUCE_SCATTER;
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n_work; i++)
		sum += p->work[i].reduce_bytes;
	return reduces ? sum >= (call->n_pos - 1) * call->bytes : sum == 0;
}

/* false with *refused counted where the library refuses. */
static bool holds(const struct pl_algorithm *a, const struct pl_call *call, bool complete,
		  size_t *refused)
{
	struct pl_pattern p;
	struct pl_shape shape;
	uint64_t knows[64];
	bool good;

	if (pl_algorithm_pattern(a, call, &p, NULL)) {
		++*refused;
		return true;
	}
	good = pattern_run(&p, knows) &&
	       (!complete || (knows_enough(a, call, knows) && adds_enough(a, call, &p)));
	for (size_t i = 0; i < p.n_messages; i++)
		good = good && p.message[i].src != p.message[i].dst;
	good = good && pl_algorithm_shape(a, call, &shape, NULL) == 0 &&
	       shape.n_pos == call->n_pos && (p.n_messages == 0) == (shape.n_hops == 0);
	pl_shape_fini(&shape);
	pl_pattern_fini(&p);
	return good;
}

static size_t wrong_of(const struct pl_algorithm *a, size_t n, size_t *refused)
{
	size_t wrong = 0;

	for (size_t slots = 1; slots <= n && slots <= 4; slots++)
		for (size_t count = 0; count <= 3 * n; count += n / 3 + 1)
			for (size_t root = 0; root < n; root += n / 2 + 1) {
				const bool rooted = pl_collective_has_root(a->collective);
				const bool barrier = a->collective == PL_BARRIER;
				const struct pl_call call = {.n_pos = n,
							     .bytes = barrier ? 0 : 4 * count,
							     .slots = slots,
							     .root = rooted ? root : 0};

				wrong += !holds(a, &call, barrier || count >= n, refused);
			}
	return wrong;
}

static void test_all(void)
{
	const struct pl_algorithm *a = pl_mpich_algorithms;

	for (; a->name; a++) {
		const bool needs_equal = strstr(a->name, "block-");
		size_t wrong = 0, refused = 0;

		for (size_t n = 1; n <= N_MAX; n++)
			wrong += wrong_of(a, n, &refused);
		ok(wrong == 0 && (refused > 0) == needs_equal,
		   "%s %s: up to %d ranks, up to 4 on a host: it ends, all is there",
		   pl_collective_name(a->collective), a->name, N_MAX);
	}
}

/* Where each rule changes: the same bytes, all ranks' blocks together, and one less. */
static void test_rule(enum pl_collective collective, const char *rule, size_t n, uint64_t bytes,
		      const char *below, const char *from)
{
	struct pl_call call = {.n_pos = n, .element_bytes = 1, .slots = 1};
	struct pl_call decided;
	const struct pl_algorithm *a = find(collective, rule);
	char got[120], want[120];

	call.bytes = bytes - 1;
	snprintf(want, sizeof(want), "%s then %s", below, from);
	snprintf(got, sizeof(got), "%s then ", pl_algorithm_decide(a, &call, &decided)->name);
	call.bytes = bytes;
	strcat(got, pl_algorithm_decide(a, &call, &decided)->name);
	is_str(got, want, pl_collective_name(collective));
}

static void test_rules(void)
{
	const char *const scatter = "scatter-recursive-doubling-allgather";
	const char *const ring = "scatter-ring-allgather";

	test_rule(PL_ALLREDUCE, "default", 4, 9, "recursive-doubling", "reduce-scatter-allgather");
	test_rule(PL_ALLREDUCE, "default", 33, 32, "recursive-doubling",
		  "reduce-scatter-allgather");
	test_rule(PL_BROADCAST, "default", 7, 524289, "binomial", "binomial");
	test_rule(PL_BROADCAST, "default", 8, 12289, "binomial", scatter);
	test_rule(PL_BROADCAST, "default", 16, 524289, scatter, ring);
	test_rule(PL_BROADCAST, "default", 9, 12289, "binomial", ring);
	test_rule(PL_REDUCE, "default", 9, 2049, "binomial", "reduce-scatter-gather");
	test_rule(PL_ALLGATHER, "default", 8, 65536, "recursive-doubling", "ring");
	test_rule(PL_ALLGATHER, "default", 5, 16384, "brucks", "ring");
	test_rule(PL_REDUCE_SCATTER, "default", 5, 524288, "recursive-halving", "pairwise");
	test_rule(PL_REDUCE_SCATTER, "block-default", 8, 524288, "block-recursive-halving",
		  "block-pairwise");
	test_rule(PL_ALLTOALL, "default", 9, 257, "brucks", "scattered");
	test_rule(PL_ALLTOALL, "default", 8, 257, "scattered", "scattered");
	test_rule(PL_ALLTOALL, "default", 8, 32769, "scattered", "pairwise");
}

/* Messages between hosts, and within them. */
static void test_hosts(enum pl_collective collective, const char *name, struct pl_call call,
		       size_t between, size_t within)
{
	struct pl_pattern p;
	size_t n_between = 0;

	if (pl_algorithm_pattern(find(collective, name), &call, &p, NULL)) {
		ok(false, "%s %s", pl_collective_name(collective), name);
		return;
	}
	for (size_t i = 0; i < p.n_messages; i++)
		n_between += p.message[i].src / call.slots != p.message[i].dst / call.slots;
	ok(n_between == between && p.n_messages - n_between == within,
	   "%s %s of %zu ranks, %zu a host: %zu messages between hosts, %zu within",
	   pl_collective_name(collective), name, call.n_pos, call.slots, n_between,
	   p.n_messages - n_between);
	pl_pattern_fini(&p);
}

static void test_parts(void)
{
	struct pl_call call = {.n_pos = 8, .bytes = 4096, .slots = 2};

	test_hosts(PL_ALLREDUCE, "default", call, 16, 4 * (2 + 1) + 4);
	test_hosts(PL_ALLREDUCE, "recursive-doubling", call, 8, 4 * (2 + 1) + 4);
	test_hosts(PL_BARRIER, "default", call, 8, 8 + 4);
	call.root = 3;
	test_hosts(PL_BROADCAST, "default", call, 3, 1 + 4);
	test_hosts(PL_REDUCE, "default", call, 8 + 3 + 1, 4 * (2 + 1));
	call.bytes = 1024;
	test_hosts(PL_REDUCE, "default", call, 3, 4);
	call.slots = 8;
	test_hosts(PL_ALLREDUCE, "default", call, 0, 48);
}

/* 32 KiB with a handshake, 16 KiB without. */
static void test_weights(void)
{
	const struct pl_call call = {.n_pos = 4, .bytes = 1 << 16};
	struct pl_shape shape;
	size_t dear = 0, plain = 0;

	if (pl_algorithm_shape(find(PL_ALLREDUCE, "default"), &call, &shape, NULL)) {
		ok(false, "a shape");
		return;
	}
	for (size_t i = 0; i < shape.n_hops; i++) {
		const struct pl_hop *h = &shape.hop[i];

		dear += h->times == 5 && h->times * h->bytes == 1 << 15;
		plain += h->times == 1 && h->bytes == 1 << 14;
	}
	ok(dear == 8 && plain == 8, "hops with a handshake are taken five times, their bytes once");
	pl_shape_fini(&shape);
}

static void test_settings(void)
{
	char text[PL_SETTING_CHARS];
	const struct pl_algorithm *a = find(PL_REDUCE_SCATTER, "block-recursive-halving");

	is_str(pl_algorithm_setting(text, a, 0, 0),
	       "-genv MPIR_CVAR_REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM recursive_halving",
	       "MPI_Reduce_scatter_block has a variable of its own");
	a = find(PL_BROADCAST, "scatter-ring-allgather");
	is_str(pl_algorithm_setting(text, a, 0, 0),
	       "-genv MPIR_CVAR_BCAST_INTRA_ALGORITHM scatter_ring_allgather",
	       "broadcast is bcast there, and hyphens are underscores");
}

static void test_refusals(void)
{
	struct pl_call call = {.n_pos = 4, .bytes = 4 * ((uint64_t)INT_MAX + 1)};
	struct pl_pattern p;
	struct pl_err err = {0};

	ok(pl_algorithm_pattern(find(PL_ALLREDUCE, "default"), &call, &p, &err) &&
		   strstr(err.text, "counts them in an int"),
	   "more elements than an int counts: %s", err.text);
	call.bytes = (uint64_t)INT_MAX + 1;
	ok(pl_algorithm_pattern(find(PL_BROADCAST, "scatter-ring-allgather"), &call, &p, &err) &&
		   strstr(err.text, "MPICH 4.0 counts them in an int"),
	   "more bytes than MPICH counts in one: %s", err.text);
	ok(pl_algorithm_pattern(find(PL_ALLGATHER, "default"), &call, &p, &err) &&
		   strstr(err.text, "each of 4 ranks"),
	   "and in an all-gather: %s", err.text);
}

static void test_memory(void)
{
	const struct pl_algorithm *a = find(PL_ALLREDUCE, "default");
	const struct pl_call call = {.n_pos = 9, .bytes = 4096, .slots = 3};
	struct pl_pattern p;
	size_t k = 0, leaks = 0, live;
	bool failed = true, wrong = false;

	while (failed) {
		int rc;

		failalloc_begin(k++);
		rc = pl_algorithm_pattern(a, &call, &p, NULL);
		if (rc == 0)
			pl_pattern_fini(&p);
		failed = failalloc_end(&live);
		leaks += live;
		wrong = wrong || (rc != 0) != failed;
	}
	ok(k > 10 && leaks == 0 && !wrong,
	   "memory that is not there is an error, and nothing is left: %zu times", k - 1);
}

int main(void)
{
	test_all();
	test_rules();
	test_parts();
	test_weights();
	test_settings();
	test_refusals();
	test_memory();
	return done_testing();
}

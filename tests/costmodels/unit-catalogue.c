/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-catalogue.c - what holds for every algorithm there is */
#include "config.h"

#include "costmodels/catalogue.h"
#include "tests/costmodels/pattern-run.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_MAX 18

struct tally {
	size_t runs, refused, locked, ignorant, shapeless;
};

/* Of ranks on each host: two where that matters. */
static size_t slots_of(const struct pl_algorithm *a, size_t n)
{
	return a->for_slots && n > 1 ? 2 : 1;
}

/* Does every rank come to know what the collective is for? */
static bool informed(const struct pl_algorithm *a, const struct pl_call *call,
		     const uint64_t *knows)
{
	const uint64_t all = ((uint64_t)1 << call->n_pos) - 1;

	for (size_t r = 0; r < call->n_pos; r++)
		switch (a->collective) {
		case PL_BROADCAST:
			if (!(knows[r] >> call->root & 1))
				return false;
			break;
		case PL_REDUCE:
			if (r == call->root && knows[r] != all)
				return false;
			break;
		default:
			if (knows[r] != all)
				return false;
		}
	return true;
}

/* Hops are between two positions of the call, in a group that is one, and take something. A rank
 * alone has none. */
static bool sound(const struct pl_shape *s, const struct pl_call *call)
{
	if (s->n_pos != call->n_pos || (call->n_pos == 1 && s->n_hops > 0))
		return false;
	for (size_t i = 0; i < s->n_hops; i++)
		if (s->hop[i].src >= s->n_pos || s->hop[i].dst >= s->n_pos ||
		    s->hop[i].src == s->hop[i].dst || s->hop[i].group >= s->n_groups ||
		    !(s->hop[i].times > 0) || !(s->hop[i].bytes >= 0))
			return false;
	return true;
}

/* With few elements some ranks may have nothing to do: they need not know. */
static void run(const struct pl_algorithm *a, const struct pl_call *call, struct tally *t)
{
	const bool enough = call->bytes >= 4 * call->n_pos || a->collective == PL_BARRIER;
	struct pl_pattern p;
	struct pl_shape s;
	struct pl_err err = {0};
	uint64_t knows[64];

	if (pl_algorithm_pattern(a, call, &p, &err)) {
		t->refused++;
		t->shapeless += err.code != PL_EUSAGE;
		return;
	}
	t->runs++;
	t->locked += !pattern_run(&p, knows);
	t->ignorant += enough && !informed(a, call, knows);
	pl_pattern_fini(&p);
	if (pl_algorithm_shape(a, call, &s, NULL)) {
		t->shapeless++;
		return;
	}
	t->shapeless += !sound(&s, call);
	pl_shape_fini(&s);
}

/* Roots at one end and behind the middle. */
static size_t next_root(const struct pl_algorithm *a, size_t n, size_t root)
{
	return pl_collective_has_root(a->collective) ? root + n / 2 + 1 : n;
}

/* Sizes that every rank has a share of, and some that they have not. */
static void test_calls(const struct pl_algorithm *a, const char *name)
{
	struct tally t = {0};

	for (size_t n = 1; n <= N_MAX; n++) {
		const uint64_t sizes[] = {0, 4 * n, 4 * 97 * n, 1 << 12};

		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
			for (size_t root = 0; root < n; root = next_root(a, n, root))
				run(a,
				    &(struct pl_call){.n_pos = n,
						      .bytes = sizes[i],
						      .root = root,
						      .slots = slots_of(a, n)},
				    &t);
	}
	ok(t.locked + t.ignorant + t.shapeless == 0 && t.runs > 0,
	   "%s: %zu calls, %zu refused; %zu lock, %zu lack, %zu without shape", name, t.runs,
	   t.refused, t.locked, t.ignorant, t.shapeless);
}

/* Of each two ranks, in either direction. */
typedef double pairs[N_MAX][N_MAX];

static double *pair(pairs of, size_t a, size_t b)
{
	return &of[a < b ? a : b][a < b ? b : a];
}

/* Is each of the one so many times that of the other, as often for all? */
static bool in_ratio(pairs hops, pairs sent)
{
	double ratio = 0;

	for (size_t i = 0; i < N_MAX * N_MAX; i++) {
		const double h = hops[i / N_MAX][i % N_MAX], s = sent[i / N_MAX][i % N_MAX];

		if ((h > 0) != (s > 0) || (s > 0 && ratio > 0 && fabs(h / s / ratio - 1) > 1e-3))
			return false;
		if (s > 0)
			ratio = h / s;
	}
	return true;
}

/* Do hops of the shape stand for the pattern's messages, or bytes? */
static bool weighed(const struct pl_algorithm *a, const struct pl_call *call, bool by_bytes)
{
	pairs hops = {{0}}, sent = {{0}};
	struct pl_pattern p;
	struct pl_shape s;

	if (pl_algorithm_pattern(a, call, &p, NULL))
		return true;
	for (size_t i = 0; i < p.n_messages; i++)
		*pair(sent, p.message[i].src, p.message[i].dst) +=
			by_bytes ? (double)p.message[i].bytes : 1;
	pl_pattern_fini(&p);
	if (pl_algorithm_shape(a, call, &s, NULL))
		return false;
	for (size_t i = 0; i < s.n_hops; i++)
		*pair(hops, s.hop[i].src, s.hop[i].dst) +=
			s.hop[i].times * (by_bytes ? s.hop[i].bytes : 1);
	pl_shape_fini(&s);
	return in_ratio(hops, sent);
}

/* Shapes that leave something out: a first round and a last one, and what the library does for
 * small messages or for the first segment alone. */
static bool is_rough(const struct pl_algorithm *a, size_t n, bool by_bytes)
{
	static const char *const few[] = {"two-level", "scatter-allgather-ring", "pat"};
	bool rough =
		(a->impl == PL_THESIS && !strcmp(a->name, "halving-doubling") && n & (n - 1)) ||
		(a->collective == PL_BROADCAST && !strcmp(a->name, "han"));

	for (size_t i = 0; !by_bytes && i < sizeof(few) / sizeof(*few); i++)
		rough |= !strcmp(a->name, few[i]);
	return rough;
}

/* What a hop costs against others is what the messages say. */
static void test_weights(const struct pl_algorithm *a, const char *name)
{
	size_t wrong = 0;

	for (size_t n = 2; n <= N_MAX; n++)
		for (size_t root = 0; root < n; root = next_root(a, n, root))
			for (size_t by_bytes = 0; by_bytes < 2; by_bytes++) {
				const struct pl_call call = {.n_pos = n,
							     .bytes = by_bytes ? n << 16 : 32 * n,
							     .root = root,
							     .slots = slots_of(a, n)};

				wrong += !is_rough(a, n, by_bytes) && !weighed(a, &call, by_bytes);
			}
	is_int((int64_t)wrong, 0, name);
}

/* Parents of ranks 1, 2, ... as the tracker gives them. */
static void test_rabit(void)
{
	const struct pl_algorithm *a = pl_catalogue_named(PL_ALLREDUCE, PL_XGBOOST, "rabit-tree");
	char path[4096], line[256], *at;
	size_t trees = 0, wrong = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/tools/rabit-trees", getenv("srcdir"));
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		const struct pl_call call = {.n_pos = strtoul(line, &at, 10), .bytes = 4};
		struct pl_shape s;

		if (*line == '#' || pl_algorithm_shape(a, &call, &s, NULL))
			continue;
		at++;
		wrong += s.n_hops + 1 != call.n_pos;
		for (size_t i = 0; i < s.n_hops; i++)
			wrong += s.hop[i].dst != i + 1 || s.hop[i].src != strtoul(at, &at, 10);
		trees++;
		pl_shape_fini(&s);
	}
	if (f)
		fclose(f);
	ok(trees == 17 && wrong == 0, "rabit's trees: %zu, %zu wrong parents", trees, wrong);
}

/* What the library refuses has neither pattern nor shape, all else both: none of these calls takes
 * too many messages. Of more than two ranks the large ones are cut into few segments: what is
 * refused does not depend on these. */
static void test_refusals(const struct pl_algorithm *a, const char *name)
{
	static const uint64_t sizes[] = {
		0, 4, 4 * 97, (uint64_t)1 << 31, ((uint64_t)1 << 33) - 4,
	};
	size_t differ = 0, calls = 0;

	for (size_t n = 1; n <= 8; n += n < 2 ? 1 : 5)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			const bool few = a->takes_segment && n > 2 && sizes[i] > UINT32_MAX / 4;
			const struct pl_call call = {
				.n_pos = n, .bytes = sizes[i], .segment_bytes = few ? 1 << 28 : 0};
			struct pl_pattern p;
			struct pl_shape s;
			const int no_pattern = pl_algorithm_pattern(a, &call, &p, NULL);
			const int no_shape = pl_algorithm_shape(a, &call, &s, NULL);

			if (!no_pattern)
				pl_pattern_fini(&p);
			if (!no_shape)
				pl_shape_fini(&s);
			differ += no_pattern != no_shape;
			calls++;
		}
	ok(differ == 0, "%s: %zu of %zu calls with a pattern or a shape alone", name, differ,
	   calls);
}

/* Each allocation refused in turn: an error, and nothing left. */
static void test_memory(const struct pl_algorithm *a, const char *name)
{
	const bool levels = a->for_slots;
	const struct pl_call call = {.n_pos = levels ? 6 : 7,
				     .bytes = 28 << 10,
				     .segment_bytes = levels ? 8 << 10 : 0,
				     .slots = slots_of(a, 7)};
	const struct pl_call two = {.n_pos = 2, .bytes = 8};
	struct pl_pattern p;
	struct pl_shape s;
	size_t live, wrong = 0;
	bool failed = true, refused;

	refused = pl_algorithm_pattern(a, &call, &p, NULL) != 0;
	if (!refused)
		pl_pattern_fini(&p);
	for (size_t k = 0; failed; k++) {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k);
		rc = pl_algorithm_pattern(a, refused ? &two : &call, &p, &err);
		if (rc == 0)
			pl_pattern_fini(&p);
		failed = failalloc_end(&live);
		wrong += failed != (rc != 0) || live > 0 || (rc && err.code != PL_ESYSTEM);
	}
	failed = true;
	for (size_t k = 0; failed; k++) {
		int rc;

		failalloc_begin(k);
		rc = pl_algorithm_shape(a, refused ? &two : &call, &s, NULL);
		if (rc == 0)
			pl_shape_fini(&s);
		failed = failalloc_end(&live);
		wrong += failed != (rc != 0) || live > 0;
	}
	is_int((int64_t)wrong, 0, name);
}

/* A name with its colon, if any, finds the entry again. */
static void test_name(const struct pl_algorithm *a, const char *name)
{
	char with[80];
	size_t radix = 0;

	snprintf(with, sizeof(with), "%s:3", a->name);
	ok(pl_catalogue_find(a->collective, a->impl, a->name, &radix, NULL) == a && radix == 0 &&
		   (pl_catalogue_find(a->collective, a->impl, with, &radix, NULL) == a) ==
			   a->takes_radix &&
		   a->summary && *a->summary,
	   "%s: found by its name", name);
}

/* How the messages of a call in such segments differ from one without; -1
 * where it cannot be made. */
static int cut(const struct pl_algorithm *a, size_t n, uint64_t segment_bytes)
{
	struct pl_call call = {.n_pos = n, .bytes = n << 18, .slots = slots_of(a, n)};
	struct pl_pattern whole, parts;
	int differ;

	if (pl_algorithm_pattern(a, &call, &whole, NULL))
		return -1;
	call.segment_bytes = segment_bytes;
	if (pl_algorithm_pattern(a, &call, &parts, NULL)) {
		pl_pattern_fini(&whole);
		return -1;
	}
	differ = whole.n_messages != parts.n_messages;
	for (size_t i = 0; !differ && i < whole.n_messages; i++)
		differ = whole.message[i].bytes != parts.message[i].bytes;
	pl_pattern_fini(&whole);
	pl_pattern_fini(&parts);
	return differ;
}

/* Segments change what those who take them send, and nobody else. */
static void test_segments(const struct pl_algorithm *a, const char *name)
{
	static const uint64_t segments[] = {1 << 14, 1 << 17};
	bool differ = false;

	for (size_t n = 2; n <= 9; n++)
		for (size_t i = 0; i < 2; i++)
			differ |= cut(a, n, segments[i]) > 0;
	ok(differ == a->takes_segment, "%s: %s segments", name,
	   a->takes_segment ? "takes" : "knows no");
}

/* Chains and groups may be one; cubes and trees in ones come to no end. */
static void test_radix_one(const struct pl_algorithm *a, const char *name)
{
	const struct pl_call call = {.n_pos = 8, .bytes = 64, .radix = 1};
	const bool grows = strcmp(a->name, "bcube") == 0 || strcmp(a->name, "knomial") == 0;
	struct pl_shape shape;
	struct pl_pattern p;
	struct pl_err err[2] = {{0}};

	if (pl_algorithm_pattern(a, &call, &p, &err[0]) == 0)
		pl_pattern_fini(&p);
	if (pl_algorithm_shape(a, &call, &shape, &err[1]) == 0)
		pl_shape_fini(&shape);
	for (size_t i = 0; i < 2; i++)
		ok(err[i].code == (grows ? PL_EUSAGE : PL_OK), "%s:1: %s", name,
		   grows ? err[i].text : "goes");
}

int main(void)
{
	const struct pl_algorithm *a;
	char name[80];
	size_t i;

	for (i = 0; (a = pl_catalogue_entry(i)); i++) {
		snprintf(name, sizeof(name), "%s %s %s", pl_collective_name(a->collective),
			 pl_impl_name(a->impl), a->name);
		test_name(a, name);
		test_calls(a, name);
		if (!a->decide)
			test_weights(a, name);
		test_segments(a, name);
		if (a->takes_radix)
			test_radix_one(a, name);
		test_refusals(a, name);
		test_memory(a, name);
	}
	ok(i > 0, "%zu algorithms", i);
	test_rabit();
	return done_testing();
}

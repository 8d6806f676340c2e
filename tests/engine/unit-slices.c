/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-slices.c - every all-reduce adds up each contribution once, on every rank */
#include "config.h"

#include "costmodels/catalogue.h"
#include "engine/slices.h"
#include "tests/tap.h"

#define N_MAX 33

/* Bytes of the calls: fewer elements than ranks, odd numbers, several segments of those that have
 * them. An odd number is one of elements of a byte. */
static const uint64_t sizes[] = {4, 28, 260, 4124, 40004, 1200004, 1, 13, 1021, 40009};
#define N_SIZES (sizeof(sizes) / sizeof(*sizes))
/* Those of check_pair. */
#define N_PAIR_SIZES 6

static uint64_t element_bytes(uint64_t bytes)
{
	return bytes % 4 ? 1 : 4;
}

/* A reduce, and then a broadcast from its root, are an all-reduce. */
static int pair_pattern(const struct pl_algorithm *reduce, const struct pl_algorithm *broadcast,
			struct pl_call call, struct pl_pattern *p, struct pl_err *err)
{
	struct pl_script s, next;
	int rc = -1;

	if (pl_algorithm_script(reduce, &call, &s, err))
		return -1;
	pl_script_buffer(&s, call.bytes, false);
	if (pl_algorithm_script(broadcast, &call, &next, err) == 0) {
		pl_script_append(&s, &next);
		rc = pl_script_finish(&s, p, err);
		pl_script_fini(&next);
	}
	pl_script_fini(&s);
	return rc;
}

/* Runs a call symbolically, of @a and then of @broadcast unless that is NULL; the text of the first
 * fault, NULL if there is none. */
static const char *fault(const struct pl_algorithm *a, const struct pl_algorithm *broadcast,
			 struct pl_call call, struct pl_err *err)
{
	struct pl_slices slices = {0};
	struct pl_pattern p = {0};
	int rc = broadcast ? pair_pattern(a, broadcast, call, &p, err)
			   : pl_algorithm_pattern(a, &call, &p, err);

	if (rc) /* the library refuses */
		return err->code == PL_EUSAGE ? NULL : err->text;
	p.n_strands = 0; /* one after the other will do */
	if (call.n_pos > 1)
		rc = pl_slices_of_pattern(&slices, &p, err);
	for (size_t i = 0; rc == 0 && i < slices.n; i++)
		rc = pl_slice_check(&slices.slice[i], call.n_pos, 0, slices.owner[i], err);
	pl_slices_fini(&slices);
	pl_pattern_fini(&p);
	return rc ? err->text : NULL;
}

/* Gloo's class BCube: unless N is c * 3^k with c < 3, ranks are left out of
 * groups. A single element is stored by each of a group for each other one:
 * its sum is right, but rounds have no place for that. */
static bool gloo_bcube_3_fails(const struct pl_call *call)
{
	size_t n = call->n_pos;

	while (n % 3 == 0)
		n /= 3;
	return n > 2 || (call->bytes == call->element_bytes && call->n_pos > 2);
}

/* What the libraries themselves get wrong. */
static const struct {
	enum pl_impl impl;
	const char *name;
	size_t radix;
	bool (*fails)(const struct pl_call *call);
} exceptions[] = {
	{PL_GLOO, "bcube", 3, gloo_bcube_3_fails},
};

static bool is_exception(const struct pl_algorithm *a, const struct pl_call *call)
{
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++)
		if (exceptions[i].impl == a->impl && exceptions[i].radix == call->radix &&
		    strcmp(exceptions[i].name, a->name) == 0)
			return exceptions[i].fails(call);
	return false;
}

/* MPICH and coll/han have phases of their own where hosts have several
 * ranks. */
static size_t slots(const struct pl_algorithm *a, size_t n_pos, uint64_t bytes)
{
	return (a->impl == PL_MPICH || a->for_slots) && bytes % n_pos % 2 ? 2 : 1;
}

static void check_algorithm(const struct pl_algorithm *a, size_t radix, uint64_t segment)
{
	struct pl_err err = {0};
	size_t n_refused = 0;

	for (size_t n = 1; n <= N_MAX; n++)
		for (size_t i = 0; i < N_SIZES; i++) {
			const struct pl_call call = {.n_pos = n,
						     .bytes = sizes[i],
						     .element_bytes = element_bytes(sizes[i]),
						     .slots = slots(a, n, sizes[i]),
						     .radix = radix,
						     /* a dozen of the largest call are enough */
						     .segment_bytes = sizes[i] > 100 * segment
									      ? 100 * segment
									      : segment};
			const char *text = fault(a, NULL, call, &err);

			n_refused += !text && err.code == PL_EUSAGE;
			err.code = PL_OK;
			if (is_exception(a, &call))
				text = text ? NULL : "the library is right";
			if (text) {
				ok(false, "%s %s, %zu ranks, %llu bytes: %s", pl_impl_name(a->impl),
				   a->name, n, (unsigned long long)sizes[i], text);
				return;
			}
		}
	/* some are for 1, 2, 4, ... 32 ranks only */
	ok(n_refused <= (N_MAX - 6) * N_SIZES,
	   "%s %s%s%s: each contribution once, %zu of %zu calls refused", pl_impl_name(a->impl),
	   a->name, radix ? ", with a number" : "", segment ? ", in segments" : "", n_refused,
	   N_MAX * N_SIZES);
}

static void check_all(void)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		if (a->collective != PL_ALLREDUCE)
			continue;
		check_algorithm(a, 0, 0);
		if (a->takes_radix)
			check_algorithm(a, 3, 0);
		if (a->takes_segment)
			check_algorithm(a, 0, 1000);
	}
}

/* Of any number of ranks, on hosts of several, with bytes as elements, to any root; radix and
 * segments are for those that have them. */
static void check_pair(const struct pl_algorithm *reduce, const struct pl_algorithm *broadcast)
{
	const char *text = NULL;
	struct pl_call call = {0};
	struct pl_err err = {0};

	for (size_t i = 0; !text && i < N_MAX * N_PAIR_SIZES * 4; i++) {
		call = (struct pl_call){
			.n_pos = 1 + i % N_MAX,
			.bytes = sizes[i / N_MAX % N_PAIR_SIZES],
			.element_bytes = i / N_MAX / N_PAIR_SIZES % 2 ? 1 : 4,
			.radix = i / N_MAX / N_PAIR_SIZES / 2 ? 3 : 0,
		};
		call.root = call.bytes % call.n_pos;
		call.slots =
			slots(broadcast->for_slots ? broadcast : reduce, call.n_pos, call.bytes);
		call.segment_bytes = call.radix ? call.bytes / 5 : 0;
		text = fault(reduce, broadcast, call, &err);
	}
	ok(!text, "%s %s, broadcast %s%s%s", pl_impl_name(reduce->impl), reduce->name,
	   broadcast->name, text ? ": " : "", text ? text : "");
	if (text)
		printf("# %zu ranks, root %zu, %llu bytes\n", call.n_pos, call.root,
		       (unsigned long long)call.bytes);
}

/* Large communicators take reduces and broadcasts that those of N_MAX ranks do not. */
static void check_pairs(enum pl_impl impl)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		if (a->impl != impl || a->decide)
			continue;
		if (a->collective == PL_REDUCE)
			check_pair(a, pl_catalogue_named(PL_BROADCAST, impl, "binomial"));
		if (a->collective == PL_BROADCAST)
			check_pair(pl_catalogue_named(PL_REDUCE, impl, "binomial"), a);
	}
}

/* A transfer less, one twice, one to a wrong rank, a store that should add. */
static void check_faults(void)
{
	static const struct pl_slice_transfer ring[] = {
		{0, 1, 2, true}, {1, 2, 0, true}, {2, 0, 1, false}, {3, 1, 2, false}};
	static const struct pl_slice_transfer doubling[] = {{0, 0, 1, true}, {0, 1, 0, true}};
	static const struct pl_slice_transfer through[] = {
		{0, 0, 2, true}, {0, 1, 2, true}, {1, 2, 0, false}, {1, 2, 1, false}};
	static const struct {
		struct pl_slice_transfer t;
		size_t at;
		const char *text;
	} faults[] = {
		{{2, 0, 1, true}, 2, "rank 1 ends with what rank 1 contributes 2 times"},
		{{1, 2, 0, false}, 1, "rank 0 ends without what rank 0 contributes"},
		{{2, 0, 2, false}, 2, "rank 1 ends without what rank 0 contributes"},
		{{0, 0, 1, false}, 2, "round 0 after round 1"},
		{{1, 0, 3, false}, 2, "a transfer from rank 0 to rank 3, of 3 ranks"},
		{{1, 2, 0, false}, 2, "rank 0 stores in round 1, and takes something else"},
	};
	struct pl_slice_transfer copy[4];
	struct pl_slice slice = {.transfer = copy, .n_transfers = 4};
	struct pl_err err;

	memcpy(copy, ring, sizeof(copy));
	ok(pl_slice_check(&slice, 3, 0, PL_SLICE_ALL, NULL) == 0, "a ring");
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		memcpy(copy, ring, sizeof(copy));
		copy[faults[i].at] = faults[i].t;
		ok(pl_slice_check(&slice, 3, 0, PL_SLICE_ALL, &err) == -1,
		   "a ring with a fault is refused");
		is_str(err.text, faults[i].text, "and named");
	}
	memcpy(copy, doubling, sizeof(doubling));
	slice.n_transfers = 2;
	ok(pl_slice_check(&slice, 2, 0, PL_SLICE_ALL, NULL) == 0,
	   "an exchange takes what was there before the round");
	memcpy(copy, through, sizeof(through));
	slice.n_transfers = 4;
	ok(pl_slice_check(&slice, 2, 1, PL_SLICE_ALL, NULL) == 0,
	   "an aggregator has nothing of its own");
	copy[0].src = 2;
	copy[0].dst = 0;
	ok(pl_slice_check(&slice, 2, 1, PL_SLICE_ALL, &err) == -1, "and cannot send that");
	is_str(err.text, "aggregator 2 sends in round 0, before it has anything", "and is named");
}

/* Nodes of several ranks, of which one stands for all. */
static void check_nodes(void)
{
	const struct pl_algorithm *a;
	const struct pl_call call = {.n_pos = 4, .bytes = 64, .slots = 2};

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		struct pl_pattern p = {0};
		struct pl_slices slices = {0};
		struct pl_err err = {0};

		if (a->impl != PL_NCCL || a->collective != PL_ALLREDUCE)
			continue;
		ok(pl_algorithm_pattern(a, &call, &p, &err) == 0 &&
			   pl_slices_of_pattern(&slices, &p, &err) == -1 && err.code == PL_EUSAGE,
		   "%s between nodes: whose bytes is not known", a->name);
		pl_pattern_fini(&p);
	}
}

int main(void)
{
	check_faults();
	check_all();
	check_pairs(PL_OPENMPI);
	check_pairs(PL_MPICH);
	check_nodes();
	return done_testing();
}

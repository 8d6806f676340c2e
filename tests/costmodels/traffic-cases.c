/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-cases.c - the calls by which patterns are held against a library */
#include "config.h"

#include "tests/costmodels/traffic-cases.h"

#include "costmodels/catalogue.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SEGMENTS_MAX 1000
#define SEGMENTS_FEW 100
#define LARGEST ((uint64_t)1 << 22)
/* Where the last of the fixed rules changes, but for those of block-default. */
#define LAST_RULE ((uint64_t)1 << 20)
/* Up to so many ranks with all segments, radixes and roots; beyond, a case takes long: each
 * algorithm at all sizes, and the fixed rules at each of theirs. */
#define RANKS_IN_FULL 8
/* Of few ranks, only so many send long rows of segments and large counts. */
#define RANKS_AT_LENGTH 5

/* Algorithms that run in segments, and of what sizes. */
static const struct segmented {
	enum pl_collective collective;
	const char *name;
} segmented[] = {
	{PL_ALLREDUCE, "segmented-ring"}, {PL_BROADCAST, "chain"},
	{PL_BROADCAST, "pipeline"},       {PL_BROADCAST, "split-binary"},
	{PL_BROADCAST, "binary"},         {PL_BROADCAST, "binomial"},
	{PL_BROADCAST, "knomial"},        {PL_REDUCE, "chain"},
	{PL_REDUCE, "pipeline"},          {PL_REDUCE, "binary"},
	{PL_REDUCE, "binomial"},          {PL_REDUCE, "in-order-binary"},
};
/* Of few ranks; of many, every other one. */
static const uint64_t segments[] = {0, 64, 1003, 8192};
static const size_t radixes[] = {0, 2, 3};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static unsigned n_cases;

static bool at_length(const struct pl_call *call)
{
	return call->n_pos == RANKS_AT_LENGTH || call->n_pos > RANKS_IN_FULL;
}

static void say_case(const struct pl_algorithm *a, const struct pl_call *call)
{
	const bool by_block = pl_collective_is_by_block(a->collective);
	const size_t most = at_length(call) ? SEGMENTS_MAX : SEGMENTS_FEW;
	struct pl_pattern p;

	if (call->bytes * (by_block ? call->n_pos : 1) > 4 * LARGEST ||
	    (call->segment_bytes && call->bytes / call->segment_bytes > most) ||
	    pl_algorithm_pattern(a, call, &p, NULL))
		return;
	pl_pattern_fini(&p);
	printf("%u %s %s %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %zu %zu\n", n_cases++,
	       pl_collective_name(a->collective), a->name, a->setting, call->bytes,
	       call->element_bytes, call->segment_bytes, call->radix, call->root);
}

/* From roots at both ends of the ranks, and from one that Rabenseifner's reduce folds away where
 * the ranks are no power of two. */
static void say_size(const struct pl_algorithm *a, struct pl_call call, uint64_t bytes,
		     uint64_t element_bytes)
{
	call.bytes = bytes;
	call.element_bytes = element_bytes;
	say_case(a, &call);
	if (a->collective != PL_BROADCAST && a->collective != PL_REDUCE)
		return;
	call.root = call.n_pos - 1;
	if (call.n_pos <= RANKS_IN_FULL)
		say_case(a, &call);
	call.root = 1;
	if (call.n_pos > 2)
		say_case(a, &call);
}

/* None, one element, about as many as ranks, uneven ones, many. */
static void say_sizes(const struct pl_algorithm *a, const struct pl_call *call)
{
	const uint64_t n = call->n_pos;
	const uint64_t large = at_length(call) ? 65537 : 20011;
	const uint64_t counts[] = {0,          1,   n - 1, n,     n + 1,  3 * n,
				   25 * n + 3, 250, 10001, large, 999 * n};

	if (a->collective == PL_BARRIER) {
		say_size(a, *call, 0, 4);
		return;
	}
	for (size_t i = 0; i < COUNT(counts); i++)
		say_size(a, *call, 4 * counts[i], 4);
	say_size(a, *call, 8 * (3 * n + 1), 8);
}

/* No rule asks for the root. */
static void say_power(const struct pl_algorithm *a, struct pl_call call, uint64_t bytes,
		      uint64_t element_bytes)
{
	if (call.n_pos <= RANKS_IN_FULL) {
		say_size(a, call, bytes, element_bytes);
		return;
	}
	call.bytes = bytes;
	call.element_bytes = element_bytes;
	say_case(a, &call);
}

/* Either side of every power of two, in all or for each rank: where the fixed rules change is
 * one. */
static void say_powers(const struct pl_algorithm *a, const struct pl_call *call)
{
	const bool by_block = !strncmp(a->name, "block-", 6);
	const uint64_t times = by_block ? call->n_pos : 1;
	const uint64_t last = by_block ? LARGEST : LAST_RULE;

	for (uint64_t bytes = 2; bytes <= last; bytes *= 2) {
		say_power(a, *call, times * (bytes - 1), 1);
		say_power(a, *call, times * bytes, bytes < 4 ? 1 : 4);
	}
}

/* Either side of MPICH's limits, in all or of all ranks' blocks, and of as many elements as the
 * largest power of two of ranks. */
static void say_limits(const struct pl_algorithm *a, const struct pl_call *call)
{
	const uint64_t limits[] = {8, 256, 2048, 12288, 32768, 81920, 524288};
	const uint64_t n = call->n_pos;
	uint64_t pof2 = 1;

	while (pof2 <= n / 2)
		pof2 *= 2;
	for (size_t i = 0; i < COUNT(limits); i++)
		for (uint64_t b = limits[i] - 1; b <= limits[i] + 1; b++) {
			say_size(a, *call, b, 1);
			say_size(a, *call, b / n, 1);
			say_size(a, *call, (b + n - 1) / n * n, 1);
		}
	for (uint64_t bytes = 4; bytes <= 8; bytes *= 2) {
		say_size(a, *call, bytes * (pof2 - 1), bytes);
		say_size(a, *call, bytes * pof2, bytes);
	}
}

/* Of one segment and of several, with a last one that is shorter: but Open MPI 4.1.4 sends that of
 * an all-reduce at full length, beyond the buffer. The first call, in which communicators are made,
 * is not an empty one. */
static void say_levels(const struct pl_algorithm *a, struct pl_call call)
{
	static const uint64_t counts[] = {1, 0, 3, 1000, 16384, 32768, 81920, 50001, 98305};
	const bool whole = a->collective == PL_ALLREDUCE && a->takes_segment;

	for (size_t k = 0; k < (a->takes_segment ? 2 : 1); k++)
		for (size_t i = 0; i < COUNT(counts); i++) {
			const uint64_t bytes = 4 * counts[i];
			const uint64_t segment = k ? 16384 : 65536;

			call.segment_bytes = k ? segment : 0;
			if (!whole || bytes <= segment || bytes % segment == 0)
				say_size(a, call, bytes, 4);
			if (a->collective == PL_BARRIER)
				return;
		}
}

static bool in_segments(const struct pl_algorithm *a)
{
	if (a->impl != PL_OPENMPI)
		return false;
	for (size_t i = 0; i < COUNT(segmented); i++)
		if (segmented[i].collective == a->collective && !strcmp(segmented[i].name, a->name))
			return true;
	return false;
}

static void say_algorithm(const struct pl_algorithm *a, const struct pl_call *call)
{
	const bool full = call->n_pos <= RANKS_IN_FULL;
	const size_t n_segments = in_segments(a) ? COUNT(segments) : 1;
	const size_t n_radixes = a->takes_radix ? COUNT(radixes) : 1;

	for (size_t i = 0; i < n_segments; i += full ? 1 : 2)
		for (size_t k = 0; k < (i % 2 ? 1 : n_radixes); k += full ? 1 : 2) {
			struct pl_call one = *call;

			one.segment_bytes = segments[i];
			one.radix = radixes[k];
			say_sizes(a, &one);
		}
	if (a->decide && a->impl == PL_MPICH && a->collective != PL_BARRIER) {
		say_powers(a, call);
		say_limits(a, call);
	}
}

void traffic_say_cases(enum pl_impl impl, size_t n_pos, size_t slots)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		const struct pl_call call = {.n_pos = n_pos, .slots = slots};

		if (a->impl != impl)
			continue;
		if (a->for_slots && slots > 1)
			say_levels(a, call);
		else if (!a->for_slots && (slots == 1 || impl != PL_OPENMPI))
			say_algorithm(a, &call);
	}
}

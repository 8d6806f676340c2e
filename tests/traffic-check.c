/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-check.c - patterns held against what a library has really sent */
/*
 *	traffic-check cases N             the cases for N ranks, one a line
 *	traffic-check compare N CASES     reads what was sent (mpi-traffic)
 *
 * A case: number, collective, algorithm, the library's number for it, bytes,
 * bytes of an element, of a segment, radix, root. Every algorithm of Open MPI in
 * the catalogue is in; of calls its generator refuses there is none.
 */
#include "config.h"

#include "costmodels/catalogue.h"
#include "src/number.h"
#include "tests/pattern-steps.h"
#include "tests/traffic-digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 64
#define SEGMENTS_MAX 1000
#define LARGEST ((uint64_t)1 << 22)
/* Where the last of the fixed rules changes, but for those of block-default. */
#define LAST_RULE ((uint64_t)1 << 20)
/* Up to so many ranks with all segments, radixes and roots; beyond, a case takes
 * long: each algorithm at all sizes, and the fixed rules at each of theirs. */
#define RANKS_IN_FULL 8

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

static void say_case(const struct pl_algorithm *a, const struct pl_call *call)
{
	const bool gathers = a->collective == PL_ALLGATHER;
	struct pl_pattern p;

	if (call->bytes * (gathers ? call->n_pos : 1) > 4 * LARGEST ||
	    (call->segment_bytes &&
	     call->bytes / call->segment_bytes > SEGMENTS_MAX) ||
	    pl_algorithm_pattern(a, call, &p, NULL))
		return;
	pl_pattern_fini(&p);
	printf("%u %s %s %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %zu %zu\n",
	       n_cases++, pl_collective_name(a->collective), a->name,
	       a->setting, call->bytes, call->element_bytes,
	       call->segment_bytes, call->radix, call->root);
}

/* From roots at both ends of the ranks, and from one that Rabenseifner's reduce
 * folds away where the ranks are no power of two. */
static void say_size(const struct pl_algorithm *a, struct pl_call call,
		     uint64_t bytes, uint64_t element_bytes)
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
	const uint64_t counts[] = {0,          1,   n - 1, n,     n + 1,  3 * n,
				   25 * n + 3, 250, 10001, 65537, 999 * n};

	if (a->collective == PL_BARRIER) {
		say_size(a, *call, 0, 4);
		return;
	}
	for (size_t i = 0; i < COUNT(counts); i++)
		say_size(a, *call, 4 * counts[i], 4);
	say_size(a, *call, 8 * (3 * n + 1), 8);
}

/* No rule asks for the root. */
static void say_power(const struct pl_algorithm *a, struct pl_call call,
		      uint64_t bytes, uint64_t element_bytes)
{
	if (call.n_pos <= RANKS_IN_FULL) {
		say_size(a, call, bytes, element_bytes);
		return;
	}
	call.bytes = bytes;
	call.element_bytes = element_bytes;
	say_case(a, &call);
}

/* Either side of every power of two, in all or for each rank: where the fixed
 * rules change is one. */
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

static bool in_segments(const struct pl_algorithm *a)
{
	for (size_t i = 0; i < COUNT(segmented); i++)
		if (segmented[i].collective == a->collective &&
		    !strcmp(segmented[i].name, a->name))
			return true;
	return false;
}

static void say_algorithm(const struct pl_algorithm *a, size_t n_pos)
{
	const bool full = n_pos <= RANKS_IN_FULL;
	const size_t n_segments = in_segments(a) ? COUNT(segments) : 1;
	const size_t n_radixes = a->takes_radix ? COUNT(radixes) : 1;

	for (size_t i = 0; i < n_segments; i += full ? 1 : 2)
		for (size_t k = 0; k < (i % 2 ? 1 : n_radixes);
		     k += full ? 1 : 2)
			say_sizes(a, &(struct pl_call){.n_pos = n_pos,
						       .segment_bytes =
							       segments[i],
						       .radix = radixes[k]});
	if (a->decide && a->collective != PL_BARRIER)
		say_powers(a, &(struct pl_call){.n_pos = n_pos});
}

static int say_cases(size_t n_pos)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		if (a->impl == PL_OPENMPI)
			say_algorithm(a, n_pos);
	return 0;
}

/* What was sent between two ranks, by the pattern and by the library. */
struct sent {
	uint64_t bytes, messages;
};

struct comparison {
	size_t n_pos, compared, different;
	unsigned id;
	const struct pl_algorithm *a;
	struct pl_call call;
	struct sent pattern[RANKS_MAX * RANKS_MAX];
	struct sent library[RANKS_MAX * RANKS_MAX];
	/* by source: of its messages in the order it sends them */
	uint64_t pattern_order[RANKS_MAX], library_order[RANKS_MAX];
	/* by rank: of what it posts and waits for */
	uint64_t pattern_steps[RANKS_MAX], library_steps[RANKS_MAX];
};

static int fail(const char *what, unsigned id)
{
	printf("case %u: %s\n", id, what);
	return -1;
}

static int expect(struct comparison *c)
{
	struct pl_pattern p;

	if (pl_algorithm_pattern(c->a, &c->call, &p, NULL))
		return fail("no pattern", c->id);
	memset(c->pattern, 0, sizeof(c->pattern));
	memset(c->library, 0, sizeof(c->library));
	memset(c->pattern_order, 0, sizeof(c->pattern_order));
	memset(c->library_order, 0, sizeof(c->library_order));
	memset(c->library_steps, 0, sizeof(c->library_steps));
	for (size_t i = 0; i < p.n_messages; i++) {
		const struct pl_message *m = &p.message[i];
		struct sent *at = &c->pattern[m->src * c->n_pos + m->dst];

		at->bytes += m->bytes;
		at->messages++;
		c->pattern_order[m->src] = traffic_digest(
			c->pattern_order[m->src], m->dst, m->bytes);
	}
	for (size_t pos = 0; pos < c->n_pos; pos++)
		c->pattern_steps[pos] = pattern_steps(&p, pos);
	pl_pattern_fini(&p);
	return 0;
}

static void say_difference(const struct comparison *c, const char *what)
{
	printf("case %u: %s %s, %zu ranks, %" PRIu64
	       " bytes (elements of %" PRIu64 ", segments of %" PRIu64
	       ", radix %zu, root %zu), %s\n",
	       c->id, pl_collective_name(c->a->collective), c->a->name,
	       c->n_pos, c->call.bytes, c->call.element_bytes,
	       c->call.segment_bytes, c->call.radix, c->call.root, what);
}

static bool pair_differs(const struct comparison *c, size_t src, size_t dst)
{
	const struct sent *want = &c->pattern[src * c->n_pos + dst];
	const struct sent *got = &c->library[src * c->n_pos + dst];
	char what[200];

	if (want->bytes == got->bytes && want->messages == got->messages)
		return false;
	snprintf(what, sizeof(what),
		 "%zu to %zu: pattern %" PRIu64 " bytes in %" PRIu64
		 ", library %" PRIu64 " in %" PRIu64,
		 src, dst, want->bytes, want->messages, got->bytes,
		 got->messages);
	say_difference(c, what);
	return true;
}

/* The sizes one by one, and which comes first. */
static bool order_differs(const struct comparison *c, size_t src)
{
	char what[80];

	if (c->pattern_order[src] == c->library_order[src])
		return false;
	snprintf(what, sizeof(what), "%zu sends in another order or sizes",
		 src);
	say_difference(c, what);
	return true;
}

/* The linear barrier's rank 0 takes messages from any source as they come. */
static bool from_any_source(const struct comparison *c, size_t rank)
{
	struct pl_call decided;
	const struct pl_algorithm *a =
		pl_algorithm_decide(c->a, &c->call, &decided);

	return a->collective == PL_BARRIER && !strcmp(a->name, "linear") &&
	       rank == 0 && c->library_steps[rank] == 0;
}

/* What is posted when, and what waited for before what. */
static bool steps_differ(const struct comparison *c, size_t rank)
{
	char what[80];

	if (c->pattern_steps[rank] == c->library_steps[rank] ||
	    from_any_source(c, rank))
		return false;
	snprintf(what, sizeof(what), "%zu posts or waits in another order",
		 rank);
	say_difference(c, what);
	return true;
}

static void compare(struct comparison *c)
{
	bool differs = false;

	for (size_t src = 0; src < c->n_pos; src++) {
		for (size_t dst = 0; dst < c->n_pos; dst++)
			differs |= pair_differs(c, src, dst);
		differs |= order_differs(c, src);
		differs |= steps_differ(c, src);
	}
	c->compared++;
	c->different += differs;
}

/* The next case of the list. 0 at its end. */
static int read_case(FILE *f, struct comparison *c)
{
	char collective[32], name[32];
	enum pl_collective of;
	int setting;
	size_t radix;

	memset(&c->call, 0, sizeof(c->call));
	c->call.n_pos = c->n_pos;
	if (fscanf(f,
		   "%u %31s %31s %d %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %zu %zu",
		   &c->id, collective, name, &setting, &c->call.bytes,
		   &c->call.element_bytes, &c->call.segment_bytes,
		   &c->call.radix, &c->call.root) != 9)
		return 0;
	if (pl_collective_parse(collective, &of, NULL))
		return fail("no such collective", c->id);
	c->a = pl_catalogue_find(of, PL_OPENMPI, name, &radix, NULL);
	return c->a ? 1 : fail("no such algorithm", c->id);
}

/* A line of what a rank has sent. 0 behind the last of the case. */
static int read_line(struct comparison *c)
{
	uint64_t bytes, messages;
	size_t src, dst;
	char to[32];
	unsigned id;

	if (scanf("%u %zu %31s", &id, &src, to) != 3)
		return 0;
	if (id != c->id || src >= c->n_pos)
		return fail("was counted wrongly", c->id);
	if (!strcmp(to, "order"))
		return scanf("%" SCNx64, &c->library_order[src]);
	if (!strcmp(to, "steps"))
		return scanf("%" SCNx64, &c->library_steps[src]);
	dst = strtoul(to, NULL, 10);
	if (dst >= c->n_pos ||
	    scanf("%" SCNu64 " %" SCNu64, &bytes, &messages) != 2)
		return fail("was counted wrongly", c->id);
	c->library[src * c->n_pos + dst] = (struct sent){bytes, messages};
	return 1;
}

/* What the library has sent in that case: the lines up to the next. */
static int read_sent(struct comparison *c)
{
	unsigned id;
	int rc;

	if (scanf(" case %u", &id) != 1 || id != c->id)
		return fail("was not run", c->id);
	do
		rc = read_line(c);
	while (rc == 1);
	return rc;
}

static int compare_all(size_t n_pos, const char *path)
{
	static struct comparison c;
	FILE *f = fopen(path, "r");
	int rc;

	if (!f) {
		perror(path);
		return 1;
	}
	c.n_pos = n_pos;
	while ((rc = read_case(f, &c)) == 1) {
		rc = expect(&c) ? -1 : read_sent(&c);
		if (rc)
			break;
		compare(&c);
	}
	fclose(f);
	printf("%zu cases compared, %zu differ\n", c.compared, c.different);
	return rc || c.compared == 0 || c.different ? 1 : 0;
}

int main(int argc, char **argv)
{
	int64_t n;

	if (argc < 3 ||
	    pl_int_parse(argv[2], strlen(argv[2]), 1, RANKS_MAX, &n)) {
		fputs("usage: traffic-check cases N\n"
		      "       traffic-check compare N CASES <SENT\n",
		      stderr);
		return 2;
	}
	if (!strcmp(argv[1], "cases") && argc == 3)
		return say_cases((size_t)n);
	if (!strcmp(argv[1], "compare") && argc == 4)
		return compare_all((size_t)n, argv[3]);
	return 2;
}

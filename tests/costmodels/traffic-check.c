/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-check.c - patterns held against what a library has really sent */
/*
 *	traffic-check LIBRARY cases N SLOTS           the cases for N ranks
 *	traffic-check LIBRARY compare N SLOTS CASES   reads what was sent
 *
 * A case: number, collective, algorithm, the library's number for it, bytes,
 * bytes of an element, of a segment, radix, root. Every algorithm of the
 * library in the catalogue is in, but those for hosts with several ranks only
 * where there are such hosts, and of Open MPI then no other; of calls its
 * generator refuses there is none. SLOTS ranks are on each host.
 */
#include "config.h"

#include "base/text/number.h"
#include "costmodels/catalogue.h"
#include "tests/costmodels/pattern-steps.h"
#include "tests/costmodels/traffic-cases.h"
#include "tests/costmodels/traffic-digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 64
/* What was sent between two ranks, by the pattern and by the library. */
struct sent {
	uint64_t bytes, messages;
};

struct comparison {
	enum pl_impl impl;
	size_t n_pos, slots, compared, different;
	unsigned id;
	const struct pl_algorithm *a;
	struct pl_call call;
	struct sent pattern[RANKS_MAX * RANKS_MAX];
	struct sent library[RANKS_MAX * RANKS_MAX];
	/* by source: of its messages in the order it sends them */
	uint64_t pattern_order[RANKS_MAX], library_order[RANKS_MAX];
	/* the same of its messages in whatever order */
	uint64_t pattern_sizes[RANKS_MAX], library_sizes[RANKS_MAX];
	/* by rank: of what it posts and waits for */
	uint64_t pattern_steps[RANKS_MAX], library_steps[RANKS_MAX];
	bool beside; /* ranks do several things beside each other */
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
	memset(c->pattern_sizes, 0, sizeof(c->pattern_sizes));
	memset(c->library_sizes, 0, sizeof(c->library_sizes));
	memset(c->library_steps, 0, sizeof(c->library_steps));
	for (size_t i = 0; i < p.n_messages; i++) {
		const struct pl_message *m = &p.message[i];
		struct sent *at = &c->pattern[m->src * c->n_pos + m->dst];

		at->bytes += m->bytes;
		at->messages++;
		c->pattern_order[m->src] =
			traffic_digest(c->pattern_order[m->src], m->dst, m->bytes);
		c->pattern_sizes[m->src] += traffic_digest(0, m->dst, m->bytes);
	}
	c->beside = p.n_strands > 0;
	for (size_t pos = 0; pos < c->n_pos; pos++)
		c->pattern_steps[pos] =
			c->impl == PL_MPICH ? pattern_posts(&p, pos) : pattern_steps(&p, pos);
	pl_pattern_fini(&p);
	return 0;
}

static void say_difference(const struct comparison *c, const char *what)
{
	printf("case %u: %s %s, %zu ranks, %" PRIu64 " bytes (elements of %" PRIu64
	       ", segments of %" PRIu64 ", radix %zu, root %zu), %s\n",
	       c->id, pl_collective_name(c->a->collective), c->a->name, c->n_pos, c->call.bytes,
	       c->call.element_bytes, c->call.segment_bytes, c->call.radix, c->call.root, what);
}

static bool pair_differs(const struct comparison *c, size_t src, size_t dst)
{
	const struct sent *want = &c->pattern[src * c->n_pos + dst];
	const struct sent *got = &c->library[src * c->n_pos + dst];
	char what[200];

	if (want->bytes == got->bytes && want->messages == got->messages)
		return false;
	snprintf(what, sizeof(what),
		 "%zu to %zu: pattern %" PRIu64 " bytes in %" PRIu64 ", library %" PRIu64
		 " in %" PRIu64,
		 src, dst, want->bytes, want->messages, got->bytes, got->messages);
	say_difference(c, what);
	return true;
}

static bool sizes_differ(const struct comparison *c, size_t src)
{
	char what[80];

	if (c->pattern_sizes[src] == c->library_sizes[src])
		return false;
	snprintf(what, sizeof(what), "%zu sends in other sizes", src);
	say_difference(c, what);
	return true;
}

/* The sizes one by one, and which comes first. */
static bool order_differs(const struct comparison *c, size_t src)
{
	char what[80];

	if (c->beside || c->pattern_order[src] == c->library_order[src])
		return false;
	snprintf(what, sizeof(what), "%zu sends in another order or sizes", src);
	say_difference(c, what);
	return true;
}

/* The linear barrier's rank 0 takes messages from any source as they come; in two levels there may
 * be several such ranks. */
static bool from_any_source(const struct comparison *c, size_t rank)
{
	struct pl_call decided;
	const struct pl_algorithm *a = pl_algorithm_decide(c->a, &c->call, &decided);

	return a->collective == PL_BARRIER && c->library_steps[rank] == 0 &&
	       (a->for_slots || (!strcmp(a->name, "linear") && rank == 0));
}

/* coll/libnbc, by which coll/han runs segments, looks after its messages itself. */
static bool waits_unseen(const struct comparison *c)
{
	return c->a->for_slots && c->a->takes_segment;
}

/* What is posted when, and what waited for before what. */
static bool steps_differ(const struct comparison *c, size_t rank)
{
	char what[80];

	if (c->pattern_steps[rank] == c->library_steps[rank] || waits_unseen(c) ||
	    from_any_source(c, rank))
		return false;
	snprintf(what, sizeof(what), "%zu posts or waits in another order", rank);
	say_difference(c, what);
	return true;
}

static void compare(struct comparison *c)
{
	bool differs = false;

	for (size_t src = 0; src < c->n_pos; src++) {
		for (size_t dst = 0; dst < c->n_pos; dst++)
			differs |= pair_differs(c, src, dst);
		differs |= sizes_differ(c, src);
		differs |= order_differs(c, src);
		differs |= steps_differ(c, src);
	}
	c->compared++;
	c->different += differs;
}

/* The next case of the list. 0 at its end. */
static int read_case(FILE *f, struct comparison *c)
{
	char collective[32], name[64];
	enum pl_collective of;
	int setting;
	size_t radix;

	memset(&c->call, 0, sizeof(c->call));
	c->call.n_pos = c->n_pos;
	c->call.slots = c->slots;
	if (fscanf(f, "%u %31s %63s %d %" SCNu64 " %" SCNu64 " %" SCNu64 " %zu %zu", &c->id,
		   collective, name, &setting, &c->call.bytes, &c->call.element_bytes,
		   &c->call.segment_bytes, &c->call.radix, &c->call.root) != 9)
		return 0;
	if (pl_collective_parse(collective, &of, NULL))
		return fail("no such collective", c->id);
	c->a = pl_catalogue_find(of, c->impl, name, &radix, NULL);
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
	if (!strcmp(to, "sizes"))
		return scanf("%" SCNx64, &c->library_sizes[src]);
	if (!strcmp(to, "steps"))
		return scanf("%" SCNx64, &c->library_steps[src]);
	dst = strtoul(to, NULL, 10);
	if (dst >= c->n_pos || scanf("%" SCNu64 " %" SCNu64, &bytes, &messages) != 2)
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

static int compare_all(struct comparison *c, const char *path)
{
	FILE *f = fopen(path, "r");
	int rc;

	if (!f) {
		perror(path);
		return 1;
	}
	while ((rc = read_case(f, c)) == 1) {
		rc = expect(c) ? -1 : read_sent(c);
		if (rc)
			break;
		compare(c);
	}
	fclose(f);
	printf("%zu cases compared, %zu differ\n", c->compared, c->different);
	return rc || c->compared == 0 || c->different ? 1 : 0;
}

static bool read_number(const char *s, size_t *number)
{
	int64_t value;

	if (pl_int_parse(s, strlen(s), 1, RANKS_MAX, &value))
		return false;
	*number = (size_t)value;
	return true;
}

int main(int argc, char **argv)
{
	static struct comparison c;

	if (argc < 5 || pl_impl_parse(argv[1], &c.impl, NULL) || !read_number(argv[3], &c.n_pos) ||
	    !read_number(argv[4], &c.slots)) {
		fputs("usage: traffic-check LIBRARY cases N SLOTS\n"
		      "       traffic-check LIBRARY compare N SLOTS CASES <SENT\n",
		      stderr);
		return 2;
	}
	if (!strcmp(argv[2], "compare") && argc == 6)
		return compare_all(&c, argv[5]);
	if (strcmp(argv[2], "cases") != 0 || argc != 5)
		return 2;
	traffic_say_cases(c.impl, c.n_pos, c.slots);
	return 0;
}

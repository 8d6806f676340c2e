/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-compare.c - what Gloo's ranks send to each other, held against the patterns */
/*
 * gloo-compare N DIR [spoil]: N processes run all cases over the loopback; for each the messages
 * and bytes of every pair must be the pattern's. A line for each algorithm. With "spoil" what was
 * captured is changed a little first, and no case may pass. Exit 0: as it must be.
 */
#include "config.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "tests/costmodels/gloo-traffic.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CASES_MAX 400

struct run {
	size_t n; /* ranks */
	struct gloo_case cases[CASES_MAX];
	size_t n_cases;
	struct gloo_traffic *traffic; /* [n][n_cases][n]: source, case, peer */
	size_t room_bytes;
	bool spoil;
};

static void add(struct run *r, struct gloo_case c)
{
	if (r->n_cases == CASES_MAX) {
		fprintf(stderr, "gloo-compare: too many cases\n");
		exit(4);
	}
	r->cases[r->n_cases++] = c;
}

/* Sizes around what a class or function divides by. */
static size_t sizes_around(size_t n, size_t *sizes)
{
	size_t k = 0, power = 1;

	while (2 * power <= n)
		power *= 2;
	sizes[k++] = 1;
	sizes[k++] = n - 1;
	sizes[k++] = n;
	sizes[k++] = n + 1;
	sizes[k++] = power + 1;
	sizes[k++] = 2 * n - 1;
	sizes[k++] = 2 * n;
	sizes[k++] = 2 * n + 1;
	sizes[k++] = 1000;
	sizes[k++] = 4099;
	return k;
}

static void add_sizes(struct run *r, struct gloo_case c)
{
	size_t sizes[16];
	const size_t k = sizes_around(r->n, sizes);

	c.element_bytes = sizeof(float);
	for (size_t i = 0; i < k; i += r->n <= 8 ? 1 : 3) {
		c.elements = sizes[i];
		add(r, c);
	}
}

/* Either side of two segments to a rank, in bytes of @segment, and more. */
static void add_segments(struct run *r, struct gloo_case c, size_t segment)
{
	const size_t in_one = segment / sizeof(float), n = r->n;
	const size_t sizes[] = {2 * n * in_one - 1, 2 * n * in_one,     2 * n * in_one + 1,
				3 * n * in_one,     3 * n * in_one + 1, 7 * n * in_one + 5};

	c.element_bytes = sizeof(float);
	c.segment_bytes = segment;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		c.elements = sizes[i];
		add(r, c);
	}
}

static void add_rings(struct run *r)
{
	struct gloo_case c = {.collective = "allreduce", .algorithm = "segmented-ring"};
	const size_t chunk = 256 * 2 * r->n;
	const size_t sizes[] = {1,         255, 256,    257,       chunk - 1, chunk,
				chunk + 1, 513, 100003, 3 * chunk, 300000};

	add_sizes(r, c);
	add_segments(r, c, 512);
	if (r->n <= 8) /* no whole number of elements */
		add_segments(r, c, 513);
	c.segment_bytes = 0;
	c.element_bytes = sizeof(float);
	if (r->n == 2) /* Gloo's own segments */
		for (size_t more = 0; more < 2; more++) {
			c.elements = r->n * (2 << 18) + more;
			add(r, c);
		}
	c.algorithm = "ring";
	add_sizes(r, c);
	c.algorithm = "ring-chunked";
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		c.elements = sizes[i];
		if (r->n <= 8 || i >= 4)
			add(r, c);
	}
}

static void add_cubes(struct run *r)
{
	struct gloo_case c = {.collective = "allreduce", .algorithm = "halving-doubling"};

	add_sizes(r, c);
	c.algorithm = "bcube";
	add_sizes(r, c);
	for (c.base = 2; c.base <= 5; c.base++)
		add_sizes(r, c);
	c = (struct gloo_case){.collective = "reduce-scatter",
			       .algorithm = "halving",
			       .element_bytes = sizeof(float)};
	add(r, c); /* nothing but notifications */
	add_sizes(r, c);
}

static void add_rooted(struct run *r)
{
	const size_t roots[] = {0, 1, r->n - 1};
	const size_t sizes[] = {0, 1, 4099};

	for (size_t i = 0; i < 3; i++) {
		struct gloo_case c = {
			.collective = "reduce", .algorithm = "segmented-ring", .root = roots[i]};

		add_sizes(r, c);
		if (i == 1)
			add_segments(r, c, 513);
		c.collective = "broadcast";
		for (size_t k = 0; k < 3; k++) {
			c.elements = sizes[k];
			c.algorithm = "binomial";
			c.element_bytes = 1;
			add(r, c);
			c.algorithm = "one-to-all";
			c.element_bytes = sizeof(float);
			add(r, c);
		}
	}
}

static void add_gathers(struct run *r)
{
	/* of nothing, one version sends messages and another none */
	const size_t sizes[] = {1, 2, 3, 1000, 4099};
	static const char *const barriers[] = {"dissemination", "all-to-all", "all-to-one"};
	struct gloo_case c = {.collective = "allgather"};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		c.elements = sizes[i];
		c.algorithm = "ring";
		c.element_bytes = sizeof(float);
		add(r, c);
		c.element_bytes = 1;
		c.algorithm = "ring-v";
		add(r, c);
		c.algorithm = "segmented-ring";
		add(r, c);
	}
	for (size_t i = 0; i < 3; i++)
		add(r, (struct gloo_case){.collective = "barrier",
					  .algorithm = barriers[i],
					  .element_bytes = 1});
}

/* Blocks of no bytes are sent, too; of an odd number by gloo::alltoallv(). */
static void add_alltoall(struct run *r)
{
	const size_t sizes[] = {0, 1, 2, 3, 1000, 4099};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		add(r, (struct gloo_case){.collective = "alltoall",
					  .algorithm = "linear",
					  .elements = sizes[i],
					  .element_bytes = 1});
}

static int capture(struct run *r, const char *dir)
{
	pid_t pid[64];
	int rc = 0, status;

	r->room_bytes = r->n * r->n * r->n_cases * sizeof(*r->traffic);
	r->traffic = mmap(NULL, r->room_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			  -1, 0);
	if (r->traffic == MAP_FAILED) {
		perror("gloo-compare: mmap");
		return -1;
	}
	fflush(NULL);
	for (size_t rank = 0; rank < r->n; rank++) {
		pid[rank] = fork();
		if (pid[rank] == 0)
			_exit(gloo_run_rank((int)rank, (int)r->n, dir, r->cases, r->n_cases,
					    r->traffic + rank * r->n * r->n_cases)
				      ? 1
				      : 0);
		if (pid[rank] < 0) {
			perror("gloo-compare: fork");
			rc = -1;
		}
	}
	for (size_t rank = 0; rank < r->n; rank++)
		if (pid[rank] > 0 && (waitpid(pid[rank], &status, 0) < 0 || status != 0))
			rc = -1;
	return rc;
}

static const struct gloo_traffic *sent(const struct run *r, size_t i, size_t src, size_t dst)
{
	return &r->traffic[(src * r->n_cases + i) * r->n + dst];
}

static int pattern_of(const struct gloo_case *c, size_t n, struct pl_pattern *p, struct pl_err *err)
{
	const struct pl_call call = {
		.n_pos = n,
		.bytes = c->elements * c->element_bytes,
		.element_bytes = c->element_bytes,
		.segment_bytes = c->segment_bytes,
		.radix = c->base,
		.root = c->root,
	};
	enum pl_collective collective;
	const struct pl_algorithm *a;
	size_t radix;

	if (pl_collective_parse(c->collective, &collective, err))
		return -1;
	a = pl_catalogue_find(collective, PL_GLOO, c->algorithm, &radix, err);
	return a ? pl_algorithm_pattern(a, &call, p, err) : -1;
}

/* The pattern's messages and bytes by pair. */
static void tally(const struct pl_pattern *p, struct gloo_traffic *want)
{
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct pl_message *m = &p->message[i];
		struct gloo_traffic *t = &want[m->src * p->n_pos + m->dst];

		t->messages[0]++;
		t->bytes[0] += m->bytes;
	}
}

/* Does a pair's traffic hold the wanted messages, and do announcements go with those into posted
 * buffers and no others? */
static bool pair_agrees(const struct run *r, size_t i, size_t src, size_t dst,
			const struct gloo_traffic *want)
{
	const struct gloo_traffic *got = sent(r, i, src, dst);
	const struct gloo_traffic *back = sent(r, i, dst, src);
	const uint64_t unbound = got->messages[GLOO_UNBOUND];
	const uint64_t messages =
		got->messages[GLOO_BUFFER] + unbound + (r->spoil && src == 1 && i % 2);
	const uint64_t bytes = got->bytes[GLOO_BUFFER] + got->bytes[GLOO_UNBOUND] +
			       (r->spoil && src == 1 && i % 2 == 0);

	return messages == want->messages[0] && bytes == want->bytes[0] &&
	       (got->messages[GLOO_BUFFER] == 0 || unbound == 0) &&
	       got->messages[GLOO_SEND_READY] == unbound &&
	       back->messages[GLOO_RECV_READY] == unbound && got->bytes[GLOO_SEND_READY] == 0 &&
	       back->bytes[GLOO_RECV_READY] == 0;
}

static void show_pair(const struct run *r, size_t i, size_t src, size_t dst,
		      const struct gloo_traffic *want)
{
	const struct gloo_case *c = &r->cases[i];
	const struct gloo_traffic *got = sent(r, i, src, dst);

	printf("# %s %s:%zu of %zu elements, segment %zu, root %zu: %zu -> %zu:", c->collective,
	       c->algorithm, c->base, c->elements, c->segment_bytes, c->root, src, dst);
	for (int kind = 0; kind < GLOO_N_KINDS; kind++)
		printf(" %llu/%llu", (unsigned long long)got->messages[kind],
		       (unsigned long long)got->bytes[kind]);
	printf(", pattern %llu/%llu\n", (unsigned long long)want->messages[0],
	       (unsigned long long)want->bytes[0]);
}

/* Do all pairs agree? Adds the pattern's messages to *n_messages. */
static bool case_agrees(const struct run *r, size_t i, size_t *n_messages)
{
	struct gloo_traffic *want = pl_array_create(r->n * r->n, sizeof(*want));
	struct pl_pattern p = {0};
	struct pl_err err;
	bool agrees = false;

	if (!want || pattern_of(&r->cases[i], r->n, &p, &err)) {
		printf("# %s\n", want ? err.text : "out of memory");
		goto out;
	}
	tally(&p, want);
	*n_messages += p.n_messages;
	agrees = true;
	for (size_t src = 0; src < r->n; src++)
		for (size_t dst = 0; dst < r->n; dst++) {
			if (src == dst || pair_agrees(r, i, src, dst, &want[src * r->n + dst]))
				continue;
			if (agrees && !r->spoil)
				show_pair(r, i, src, dst, &want[src * r->n + dst]);
			agrees = false;
		}
out:
	pl_pattern_fini(&p);
	free(want);
	return agrees;
}

static bool same_algorithm(const struct gloo_case *a, const struct gloo_case *b)
{
	return strcmp(a->collective, b->collective) == 0 &&
	       strcmp(a->algorithm, b->algorithm) == 0 && a->base == b->base;
}

/* A line for an algorithm, at its first case. Did all its cases end as they must? */
static bool report(const struct run *r, size_t first, const bool *agrees, const size_t *n_messages)
{
	const struct gloo_case *c = &r->cases[first];
	size_t n_cases = 0, n_agree = 0, messages = 0;

	for (size_t i = 0; i < r->n_cases; i++)
		if (same_algorithm(c, &r->cases[i])) {
			n_cases++;
			n_agree += agrees[i];
			messages += n_messages[i];
		}
	printf("%zu %s %s", r->n, c->collective, c->algorithm);
	if (c->base)
		printf(":%zu", c->base);
	printf(" %zu of %zu cases agree, %zu messages\n", n_agree, n_cases, messages);
	return n_agree == (r->spoil ? 0 : n_cases);
}

static bool compare(const struct run *r)
{
	bool agrees[CASES_MAX], good = true;
	size_t n_messages[CASES_MAX] = {0};

	for (size_t i = 0; i < r->n_cases; i++)
		agrees[i] = case_agrees(r, i, &n_messages[i]);
	for (size_t i = 0; i < r->n_cases; i++) {
		size_t first = 0;

		while (!same_algorithm(&r->cases[first], &r->cases[i]))
			first++;
		if (first == i && !report(r, i, agrees, n_messages))
			good = false;
	}
	return good;
}

int main(int argc, char **argv)
{
	static struct run r;

	if (argc < 3 || argc > 4 || atoi(argv[1]) < 2 || atoi(argv[1]) > 64) {
		fprintf(stderr, "usage: gloo-compare N DIR [spoil]\n");
		return 2;
	}
	r.n = (size_t)atoi(argv[1]);
	r.spoil = argc == 4;
	add_rings(&r);
	add_cubes(&r);
	add_rooted(&r);
	add_gathers(&r);
	add_alltoall(&r);
	if (capture(&r, argv[2]))
		return 4;
	return compare(&r) ? 0 : 1;
}

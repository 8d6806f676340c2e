/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-fabric.c - the places that switches and their links make: random fat trees */
#include "config.h"

#include "base/rng.h"
#include "tests/tap.h"
#include "topology/places.h"

#include <stdlib.h>

static int parse(struct pl_places *p, const char *s)
{
	struct pl_text text;
	int rc;

	*p = (struct pl_places){0};
	if (pl_text_copy(&text, "fabric", s, strlen(s), NULL))
		return -1;
	rc = pl_places_parse(p, &text, NULL);
	pl_text_fini(&text);
	return rc;
}

enum { PODS = 3, LEAVES = 4, SPINES = 3, PER_LEAF = 2 };

/* The links of one switch, of those that both its ends tell. */
static void write_links(FILE *f, bool is_linked[][PODS * SPINES], size_t leaf, size_t spine)
{
	for (size_t s = 0; leaf != SIZE_MAX && s < PODS * SPINES; s++)
		if (is_linked[leaf][s])
			fprintf(f, "[9] \"S-b%02zu\"[9] # \"spine\"\n", s);
	for (size_t l = 0; spine != SIZE_MAX && l < PODS * LEAVES; l++)
		if (is_linked[l][spine])
			fprintf(f, "[9] \"S-a%02zu\"[9] # \"leaf\"\n", l);
}

/* A fat tree of pods with some links missing, switches in any order. */
static char *write_tree(struct pl_rng *rng)
{
	bool is_linked[PODS * LEAVES][PODS * SPINES] = {{false}};
	size_t order[PODS * (LEAVES + SPINES) + 1], len;
	char *text = NULL;
	FILE *f = open_memstream(&text, &len);

	for (size_t l = 0; l < PODS * LEAVES; l++)
		for (size_t k = 0; k < SPINES; k++)
			is_linked[l][l / LEAVES * SPINES + k] = k == 0 || pl_rng_below(rng, 2);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		order[i] = i;
	pl_rng_shuffle(rng, order, sizeof(order) / sizeof(*order));
	fprintf(f, "vendid=0x1\n");
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		const size_t s = order[i], spine = s - PODS * LEAVES;

		if (s == PODS * (LEAVES + SPINES)) {
			fprintf(f, "Switch 40 \"S-c\" # \"core\"\n");
			for (size_t k = 0; k < PODS * SPINES; k++)
				fprintf(f, "[1] \"S-b%02zu\"[1]\n", k);
		} else if (s >= PODS * LEAVES) {
			fprintf(f, "Switch 40 \"S-b%02zu\" # \"spine\"\n", spine);
			write_links(f, is_linked, SIZE_MAX, spine);
			fprintf(f, "[1] \"S-c\"[1] # \"core\"\n");
		} else {
			fprintf(f, "Switch 40 \"S-a%02zu\" # \"leaf\"\n", s);
			for (size_t h = 0; h < PER_LEAF; h++)
				fprintf(f, "[%zu] \"H-%zu-%zu\"[1] # \"n%zu\"\n", h, s, h,
					s * PER_LEAF + h);
			write_links(f, is_linked, s, SIZE_MAX);
		}
	}
	fclose(f);
	return text;
}

/* Leaf 1, pod 2, all 3 apart, whatever links are missing. */
static void test_fat_trees(uint64_t seed)
{
	const size_t n = PODS * LEAVES * PER_LEAF;
	struct pl_rng rng;
	size_t wrong = 0;

	pl_rng_init(&rng, seed, 0);
	for (size_t round = 0; round < 50; round++) {
		char *text = write_tree(&rng);
		struct pl_places p;

		wrong += parse(&p, text) || p.n != n;
		for (size_t i = 0; i < p.n; i++)
			for (size_t j = 0; j < p.n; j++) {
				const size_t x = strtoul(p.host[i].name + 1, NULL, 10);
				const size_t y = strtoul(p.host[j].name + 1, NULL, 10);
				const size_t leaf = PER_LEAF;
				const size_t pod = PER_LEAF * LEAVES;
				const size_t want = x == y                 ? 0
						    : x / leaf == y / leaf ? 1
						    : x / pod == y / pod   ? 2
									   : 3;

				wrong += pl_places_apart(&p, i, j) != want;
			}
		pl_places_fini(&p);
		free(text);
	}
	is_int((int64_t)wrong, 0, "pods of random fat trees");
}

/* A chain of switches, longer than paths may be. */
static void test_chain(void)
{
	struct pl_places p;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	fprintf(f, "vendid=0x1\n");
	for (size_t s = 0; s < 60; s++) {
		fprintf(f, "Switch 8 \"S-%zu\" # \"s%zu\"\n", s + 10, s);
		fprintf(f, "[1] \"S-%zu\"[1] # \"s%zu\"\n", s + 11, s + 1);
	}
	fprintf(f, "Switch 8 \"S-70\" # \"s60\"\n[1] \"H-1\"[1] # \"n1\"\n"
		   "Switch 8 \"S-10\" # \"s0\"\n[2] \"H-2\"[1] # \"n2\"\n");
	fclose(f);
	is_int(parse(&p, text), 0, "a chain of 61 switches");
	is_int((int64_t)p.n, 2, "a host at each end");
	ok(pl_places_levels(&p) <= PL_PLACES_LEVELS_MAX && pl_places_apart(&p, 0, 1) > 1,
	   "no more levels than a path has");
	pl_places_fini(&p);
	free(text);
}

int main(void)
{
	test_fat_trees(20261122);
	test_chain();
	return done_testing();
}

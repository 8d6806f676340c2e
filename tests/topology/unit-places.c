/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-places.c - where hosts stand: nonsense, names, distances, memory */
#include "config.h"

#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/places.h"

#include <stdlib.h>

static int parse(struct pl_places *p, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*p = (struct pl_places){0};
	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "places.txt", s, strlen(s), err))
		return -1;
	rc = pl_places_parse(p, &text, err);
	pl_text_fini(&text);
	return rc;
}

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"", 0, 0, "no host"},
	{"\n# nothing\n \t\n", 0, 0, "no host"},
	{"a\n", 1, 2, "a place must follow"},
	{"a r1\nb  \n", 2, 4, "a place must follow"},
	{"a r1 r2\n", 1, 6, "labels have no blanks"},
	{"a r1 node=\n", 1, 6, "labels have no blanks"},
	{"a r1 name=b\n", 1, 6, "labels have no blanks"},
	{"a[1-2] r1 addr=10.0.0.1\n", 1, 11, "2 hosts at once"},
	{"a -\nb\t\n", 0, 0, "known place"},
	{"a r1\nb r1\na r2\n", 3, 1, "host \"a\" appears again"},
	{"a r1\nb,c,a r2\n", 2, 1, "host \"a\" appears again"},
	{"a, r1\n", 1, 3, "must stand here"},
	{"a[1 r1\n", 1, 2, "not closed"},
	{"b,a[4-3] r1\n", 1, 5, "backwards"},
	{"a 1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17\n", 1, 42, "16 labels"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_places p;
		struct pl_err err;
		const int rc = parse(&p, bad[i].text, &err);
		const bool good = rc == -1 && err.code == PL_EINPUT && err.line == bad[i].line &&
				  err.col == bad[i].col && strstr(err.text, bad[i].part) && !p.host;

		if (!good)
			printf("# rc %d, %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		ok(good, "refused: %s", bad[i].part);
		pl_places_fini(&p);
	}
}

static size_t index_of(const struct pl_places *p, const char *name)
{
	return (size_t)pl_places_find(p, name, strlen(name));
}

static void is_far(const struct pl_places *p, const char *a, const char *b, size_t apart)
{
	const size_t i = index_of(p, a), j = index_of(p, b);

	ok(pl_places_apart(p, i, j) == apart && pl_places_apart(p, j, i) == apart,
	   "%s and %s are %zu apart (%zu)", a, b, apart, pl_places_apart(p, i, j));
}

static void test_distances(void)
{
	struct pl_places p;
	struct pl_err err;
	char buf[64];

	is_int(parse(&p,
		     "n[1-2] eu/z1/r1 # a rack\n"
		     "n3,n4  /eu/z1/r2\n"
		     "m1     eu/z2/r1\n"
		     "x1     us/-/r1\n"
		     "x2     us//r1\n"
		     "x3     us/-/r2\n"
		     "v1     us\n"
		     "w1     -\n"
		     "w2\t\n",
		     &err),
	       0, "a file is read");
	is_int((int64_t)p.n, 11, "eleven hosts");
	is_int((int64_t)pl_places_levels(&p), 3, "three levels");
	is_str(p.form, "plain", "its form");
	is_far(&p, "n1", "n1", 0);
	is_far(&p, "n1", "n2", 1);
	is_far(&p, "n1", "n3", 2);
	is_far(&p, "n1", "m1", 3);
	is_far(&p, "n1", "x1", 4);
	is_far(&p, "x1", "x2", 1);
	is_far(&p, "x1", "x3", 2);
	is_far(&p, "x1", "v1", 2);
	is_far(&p, "w1", "n1", 4);
	is_str(pl_places_path(&p, index_of(&p, "n3"), buf, sizeof(buf)), "eu/z1/r2", "a path");
	is_str(pl_places_path(&p, index_of(&p, "x2"), buf, sizeof(buf)), "us/-/r1",
	       "an unknown label");
	is_str(pl_places_path(&p, index_of(&p, "w1"), buf, sizeof(buf)), "-", "nothing known");
	is_str(pl_places_path(&p, index_of(&p, "w2"), buf, sizeof(buf)), "-", "nor behind a tab");
	is_str(pl_places_path(&p, 0, buf, 5), "eu/z", "a path cut off");
	pl_places_fini(&p);
}

static ptrdiff_t find(const struct pl_places *p, const char *name, const char *node,
		      const char *addr)
{
	char *strings[3] = {strdup(name), node ? strdup(node) : NULL, addr ? strdup(addr) : NULL};
	const struct pl_host host = {.name = strings[0], .node = strings[1], .addr = strings[2]};
	const ptrdiff_t at = pl_places_find_host(p, &host);

	for (size_t i = 0; i < 3; i++)
		free(strings[i]);
	return at;
}

static void test_names(void)
{
	struct pl_places p;
	struct pl_err err;

	is_int(parse(&p,
		     "i-0a.west.internal r1 node=ip-10-0-0-1 addr=10.0.0.1\n"
		     "i-0b.west.internal r1 addr=10.0.0.2\n"
		     "n1.west.internal r2\n"
		     "n1.east.internal r3\n"
		     "n2 r2 addr=10.0.0.9 addr=fe80::9.1\n"
		     "n2.east r3 addr=10.0.0.9\n",
		     &err),
	       0, "a file with more names is read");
	is_int(find(&p, "i-0a.west.internal", NULL, NULL), 0, "by name");
	is_int(find(&p, "i-0a", NULL, NULL), 0, "by what precedes the dot");
	is_int(find(&p, "i-0b.other", NULL, NULL), PL_PLACES_NONE, "not in another domain");
	is_int(find(&p, "i-0b.west", NULL, NULL), 1, "by what precedes a later dot");
	is_int(find(&p, "i-0b.west.internal.net", NULL, NULL), 1, "with more behind a dot");
	is_int(find(&p, "h", "ip-10-0-0-1", NULL), 0, "by node");
	is_int(find(&p, "h", "ip-10-0-0-1.internal", NULL), 0, "by node, before the dot");
	is_int(find(&p, "h", NULL, "10.0.0.2"), 1, "by address");
	is_int(find(&p, "h", NULL, "fe80::9.1"), 4, "by a second address");
	is_int(find(&p, "10.0.0.2", NULL, NULL), 1, "an address for a name");
	is_int(find(&p, "10", NULL, NULL), PL_PLACES_NONE, "addresses have no domain");
	is_int(find(&p, "n1", NULL, NULL), PL_PLACES_SEVERAL, "two hosts have that beginning");
	is_int(find(&p, "n1", NULL, "10.0.0.1"), 0, "the address decides");
	is_int(find(&p, "n1.east.internal", NULL, NULL), 3, "the whole name decides");
	is_int(find(&p, "n2", NULL, NULL), 4, "a whole name wins over a beginning");
	is_int(find(&p, "h", NULL, "10.0.0.9"), PL_PLACES_SEVERAL, "two hosts at one address");
	is_int(find(&p, "h", "", ""), PL_PLACES_NONE, "nobody");
	pl_places_fini(&p);
}

static void test_labels(void)
{
#define NODE(name, labels) "{\"metadata\": {\"name\": \"" name "\", \"labels\": {" labels "}}}"
	static const char nodes[] = "[" NODE("a", "\"x/rack\": \"r1\", \"x/row\": \"w\"") "," NODE(
		"b", "\"x/rack\": \"r2\", \"x/row\": \"w\"") "," NODE("c", "") "]";
	struct pl_places p = {.labels = "x/row,x/rack"};
	struct pl_text text;
	struct pl_err err = {0};
	char buf[32];

	is_int(parse(&p, nodes, &err), -1, "labels that nobody knows");
	has_str(err.text, "--topology-label=KEY", "the remedy");
	p = (struct pl_places){.labels = "x/row,x/rack"};
	pl_text_copy(&text, "t", nodes, strlen(nodes), &err);
	is_int(pl_places_parse(&p, &text, &err), 0, "own labels");
	is_str(pl_places_path(&p, 1, buf, sizeof(buf)), "w/r2", "widest first");
	is_int(find(&p, "c", NULL, NULL), PL_PLACES_UNPLACED, "a node without them");
	pl_places_fini(&p);
	text.pos = text.line = 0;
	p = (struct pl_places){.labels = "x/row,x/rak"};
	is_int(pl_places_parse(&p, &text, &err), -1, "a label that no node has");
	has_str(err.text, "x/rak", "is named");
	pl_text_fini(&text);
	pl_text_copy(&text, "t", "a r1\n", 5, &err);
	p = (struct pl_places){.labels = "x/row"};
	is_int(pl_places_parse(&p, &text, &err), -1, "labels for another form");
	pl_text_fini(&text);
}

/* Random labels, some unknown: never farther than by way of a third host. */
static void test_ultrametric(uint64_t seed)
{
	struct pl_rng rng;
	size_t wrong = 0;

	pl_rng_init(&rng, seed, 0);
	for (size_t round = 0; round < 40; round++) {
		struct pl_places p = {0};

		for (size_t i = 0; i < 16; i++) {
			struct pl_places_path path = {0};
			const size_t n = pl_rng_below(&rng, 5);
			const char name = (char)('a' + i);

			for (size_t k = 0; k < n; k++)
				pl_places_push(&path, "xyz", pl_rng_below(&rng, 3));
			wrong += pl_places_add(&p, &name, 1, &path, NULL) < 0;
		}
		for (size_t a = 0; a < p.n; a++)
			for (size_t b = 0; b < p.n; b++)
				for (size_t c = 0; c < p.n; c++) {
					const size_t ac = pl_places_apart(&p, a, c);

					wrong += ac > pl_places_apart(&p, a, b) &&
						 ac > pl_places_apart(&p, b, c);
					wrong += (ac == 0) != (a == c);
					wrong += ac > 1 + pl_places_levels(&p);
				}
		pl_places_fini(&p);
	}
	is_int((int64_t)wrong, 0, "distances are an ultrametric");
}

static void test_many(void)
{
	struct pl_places p;
	struct pl_err err;

	is_int(parse(&p,
		     "a[0-49999] z1/r[1-2]\nb[0-49999] z1/r3\n"
		     "c[0-9] z2\n",
		     &err),
	       0, "100 010 hosts");
	is_int((int64_t)p.n, 100010, "all there");
	is_far(&p, "a7", "b49999", 2);
	pl_places_fini(&p);
	is_int(parse(&p, "a[0-65535],b[0-65535],c[0-65535],d[0-65535] r\ne r\n", &err), -1,
	       "too many are refused");
	has_str(err.text, "more than 262144 hosts", "and that is said");
}

static void test_no_memory(void)
{
	size_t k = 0, live, wrong = 0;
	bool refused;

	do {
		struct pl_places p;
		struct pl_err err;
		int rc;

		failalloc_begin(k);
		rc = parse(&p, "a.x z/r1 addr=10.0.0.1\nb z/r2\nc,d,e,f q/r1\n", &err);
		wrong += rc == -1 && (err.code != PL_ESYSTEM || p.host);
		pl_places_fini(&p);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0;
		k++;
	} while (refused);
	ok(k > 33, "%zu allocations, each refused once", k - 1);
	is_int((int64_t)wrong, 0, "refused memory: said, and nothing leaks");
}

int main(void)
{
	test_nonsense();
	test_distances();
	test_names();
	test_labels();
	test_ultrametric(20261122);
	test_many();
	test_no_memory();
	return done_testing();
}

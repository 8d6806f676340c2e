/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-linked.c - the largest set of hosts that measured pairs link */
#include "config.h"

#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/linked.h"

#include <math.h>
#include <stdlib.h>

enum { HOSTS = 7 };

static double cell[HOSTS * HOSTS];
static bool in[HOSTS];

static void clear(void)
{
	for (size_t p = 0; p < (size_t)HOSTS * HOSTS; p++)
		cell[p] = p % (HOSTS + 1) ? NAN : 0;
	for (size_t i = 0; i < HOSTS; i++)
		in[i] = true;
}

static void know(size_t a, size_t b)
{
	cell[a * HOSTS + b] = (double)(10 * a + b);
}

/* The hosts that are left, "023". */
static const char *left(void)
{
	static char text[HOSTS + 1];
	size_t n = 0, to = 0;

	if (pl_linked_most(cell, HOSTS, in, &n))
		return "no memory";
	for (size_t i = 0; i < HOSTS; i++)
		if (in[i])
			text[to++] = (char)('0' + i);
	text[to] = '\0';
	return to == n ? text : "miscounted";
}

static void sets(void)
{
	clear();
	is_str(left(), "0", "nothing known: of sets of one the first");
	clear();
	know(1, 4);
	know(4, 6); /* one direction each */
	know(0, 2);
	is_str(left(), "146", "a chain of three before a pair");
	clear();
	know(5, 6);
	know(1, 3);
	is_str(left(), "13", "of two alike that of the first host");
	clear();
	for (size_t a = 1; a < HOSTS; a++)
		know(a - 1, a);
	in[3] = false;
	is_str(left(), "012", "one that is out links nobody");
	clear();
	memset(in, 0, sizeof(in));
	is_str(left(), "", "all out: none");
}

static void without_memory(void)
{
	bool failed = true, told = true;
	size_t live, n;

	for (size_t k = 0; failed; k++) {
		int rc;

		clear();
		failalloc_begin(k);
		rc = pl_linked_most(cell, HOSTS, in, &n);
		failed = failalloc_end(&live);
		told = told && (rc == -1) == failed && live == 0;
	}
	ok(told, "out of memory at every place: told, nothing kept");
}

int main(void)
{
	sets();
	without_memory();
	return done_testing();
}

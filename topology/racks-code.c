/* SPDX-License-Identifier: BSD-3-Clause */
/* racks-code.c - the length of the code that says which host is in which
 * part */
#include "config.h"

#include "topology/racks-part.h"

#include <math.h>
#include <string.h>

#define LN_2 0.69314718055994530942

double pl_racks_log(double x)
{
	int exponent;
	double half = frexp(x, &exponent), t, power, sum = 0;

	if (half < 0.70710678118654752440) {
		half *= 2;
		exponent--;
	}
	t = (half - 1) / (half + 1);
	power = t;
	for (int k = 1; k < 20; k += 2) {
		sum += power / k;
		power *= t * t;
	}
	return 2 * sum + LN_2 * exponent;
}

/* One more part of a size, or one less. */
static void count(struct pl_part_code *c, size_t size, size_t g, bool more)
{
	const double sign = more ? 1 : -1;

	c->within += sign * c->factorial[size];
	c->alike -= c->factorial[c->n_sized[size]];
	c->names -= c->factorial[c->n_in[g]];
	if (more) {
		c->n_sizes += c->n_sized[size]++ == 0;
		c->n_in[g]++;
		c->n_parts++;
	} else {
		c->n_sizes -= --c->n_sized[size] == 0;
		c->n_in[g]--;
		c->n_parts--;
	}
	c->alike += c->factorial[c->n_sized[size]];
	c->names += c->factorial[c->n_in[g]];
}

void pl_parting_resize(struct pl_parting *t, size_t part, size_t size)
{
	if (t->size[part])
		count(&t->code, t->size[part], t->owner[part], false);
	if (size)
		count(&t->code, size, t->owner[part], true);
	t->size[part] = size;
}

void pl_part_code_begin(struct pl_parting *t)
{
	struct pl_part_code *c = &t->code;

	c->n_parts = c->n_sizes = 0;
	c->all = c->within = c->alike = c->names = 0;
	memset(c->n_sized, 0, (t->m + 1) * sizeof(*c->n_sized));
	memset(c->n_in, 0, t->n_wholes * sizeof(*c->n_in));
	memset(c->n_hosts, 0, t->n_wholes * sizeof(*c->n_hosts));
	for (size_t i = 0; i < t->m; i++)
		c->n_hosts[t->whole[i]]++;
	for (size_t g = 0; g < t->n_wholes; g++)
		c->all += c->factorial[c->n_hosts[g]];
	for (size_t p = 0; p < t->n_parts; p++)
		if (t->size[p])
			count(c, t->size[p], t->owner[p], true);
}

double pl_part_code_cost(const struct pl_part_code *c)
{
	const double k = c->natural[c->n_parts];
	double few = c->factorial[c->n_parts] - c->alike;

	if (c->n_sizes > 1)
		few += (double)c->n_sizes * (c->natural[c->m / c->n_parts + 1] + k) -
		       c->factorial[c->n_sizes];
	return c->all - c->within - c->names + few + c->natural[c->m] + LN_2;
}

double pl_part_code_of(const struct pl_parting *t, size_t g)
{
	const struct pl_part_code *c = &t->code;
	double cost = c->factorial[c->n_hosts[g]] - c->factorial[c->n_in[g]];

	for (size_t p = 0; p < t->n_parts; p++)
		if (t->size[p] && t->owner[p] == g)
			cost -= c->factorial[t->size[p]];
	return cost;
}

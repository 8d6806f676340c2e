/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns-table.c - prints the table of plink-patterns(7) from the
 * catalogue */
#include "config.h"

#include "costmodels/catalogue.h"

#include <stdio.h>

#define BYTES ((uint64_t)64 << 10)

static const char *const kinds[] = {"sum", "rounds", "path", "slowest"};

static struct pl_call call_of(const struct pl_algorithm *a, size_t n)
{
	struct pl_call call = {.n_pos = n, .bytes = BYTES, .slots = a->for_slots ? 2 : 1};

	if (a->collective == PL_BARRIER)
		call.bytes = 0;
	if (a->collective == PL_REDUCE_SCATTER)
		call.bytes = n * (BYTES / 8);
	if (pl_collective_is_by_block(a->collective))
		call.bytes = BYTES / 8;
	return call;
}

/* Messages and rounds, or dashes where the library refuses so many ranks. */
static void print_pattern(const struct pl_algorithm *a, size_t n)
{
	const struct pl_call call = call_of(a, n);
	struct pl_pattern p;

	if (pl_algorithm_pattern(a, &call, &p, NULL)) {
		printf(" %3s %3s", "-", "-");
		return;
	}
	printf(" %3zu %3zu", p.n_messages, p.n_rounds);
	pl_pattern_fini(&p);
}

static void print_row(const struct pl_algorithm *a)
{
	const struct pl_call call = call_of(a, 8);
	struct pl_shape shape;
	char name[40];

	snprintf(name, sizeof(name), "%s%s", a->name, a->takes_radix ? "[:N]" : "");
	printf("%-14s %-8s %-24s", pl_collective_name(a->collective), pl_impl_name(a->impl), name);
	if (pl_algorithm_shape(a, &call, &shape, NULL)) {
		printf(" %-7s", "-");
	} else {
		printf(" %-7s", kinds[shape.kind]);
		pl_shape_fini(&shape);
	}
	print_pattern(a, 8);
	print_pattern(a, 7);
	putchar('\n');
}

int main(void)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		print_row(a);
	return 0;
}

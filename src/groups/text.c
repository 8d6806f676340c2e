/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - groups as text, a line each */
#include "config.h"

#include "src/groups/work.h"

#include <math.h>

static void write_distance(const char *name, double x, const char *unit, FILE *out)
{
	if (isnan(x))
		fprintf(out, " %s -", name);
	else
		fprintf(out, " %s %.6g %s", name, x, unit);
}

static void write_group(const struct groups *g, size_t a, FILE *out)
{
	const char *unit = pl_unit_name(g->m->layer[0].unit);

	fprintf(out, "%s %zu: %zu host%s,", g->o->balanced || g->too_few ? "group" : "rack", a + 1,
		g->group[a].n, g->group[a].n == 1 ? "" : "s");
	write_distance("inner", g->group[a].inner, unit, out);
	fputc(',', out);
	write_distance("outer", g->group[a].outer, unit, out);
	fputc(':', out);
	for (size_t i = 0; i < g->m->hosts.n; i++)
		if (g->number[i] == a)
			fprintf(out, " %s", g->label[i]);
	fputc('\n', out);
}

static void write_score(const char *name, const struct pl_affinity *a, FILE *out)
{
	const unsigned long long all = a->right + a->wrong + a->tied;

	if (all > 0)
		fprintf(out, "PAIA %s: %.4f of %llu triplets\n", name, pl_affinity_score(a), all);
	else
		fprintf(out, "PAIA %s: no triplets to judge\n", name);
}

int groups_write(const struct groups *g, FILE *out, struct pl_err *err)
{
	for (size_t a = 0; a < g->n_groups; a++)
		write_group(g, a, out);
	if (g->judged) {
		write_score("measured", &g->measured, out);
		write_score("embedded", &g->estimated, out);
	}
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c - a collective that goes along a tree of hosts */
#include "config.h"

#include "report/drawing.h"

#include "base/mem.h"
#include "report/escape.h"
#include "report/label.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 900.0
#define STEP 64.0    /* from level to level, where there is room */
#define HEIGHT 640.0 /* of all levels, at most */
#define NAMED_MAX 40 /* hosts whose names have room */
#define NONE SIZE_MAX

/* Indexed by host. */
struct forest {
	size_t n;
	size_t *parent; /* NONE: a root, or not in it */
	size_t *depth;
	size_t *children;                 /* how many */
	const struct pl_report_link **up; /* the hop to the parent or from it */
	bool *in;
	double *x; /* in leaves */
	size_t deepest, n_leaves;
};

static void fini(struct forest *f)
{
	free(f->parent);
	free(f->depth);
	free(f->children);
	free(f->up);
	free(f->in);
	free(f->x);
}

static int init(struct forest *f, size_t n)
{
	*f = (struct forest){
		.n = n,
		.parent = pl_array_create(n, sizeof(*f->parent)),
		.depth = pl_array_create(n, sizeof(*f->depth)),
		.children = pl_array_create(n, sizeof(*f->children)),
		.up = pl_array_create(n, sizeof(*f->up)),
		.in = pl_array_create(n, sizeof(*f->in)),
		.x = pl_array_create(n, sizeof(*f->x)),
	};
	return f->parent && f->depth && f->children && f->up && f->in && f->x ? 0 : -1;
}

/* Hops lead from parents to children, or (@up) the other way; false: some host would have two
 * parents. */
static bool take(struct forest *f, const struct pl_report_links *links, size_t group, bool up)
{
	for (size_t h = 0; h < f->n; h++) {
		f->parent[h] = NONE;
		f->children[h] = 0;
		f->in[h] = false;
	}
	for (size_t i = 0; i < links->n; i++) {
		const struct pl_report_link *l = &links->v[i];
		const size_t child = up ? l->src : l->dst;
		const size_t parent = up ? l->dst : l->src;

		if (l->group != group)
			continue;
		if (f->parent[child] != NONE)
			return false;
		f->parent[child] = parent;
		f->up[child] = l;
		f->children[parent]++;
		f->in[child] = f->in[parent] = true;
	}
	return true;
}

/* Levels below the root; false where hops go round in a circle. */
static bool find_depths(struct forest *f)
{
	f->deepest = 0;
	for (size_t h = 0; h < f->n; h++) {
		size_t depth = 0;

		for (size_t p = h; f->parent[p] != NONE; p = f->parent[p])
			if (++depth > f->n)
				return false;
		f->depth[h] = depth;
		if (depth > f->deepest)
			f->deepest = depth;
	}
	return true;
}

/* Leaves side by side, parents above the middle of their children: depth first, without recursion;
 * next[n] and first[n], lists of children, are scratch. */
static void place(struct forest *f, size_t *first, size_t *next)
{
	for (size_t h = 0; h < f->n; h++)
		first[h] = next[h] = NONE;
	for (size_t h = f->n; h-- > 0;)
		if (f->parent[h] != NONE) {
			next[h] = first[f->parent[h]];
			first[f->parent[h]] = h;
		}
	f->n_leaves = 0;
	for (size_t root = 0; root < f->n; root++) {
		size_t h = root;

		if (f->parent[root] != NONE || !f->in[root])
			continue;
		for (;;) {
			while (first[h] != NONE) {
				const size_t child = first[h];

				first[h] = next[child];
				h = child;
			}
			if (f->children[h] == 0)
				f->x[h] = (double)f->n_leaves++;
			else
				f->x[h] /= (double)f->children[h];
			if (h == root)
				break;
			f->x[f->parent[h]] += f->x[h];
			h = f->parent[h];
		}
	}
}

static int find_places(struct forest *f)
{
	size_t *first = pl_array_create(f->n, sizeof(*first));
	size_t *next = pl_array_create(f->n, sizeof(*next));

	if (first && next)
		place(f, first, next);
	free(first);
	free(next);
	return first && next ? 0 : -1;
}

/* The hop between @h and its parent, in its direction. */
static void write_link(const struct forest *f, const struct pl_report *r, size_t h, double dx,
		       double dy, double radius, FILE *out)
{
	const size_t src = f->up[h]->src, dst = f->up[h]->dst;
	struct pl_curve line = {
		.from_x = dx * (f->x[src] + 0.5),
		.from_y = dy * (double)f->depth[src] + 20,
		.to_x = dx * (f->x[dst] + 0.5),
		.to_y = dy * (double)f->depth[dst] + 20,
	};

	line.over_x = (line.from_x + line.to_x) / 2;
	line.over_y = (line.from_y + line.to_y) / 2;
	pl_draw_link_begin(r, f->up[h], out);
	pl_draw_curve(&line, radius + 1, radius > 4 ? 7 : 0, out);
	pl_draw_link_end(r, f->up[h], out);
}

/* In @width at most. */
static void write_name(const struct pl_report *r, size_t host, double x, double y, double width,
		       const char *anchor, FILE *out)
{
	char name[PL_LABEL_CHARS];

	fprintf(out,
		"<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" text-anchor=\"%s\" "
		"fill=\"currentColor\">",
		x, y, anchor);
	pl_escape_markup(pl_label_short(name, r, host, width > 30 ? (size_t)(width / 6) : 5), out);
	fputs("</text>\n", out);
}

static void write_tree(const struct forest *f, const struct pl_report *r, FILE *out)
{
	const double dy = STEP * (double)f->deepest > HEIGHT ? HEIGHT / (double)f->deepest : STEP;
	const double dx = WIDTH / (double)f->n_leaves;
	const double least = dx < dy ? dx : dy;
	const double radius = least > 20 ? 9 : least > 4 ? 0.4 * least : 1.6;
	const double height = dy * (double)f->deepest + 70;

	fprintf(out, "<svg class=\"drawing tree\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n", WIDTH,
		height);
	for (size_t h = 0; h < f->n; h++) {
		if (f->parent[h] != NONE)
			write_link(f, r, h, dx, dy, radius, out);
	}
	for (size_t h = 0; h < f->n; h++) {
		const double x = dx * (f->x[h] + 0.5);
		const double y = dy * (double)f->depth[h] + 20;

		if (!f->in[h])
			continue;
		pl_draw_host(r, h, x, y, radius, out);
		if (f->n <= NAMED_MAX && dy >= 40)
			write_name(r, h, x, y + 22, dx, "middle", out);
		else if (f->n <= NAMED_MAX)
			write_name(r, h, x + radius + 3, y + 4, dx, "start", out);
	}
	fputs("</svg>\n", out);
}

int pl_draw_tree(const struct pl_report *r, const struct pl_report_links *links, size_t group,
		 bool *drawn, FILE *out, struct pl_err *err)
{
	struct forest f;
	int rc = init(&f, r->n);

	*drawn = rc == 0 && (take(&f, links, group, false) || take(&f, links, group, true)) &&
		 find_depths(&f) && f.deepest > 0;
	if (*drawn)
		rc = find_places(&f);
	if (*drawn && rc == 0)
		write_tree(&f, r, out);
	fini(&f);
	return rc ? pl_err_nomem(err) : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - the parts of a job's cost, for the files of this folder only */
#ifndef PLINK_ORDER_JOB_PARTS_H
#define PLINK_ORDER_JOB_PARTS_H

#include "order/job/cost.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a bound needs to know of a shape. */
struct pl_job_outline {
	enum pl_shape_kind kind;
	size_t n_hops, n_rounds; /* rounds: of a sum of maxima */
	double times, bytes;     /* the least of any hop */
	size_t n_seats;          /* different ones; 0: not all are joined */
	size_t cut;              /* hops that at least join two parts of it */
	bool is_ring, is_wide;   /* wide: each position has a seat of its own */
	bool is_pairs;           /* each seat sends to each, all at once */
};

/* A group of a kind. */
struct pl_job_group {
	struct pl_objective *objective;
	size_t *seat; /* [n_pos] of each position of the shape */
	size_t n_pos;
	double factor; /* from the objective to the cost of a call */
	struct pl_job_outline outline;
};

/* Groups of one kind, of which the slowest counts. */
struct pl_job_term {
	size_t kind;
	double weight;   /* of the slowest group in the cost of a step */
	size_t first, n; /* groups */
	double *node;    /* [2 * n] a tournament: node[n + i] is the cost of group
			    first + i, node[1] the highest */
	double sum;      /* of all groups */
};

struct pl_job_place {
	uint32_t group, pos;
};

struct pl_job_cost {
	struct pl_job_cost_options o;
	struct pl_job_group *group;
	size_t n_groups, groups_room;
	struct pl_job_term *term;
	size_t n_terms, terms_room;
	uint32_t *term_of; /* [n_groups] */
	/* the positions at a seat are place[from[seat]] ..
	 * place[from[seat + 1] - 1] */
	struct pl_job_place *place;
	size_t *from;
	size_t *host_at; /* [seats.n] */
	size_t *scratch; /* [most positions of a group] */
};

/* shapes.c: appends the terms of kind @k: one, or two for a pipeline. 0, or -1 with @err set. */
int pl_job_cost_add_kind(struct pl_job_cost *c, size_t k, struct pl_err *err);

/* outline.c. 0, or -1: out of memory. */
int pl_job_outline_find(struct pl_job_outline *to, const struct pl_shape *shape,
			const size_t *seat);

/* What holds for every group of a term: the least of their numbers. @times is multiplied by the
 * group's factor. */
struct pl_job_outline pl_job_outline_least(const struct pl_job_cost *c,
					   const struct pl_job_term *term);

/* The representative of @i, by union-find: up[i] == i at first, and a set joins another by up[root]
 * = other root. */
size_t pl_job_root(size_t *up, size_t i);

/* span.c: a hop of @bytes from host @a to host @b. */
double pl_job_hop(const struct pl_costs *costs, double bytes, size_t a, size_t b);

struct pl_job_edge {
	double cost;
	size_t a, b;
};

/* The cheapest tree that joins all hosts, each hop in its cheaper direction: its n - 1 edges by
 * cost. @way [n] is scratch. */
void pl_job_span(struct pl_job_edge *edge, struct pl_job_edge *way, const struct pl_costs *costs,
		 double bytes);

/*
 * bound-kinds.c: *bound is what the sum of all terms costs at least, by the trees of their hops
 * tree[n_terms]; alone[n_terms] is what holds for each alone. NULL and 0 for terms without groups.
 * O(hosts * (hosts + terms * 2^kinds)) for each term. 0, or -1: out of memory.
 */
int pl_job_bound_together(const struct pl_job_cost *c, const size_t *host_at,
			  struct pl_job_edge *const *tree, const double *alone, double *bound);

#endif

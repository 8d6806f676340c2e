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
	double *node; /* [2 * n] a tournament: node[n + i] is the cost of group
			 first + i, node[1] the highest */
	double sum;   /* of all groups */
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

/* groups.c: the seats of a kind's groups that have several, each sequence of
 * seats once. Start with {0}, end with fini. */
struct pl_job_seated {
	size_t *seat;  /* of the members */
	size_t *first; /* [n + 1] group g is seat[first[g]] .. */
	size_t n;
	size_t share; /* the most groups that share a card, >= 1 */
};
/* 0, or -1: out of memory. */
int pl_job_seated_init(struct pl_job_seated *g, const struct pl_job_kind *kind,
		       const struct pl_job_seats *seats, size_t cards);
void pl_job_seated_fini(struct pl_job_seated *g);

/* shapes.c: appends the terms of kind @k: one, or two for a pipeline. 0, or -1
 * with @err set. */
int pl_job_cost_add_kind(struct pl_job_cost *c, size_t k, struct pl_err *err);

/* outline.c. 0, or -1: out of memory. */
int pl_job_outline_find(struct pl_job_outline *to, const struct pl_shape *shape,
			const size_t *seat);

/* factor.c: the sum over the rounds of a call, divided by the cost of its
 * shape, if all hops cost the mean of @costs. 0, or -1 with @err set. */
int pl_job_factor(const struct pl_algorithm *a, const struct pl_call *call,
		  const struct pl_costs *costs, double *factor,
		  struct pl_err *err);

#endif

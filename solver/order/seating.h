/* SPDX-License-Identifier: BSD-3-Clause */
/* seating.h - hosts in order, each with its positions, and what that costs */
#ifndef PLINK_SOLVER_ORDER_SEATING_H
#define PLINK_SOLVER_ORDER_SEATING_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>
#include <stdint.h>

enum pl_seating_change_kind {
	PL_EXCHANGE, /* the seats a .. a + len - 1 with those from b on, no
			overlap */
	PL_REVERSE,  /* the seats a .. a + len - 1 */
	PL_MOVE,     /* the seats a .. a + len - 1, to begin at b then */
};

struct pl_seating_change {
	enum pl_seating_change_kind kind;
	size_t a, b, len;
};

/*
 * Hosts sit on seats 0 .. n - 1, one on each; a host takes slots[host]
 * positions of the shape in a row. Where all hosts have as many, seats are
 * blocks of positions and a change costs what the objective takes for it;
 * otherwise all is evaluated anew each time. One thread's.
 */
struct pl_seating {
	size_t n;
	const size_t *slots; /* borrowed; NULL: one each */
	size_t alike;        /* positions of each host; 0: they differ */
	struct pl_objective *cost;
	struct pl_objective *guide; /* of the same order, or NULL */
	size_t *host_at;            /* [n] by seat */
	size_t *seat_of;            /* [n] by host */
	size_t *pos_host;           /* [n_pos] scratch */
	struct pl_seating_change last;
};

/* Checks that slots and positions fit: 0, or -1 with @err set (PL_EUSAGE). */
int pl_seating_check(const struct pl_shape *shape, size_t n,
		     const size_t *slots, struct pl_err *err);

/* @guide may be NULL. 0, or -1 with @err set and nothing to release. */
int pl_seating_init(struct pl_seating *s, const struct pl_shape *shape,
		    const struct pl_shape *guide, const struct pl_costs *costs,
		    const size_t *slots, struct pl_err *err);
void pl_seating_fini(struct pl_seating *s);

/* Takes over an order. */
void pl_seating_set(struct pl_seating *s, const size_t *host_at);

/* What an order costs, evaluated in full. */
double pl_seating_full(struct pl_seating *s, const size_t *host_at);

void pl_seating_change(struct pl_seating *s,
		       const struct pl_seating_change *change);
/* Takes the last change back. */
void pl_seating_undo(struct pl_seating *s);

/* The seats of a hop that makes the cost what it is (pl_objective_critical). */
int pl_seating_critical(const struct pl_seating *s, uint64_t pick,
			size_t seat[2]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.h - a job's flows by position, and the slots of its hosts */
#ifndef PLINK_SOLVER_ASSIGN_FLOWS_H
#define PLINK_SOLVER_ASSIGN_FLOWS_H

#include "base/err.h"
#include "solver/assign/assign.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_assign_load {
	double messages, bytes;
};

/* A position that another one exchanges data with. */
struct pl_assign_peer {
	uint32_t pos;
	struct pl_assign_load out, in; /* to it, and from it */
};

/*
 * peer[first[p]..first[p + 1]) are the peers of position p, each once, in the order of their
 * numbers. Slots are numbered host by host: host h has slot[h]..slot[h + 1), n_pos of them at most.
 */
struct pl_assign_flows {
	size_t n_pos, n_hosts, n_slots;
	/* [n_hosts * n_hosts], borrowed; per_byte may be NULL */
	const double *c, *per_byte;
	double mean, mean_per_byte; /* of these */
	size_t *first;              /* [n_pos + 1] */
	struct pl_assign_peer *peer;
	size_t *slot; /* [n_hosts + 1] */
};

/* Checks the problem and the assignment host_at[n_pos] (NULL: none). 0, or -1 with @err set and
 * nothing to release: PL_EUSAGE if they do not fit, or out of memory. */
int pl_assign_flows_init(struct pl_assign_flows *f, const struct pl_assign_problem *problem,
			 const size_t *host_at, struct pl_err *err);
void pl_assign_flows_fini(struct pl_assign_flows *f);

/* What @load costs from host @a to host @b. */
static inline double pl_assign_hop(const struct pl_assign_flows *f, size_t a, size_t b,
				   struct pl_assign_load load)
{
	const size_t cell = a * f->n_hosts + b;
	const double sum = load.messages * f->c[cell];

	return f->per_byte ? sum + load.bytes * f->per_byte[cell] : sum;
}

/* What the flows of a peer, to it and from it, cost with mean costs. */
static inline double pl_assign_exchanged(const struct pl_assign_flows *f,
					 const struct pl_assign_peer *x)
{
	return (x->out.messages + x->in.messages) * f->mean +
	       (x->out.bytes + x->in.bytes) * f->mean_per_byte;
}

#endif

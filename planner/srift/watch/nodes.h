/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.h - the machines of a job while it is watched, and what they have
 * cost */
#ifndef PLINK_PLANNER_SRIFT_WATCH_NODES_H
#define PLINK_PLANNER_SRIFT_WATCH_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_node_state {
	PL_NODE_UP,
	PL_NODE_LOST,     /* taken away, or silent */
	PL_NODE_STOPPING, /* no longer wanted; its stop is under way */
	PL_NODE_STOPPED,
};

/* Seconds are the job's, from its begin. */
struct pl_node {
	char *name, *type;
	bool spot;
	uint64_t batch; /* samples of an iteration that it is to compute */
	double price_per_hour; /* dollars */
	enum pl_node_state state;
	double launched_s; /* it is paid for from then on */
	double ended_s;    /* and until then; NaN: it still is */
	double beat_s;     /* when it last gave a sign of life */
};

/* In the order in which they came, which is that of their ranks. Start with
 * {0}. */
struct pl_nodes {
	struct pl_node *node;
	size_t n, room;
};

/* Adds a machine; the strings are copied. The index, or -1: no memory. */
long pl_nodes_add(struct pl_nodes *nodes, const struct pl_node *node);
void pl_nodes_fini(struct pl_nodes *nodes);

/* The machine of that name which is UP or STOPPING, or NULL. */
struct pl_node *pl_nodes_find(struct pl_nodes *nodes, const char *name);

/* How many are UP; of a type only where @type is not NULL. */
size_t pl_nodes_up(const struct pl_nodes *nodes, const char *type, bool spot);

/* The first machine that is UP, that of the least rank; n where none is. */
size_t pl_nodes_first(const struct pl_nodes *nodes);

/* Dollars of all machines until @now_s: price times hours of each. */
double pl_nodes_dollars(const struct pl_nodes *nodes, double now_s);

/* Dollars an hour of those that are paid for now. */
double pl_nodes_per_hour(const struct pl_nodes *nodes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.h - the machines of a watched job, and what they have cost */
#ifndef PLINK_PLANNER_SRIFT_WATCH_NODES_H
#define PLINK_PLANNER_SRIFT_WATCH_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_node_state {
	PL_NODE_UP,
	PL_NODE_LOST,     /* taken away, or silent */
	PL_NODE_STOPPING, /* no longer needed; being stopped */
	PL_NODE_STOPPED,
};

/* Seconds are those of the job, from its begin. */
struct pl_node {
	char *name, *type;
	bool spot;
	uint64_t batch;        /* samples of an iteration that the machine computes */
	double price_per_hour; /* dollars */
	enum pl_node_state state;
	double launched_s; /* paid for from this time on */
	double ended_s;    /* paid for until this time; NaN: still paid for */
	double beat_s;     /* time of its last sign of life */
	double pace_s;     /* of an iteration, as it last told; 0: it did not */
};

/* In the order in which the machines came, which is the order of their ranks. Start with {0}. */
struct pl_nodes {
	struct pl_node *node;
	size_t n, room;
};

/* Adds a machine; the strings are copied. Returns its index, or -1: out of memory. */
long pl_nodes_add(struct pl_nodes *nodes, const struct pl_node *node);
void pl_nodes_fini(struct pl_nodes *nodes);

/* The machine of that name that is UP or STOPPING, or NULL. */
struct pl_node *pl_nodes_find(struct pl_nodes *nodes, const char *name);

/* How many are UP; of a type only where @type is not NULL. */
size_t pl_nodes_up(const struct pl_nodes *nodes, const char *type, bool spot);

/* Index of the first machine that is UP, which has the least rank; n if there is none. */
size_t pl_nodes_first(const struct pl_nodes *nodes);

/* Dollars of all machines until @now_s: price times hours of each. */
double pl_nodes_dollars(const struct pl_nodes *nodes, double now_s);

/* Dollars per hour of the machines that are being paid for. */
double pl_nodes_per_hour(const struct pl_nodes *nodes);

#endif

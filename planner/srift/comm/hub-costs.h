/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-costs.h - what hosts that add up gradients must carry, gain and cost */
/*
 * The formulas of the PLink thesis, chapters 2 and 6, where hubs are parameter servers or
 * aggregators; that of an exchange with hubs is in comm-hubs.h.
 */
#ifndef PLINK_PLANNER_SRIFT_COMM_HUB_COSTS_H
#define PLINK_PLANNER_SRIFT_COMM_HUB_COSTS_H

#include "planner/json.h"

#include <stdbool.h>
#include <stddef.h>

/* Servers are central (one) or sharded (as many as workers), and colocated with the workers or on
 * hosts of their own. */
enum pl_server { PL_SERVER_CC, PL_SERVER_CS, PL_SERVER_NCC, PL_SERVER_NCS };
#define PL_SERVERS 4

/* In an iteration of T each worker sends S bytes of gradients to the servers and gets S bytes of
 * parameters. The rate of a server's host, both directions together, that hides this, in the unit
 * of @rate = S / T (table 2.1). */
double pl_server_need(enum pl_server kind, size_t n_workers, double rate);

/* Does a hub in each rack pay? Rates are of each way, in bits a second. */
struct pl_rack_hubs {
	size_t n_racks, n_workers; /* workers of a rack */
	double core;               /* what a rack can send to the others */
	double hub, worker;        /* the cards */
	double bits;               /* gradients */
	/* seconds, which pl_rack_hubs_judge() fills: with shards on all hosts, N (R - 1) / (R core)
	 * for each bit; with hubs within the racks, max(N / hub, 1 / worker), and between them by a
	 * ring or shards, (R - 1) / (R min(hub, core)) */
	double flat_s, local_s, between_s;
	bool pays; /* flat_s > local_s + between_s (inequality 2.3) */
};
void pl_rack_hubs_judge(struct pl_rack_hubs *r);

#define PL_DEPLOY_MAX 1000      /* deployments of a file */
#define PL_DEPLOY_RATIOS_MAX 64 /* rows of a deployment */

/*
 * What is bought, at an oversubscription: racks that hold what one switch connects, of which only
 * the switch of a rack is oversubscribed (section 6.1.10). As in the thesis, the card is in
 * @network and beside it, too.
 */
struct pl_deploy {
	const char *name, *why; /* the document's; NULL: no why */
	double hubs, workers;   /* of a rack */
	double ratio;           /* workers' bandwidth over that of the rack's uplinks */
	/* dollars of a worker: its part of the network, A = (N + S + C) +
	 * F (4 S + 2 C), F = 1 / ratio; of the hubs, K P; in all, W + N + n G +
	 * A + K P */
	double network, hub, worker;
	/* samples a second for 1000 dollars; those that others printed, or NaN, and @why they may
	 * differ */
	double per_1000, reported;
};

/* In the order of the file. Start with {0}, end with fini. */
struct pl_deploys {
	struct pl_json doc;
	struct pl_deploy *v;
	size_t n, room;
};

/* Reads prices (plink-srift(1)). @d must be empty. 0, or -1 with @d empty: PL_EINPUT with the
 * place, also of a deployment without a port for a worker, or PL_ESYSTEM. */
int pl_deploys_parse(struct pl_deploys *d, const struct pl_text *text, struct pl_err *err);
int pl_deploys_read(struct pl_deploys *d, const char *path, struct pl_err *err);
void pl_deploys_fini(struct pl_deploys *d);

#endif

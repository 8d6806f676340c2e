/* SPDX-License-Identifier: BSD-3-Clause */
/* deploy.h - what clusters with aggregators cost, and train for it */
/*
 * The cost model of the PLink thesis, section 6.1.10: what is bought for one
 * worker, with its part of switches, cables and aggregators. Racks hold what
 * one switch connects; only the switch of a rack is oversubscribed.
 */
#ifndef PLINK_PLANNER_RACK_DEPLOY_H
#define PLINK_PLANNER_RACK_DEPLOY_H

#include "base/err.h"
#include "base/text/text.h"

#include <stddef.h>
#include <stdint.h>

#define PL_DEPLOY_MAX 1000      /* deployments of a file */
#define PL_DEPLOY_RATIOS_MAX 64 /* rows of a deployment */

/* Prices in dollars. */
struct pl_deploy {
	char *name;
	double machine; /* of a worker, without accelerators and cards */
	double accelerator;
	uint64_t accelerators;        /* of a worker */
	double card, cable;           /* of a worker's port */
	double switch_price;          /* all switches are alike */
	uint64_t switch_ports;        /* of the workers' speed */
	double hub_machine, hub_card; /* of an aggregator; of a port of it */
	uint64_t hubs, hub_ports;     /* in a rack; of each. 0 hubs: there are none
				       */
	double samples_per_s;         /* of a worker */
	/* [n]: workers' bandwidth over that of the rack's uplinks */
	double ratio[PL_DEPLOY_RATIOS_MAX];
	/* [n]: samples a second for 1000 dollars that others printed; NaN: not
	 * given */
	double reported[PL_DEPLOY_RATIOS_MAX];
	size_t n;
	char *why; /* what others printed may differ; NULL: not given */
};

/* In the order of the file; the first is what the others are compared with.
 * Start with {0}, end with fini. */
struct pl_deploys {
	struct pl_deploy *v;
	size_t n;
};

/* @d must be empty. 0, or -1 with @d empty: PL_EINPUT with the place, or
 * PL_ESYSTEM. */
int pl_deploys_parse(struct pl_deploys *d, const struct pl_text *text, struct pl_err *err);
int pl_deploys_read(struct pl_deploys *d, const char *path, struct pl_err *err);
void pl_deploys_fini(struct pl_deploys *d);

struct pl_deploy_cost {
	uint64_t workers; /* in a rack */
	double network;   /* dollars of a worker's: A = (N + S + C) +
			   * F (4 S + 2 C), F = 1 / ratio */
	double hub;       /* a worker's part of the aggregators: K P */
	double worker;    /* dollars of a worker with all this: W + N + 4 G +
			   * A + K P */
	double per_1000;  /* samples a second for 1000 dollars */
};

/*
 * The costs with @hubs aggregators in a rack, at an oversubscription of
 * @ratio >= 1. As in the thesis, the card is in A and counted beside it, too.
 * 0, or -1 with @err set, PL_EINPUT: no port is left for workers.
 */
int pl_deploy_cost(const struct pl_deploy *d, uint64_t hubs, double ratio, struct pl_deploy_cost *c,
		   struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* schedulers.h - where hosts stand, written for schedulers */
#ifndef PLINK_TOPOLOGY_SCHEDULERS_SCHEDULERS_H
#define PLINK_TOPOLOGY_SCHEDULERS_SCHEDULERS_H

#include "base/err.h"
#include "topology/hierarchy.h"

#include <stdbool.h>
#include <stdio.h>

/* What is written; all borrowed. */
struct pl_scheduled {
	const struct pl_hierarchy *levels;
	char *const *host;  /* [levels->n_hosts] names */
	const char *lowest; /* what a group of level 0 is called: "rack" */
};

/*
 * A writer of one format. 0, or -1 with @err set: PL_EINPUT for a host whose name the scheduler
 * cannot have, no memory; @out keeps what cannot be written as its error.
 */
typedef int pl_scheduler_writer(const struct pl_scheduled *s, FILE *out, struct pl_err *err);
pl_scheduler_writer pl_scheduler_slurm_tree;  /* topology.conf(5) */
pl_scheduler_writer pl_scheduler_slurm_block; /* topology.conf(5) */
pl_scheduler_writer pl_scheduler_slurm_yaml;  /* topology.yaml(5), a tree */
pl_scheduler_writer pl_scheduler_labels;      /* of Kubernetes' nodes */
pl_scheduler_writer pl_scheduler_hypernode;   /* Volcano's HyperNode objects */

#define PL_SCHEDULED_NAME 40 /* bytes of a group's name, with the end */

/* Writes the name of group @a of that level: rack1, row1, hall1, level4-1. Returns @name. */
const char *pl_scheduled_name(const struct pl_scheduled *s, size_t level, size_t a,
			      char name[PL_SCHEDULED_NAME]);

/* Is group @b of the level below @level in group @a? */
bool pl_scheduled_is_in(const struct pl_scheduled *s, size_t level, size_t a, size_t b);

/* Are all hosts of a name that a node can have? Slurm's have no colon; Kubernetes' are in lower
 * case and without '_'. */
int pl_scheduled_check_slurm(const struct pl_scheduled *s, struct pl_err *err);
int pl_scheduled_check_kubernetes(const struct pl_scheduled *s, struct pl_err *err);

#endif

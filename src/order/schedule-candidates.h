/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-candidates.h - the schedules that a job could run */
#ifndef PLINK_SRC_ORDER_SCHEDULE_CANDIDATES_H
#define PLINK_SRC_ORDER_SCHEDULE_CANDIDATES_H

#include "base/err.h"
#include "engine/hub-racks.h"
#include "engine/schedule.h"
#include "engine/window.h"
#include "predict/network.h"
#include "src/order/output.h"
#include "src/order/schedule-tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a schedule's masters are divided among groups and hosts. */
enum pl_reorder_masters {
	PL_MASTERS_CARDINALITY, /* AggEngine's rule */
	PL_MASTERS_BANDWIDTH,   /* Quicktune's rule */
	PL_MASTERS_UPLINKS,     /* so that no uplink takes long */
};

/* One of the engine's own, or an algorithm of a library in the order found. */
struct pl_reorder_candidate {
	const char *name;              /* "two-level", "ring" */
	const struct pl_algorithm *of; /* NULL: the engine's own */
	size_t radix;
	enum pl_reorder_depth depth;
	enum pl_reorder_masters masters;
	bool hubs;  /* --aggregators add up, and ranks as far as they must; */
	bool racks; /* or hubs in each rack what its ranks have */
};

/* Start with {0}, end with fini. */
struct pl_reorder_candidates {
	const struct pl_reorder_answer *a; /* borrowed */
	size_t n_ranks;
	struct pl_network net; /* empty where nothing was measured */
	size_t *machine;       /* [n_ranks], of the network; NULL likewise */
	/* the same of ranks and hubs, [n_ranks + hubs] */
	struct pl_network hub_net;
	size_t *hub_machine;
	struct pl_hub_grouping hub_racks;
	/* indexed by enum pl_reorder_depth; those that nobody asks for and, if the best is asked
	 * for, those that are not known have no nodes */
	struct pl_reorder_tree tree[PL_DEPTH_ALL + 1];
	struct pl_reorder_candidate *v;
	size_t n, room;
};

/*
 * Lists what the options ask for: the algorithm that they name, or all that there are, by each rule
 * of masters; the first is to be taken where nothing is predicted. 0, or -1 with @err set; as
 * pl_reorder_tree_init.
 */
int pl_reorder_candidates_init(struct pl_reorder_candidates *c, const struct pl_reorder_answer *a,
			       struct pl_err *err);
void pl_reorder_candidates_fini(struct pl_reorder_candidates *c);

/*
 * Makes the schedule of a candidate as all-reduces of @bytes run it, for all sizes, with the chunks
 * and the window that the network asks for; *way as pl_slices_way fills it. *s must be {0}; the
 * caller ends it with pl_schedule_fini. 0, or -1 with @err set: PL_EUSAGE for what the library
 * refuses.
 */
int pl_reorder_candidate_make(const struct pl_reorder_candidates *c, size_t i, uint64_t bytes,
			      struct pl_schedule *s, struct pl_window_way *way, struct pl_err *err);

/* Does the engine have an all-reduce of that name for --algorithm: "best", "two-level", ...? */
bool pl_reorder_is_own(const char *name);
bool pl_reorder_needs_hubs(const char *name);

/* "masters by uplinks" and the like, or an empty text. */
const char *pl_reorder_candidate_masters(const struct pl_reorder_candidate *of);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.h - the nodes of Chakra's graphs, in whatever form they are written */
#ifndef PLINK_JOB_IMPORT_GRAPH_H
#define PLINK_JOB_IMPORT_GRAPH_H

#include "job/import/recording.h"
#include "job/import/trace.h"

#include <stdint.h>

#define PL_GRAPH_BYTES_MAX (INT64_MAX / 2)

/* Numbers are -1 where they are not there, strings NULL. */
struct pl_graph_node {
	int64_t type, cpu, comm_type, bytes, src, dst; /* as of et_def.proto */
	char *group;                                   /* owned */
	char *groups; /* owned: those that PyTorch lists, as JSON */
};

extern const struct pl_graph_node pl_graph_no_node; /* all are -1 or NULL */
void pl_graph_node_fini(struct pl_graph_node *node);

/* Adds what the node sends. -1: out of memory. */
int pl_graph_take_node(struct pl_recording *r, struct pl_job_trace *t,
		       const struct pl_graph_node *node);

/* Keeps the trace, which is empty then, until all files are there: its calls
 * count n_steps steps. -1: out of memory. */
int pl_graph_keep(struct pl_recording *r, struct pl_job_trace *t, const char *path, double n_steps);

#endif

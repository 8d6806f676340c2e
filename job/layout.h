/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.h - jobs from how a framework lays its ranks out: Megatron's grids, meshes of
 * torch.distributed */
#ifndef PLINK_JOB_LAYOUT_H
#define PLINK_JOB_LAYOUT_H

#include "base/err.h"
#include "job/job.h"
#include "job/mesh.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define PL_LAYOUT_ORDER "tp-cp-ep-dp-pp" /* Megatron's default */

/* The same ranks as one grid, or as Megatron's two: dense, then expert. A plain value. */
struct pl_layout {
	struct pl_rank_mesh mesh[2];
	size_t n_meshes;
	size_t vpp;       /* parts of the model at each stage of a pipeline */
	bool etp_assumed; /* 1, where Megatron itself takes tp */
};

/*
 * Megatron's grids: @sizes as "tp=8,cp=1,ep=8,dp=16,pp=4", 1 where a name is missing; @order, the
 * first varies fastest. The dense grid has tp, cp, dp and pp. With ep or etp there is the expert
 * grid: etp (1), ep, edp and pp, which stand where tp, ep, dp and pp do; edp fills it up. vpp (1)
 * is no dimension. 0, or -1 with @err set: PL_EUSAGE for what Megatron refuses, too.
 */
int pl_layout_megatron(struct pl_layout *layout, const char *sizes, const char *order,
		       struct pl_err *err);

/* A DeviceMesh, "dp=4,shard=8": the last dimension varies fastest. 0, or -1 with @err set
 * (PL_EUSAGE). */
int pl_layout_device_mesh(struct pl_layout *layout, const char *dims, struct pl_err *err);

/*
 * Writes a job (plink-job(5)): a kind for each of @calls, "NAME:COLLECTIVE:BYTES[:key=value]...",
 * where NAME is a dimension or several with '+' between; pipelines get the layout's vpp. 0, or -1
 * with @err set: PL_EUSAGE with the call that is wrong, PL_ESYSTEM.
 */
int pl_layout_write(const struct pl_layout *layout, char *const *calls, size_t n_calls, FILE *out,
		    struct pl_err *err);

/* If each of the groups of @kind is one along some dimensions of a grid, these same for all:
 * replaces them by all groups along these, and sets *fits. 0, or -1: out of memory. */
int pl_layout_complete(const struct pl_layout *layout, struct pl_job_kind *kind, bool *fits);

#endif

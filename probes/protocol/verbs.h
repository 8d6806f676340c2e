/* SPDX-License-Identifier: BSD-3-Clause */
/* verbs.h - RDMA adapters, by which a job may bypass the measured network */
#ifndef PLINK_PROBES_PROTOCOL_VERBS_H
#define PLINK_PROBES_PROTOCOL_VERBS_H

#include <stddef.h>

#define PL_VERBS_CHARS 64 /* a device's name */
#define PL_VERBS_MAX 16   /* of one machine, at most */

/* In this order: the earlier a kind, the less UDP tells about it. */
enum pl_verbs_kind {
	PL_VERBS_NONE,
	PL_VERBS_EFA,        /* Amazon's Elastic Fabric Adapter */
	PL_VERBS_INFINIBAND, /* and Omni-Path, which reports the same kind */
	PL_VERBS_ETHERNET,   /* RoCE, iWARP: the same wires, another stack */
	PL_VERBS_OTHER,
};

struct pl_verbs {
	enum pl_verbs_kind kind;
	char name[PL_VERBS_CHARS]; /* "rdmap0s6", "mlx5_0" */
};

/* "efa", "infiniband", "ethernet", "other". */
const char *pl_verbs_word(enum pl_verbs_kind kind);

/* The kind of that name, @len characters; PL_VERBS_NONE: there is none. */
enum pl_verbs_kind pl_verbs_kind(const char *s, size_t len);

/*
 * Lists the RDMA hardware devices that have an active port, by name, from sysfs at @root ("/sys"):
 * out[n], at most PL_VERBS_MAX. Returns n; 0 also where nothing can be read.
 */
size_t pl_verbs_list(const char *root, struct pl_verbs *out);

#endif

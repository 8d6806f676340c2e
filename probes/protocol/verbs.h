/* SPDX-License-Identifier: BSD-3-Clause */
/* verbs.h - adapters by which a job may go past the network that is measured */
#ifndef PLINK_PROBES_PROTOCOL_VERBS_H
#define PLINK_PROBES_PROTOCOL_VERBS_H

#include <stddef.h>

#define PL_VERBS_CHARS 64 /* a device's name */
#define PL_VERBS_MAX 16   /* of one machine that are looked at */

/* The nearer to the front, the less UDP tells of it. */
enum pl_verbs_kind {
	PL_VERBS_NONE,
	PL_VERBS_EFA,        /* Amazon's Elastic Fabric Adapter */
	PL_VERBS_INFINIBAND, /* and Omni-Path, which says the same of itself */
	PL_VERBS_ETHERNET,   /* RoCE, iWARP: the same wires, another stack */
	PL_VERBS_OTHER,
};

struct pl_verbs {
	enum pl_verbs_kind kind;
	char name[PL_VERBS_CHARS]; /* "rdmap0s6", "mlx5_0" */
};

/* "efa", "infiniband", "ethernet", "other". */
const char *pl_verbs_word(enum pl_verbs_kind kind);

/* The kind that is so called, @len characters; NONE: none. */
enum pl_verbs_kind pl_verbs_kind(const char *s, size_t len);

/*
 * The RDMA devices that are hardware and have an active port, by name, as sysfs
 * at @root ("/sys") tells: out[n], at most PL_VERBS_MAX. Returns n, 0 also
 * where there is nothing to be read.
 */
size_t pl_verbs_list(const char *root, struct pl_verbs *out);

#endif

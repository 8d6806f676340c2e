/* SPDX-License-Identifier: BSD-3-Clause */
/* nvlink.h - domains of NVLink among the switches of a network */
#ifndef PLINK_TOPOLOGY_PROVIDERS_NVLINK_H
#define PLINK_TOPOLOGY_PROVIDERS_NVLINK_H

#include "topology/providers/json.h"

/* Where a host stands; its labels are borrowed. */
struct pl_nvlink {
	struct pl_places_path fabric; /* from the widest place down */
	struct pl_places_path domain; /* NVLink's domain, perhaps a part of it;
				       * empty: not known */
};

/* Labels that name a domain and a part of it; NULL: there is no such one. */
struct pl_nvlink_labels {
	const char *domain, *part;
};

/*
 * Sets at->domain, which must be {0}. What NVIDIA's GPU operator says counts before @names: the
 * label nvidia.com/gpu.clique, "ClusterUUID.CliqueID", tells the domain of that UUID and the clique
 * in it; a UUID of zeros is no domain. 0, or -1 with @err set.
 */
int pl_nvlink_read(struct pl_provider_json *json, const json_t *labels,
		   const struct pl_nvlink_labels *names, struct pl_nvlink *at, struct pl_err *err);

/*
 * Adds the levels of NVLink to all fabrics[n]: below the narrowest place that no domain leaves. A
 * domain within a switch is thus below the switch; the switches that a domain spans are below the
 * domain, for hosts of one domain are closer than those of one switch. Nothing changes if there are
 * no domains. 0, or -1 with @err set: PL_EINPUT if that makes too many levels, no memory.
 */
int pl_nvlink_place(struct pl_provider_json *json, struct pl_nvlink *at, size_t n,
		    struct pl_err *err);

#endif

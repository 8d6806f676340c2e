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

/*
 * The levels of an NVLink domain, where @clique is "ClusterUUID.CliqueID" as in
 * the label nvidia.com/gpu.clique: the domain of that UUID, and the clique in
 * it. A UUID of zeros is no domain.
 */
void pl_nvlink_clique(struct pl_nvlink *at, const char *clique);

/*
 * Adds the levels of NVLink to all fabrics[n]: below the narrowest place that
 * no domain leaves. A domain within a switch is thus below the switch; the
 * switches that a domain spans are below the domain, for hosts of one domain
 * are closer than those of one switch. Nothing changes if there are no domains.
 * 0, or -1 with @err set: PL_EINPUT if that makes too many levels, no memory.
 */
int pl_nvlink_place(struct pl_provider_json *json, struct pl_nvlink *at,
		    size_t n, struct pl_err *err);

#endif

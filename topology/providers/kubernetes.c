/* SPDX-License-Identifier: BSD-3-Clause */
/* kubernetes.c - the labels of Kubernetes' nodes */
#include "config.h"

#include "topology/providers/json.h"

#include <string.h>

#define N_NETWORK 6 /* levels between a zone and a host, at most */

/*
 * Labels from the widest place to the narrowest. Each tool has its own family,
 * and one node may have several of them that tell of the same switches: only
 * the first family counts that any node has.
 */
static const char *const families[][N_NETWORK] = {
	{"network.topology.nvidia.com/core",
	 "network.topology.nvidia.com/spine",
	 "network.topology.nvidia.com/leaf",
	 "network.topology.nvidia.com/accelerator"},
	{"network.topology.nvidia.com/datacenter",
	 "network.topology.nvidia.com/spine",
	 "network.topology.nvidia.com/block",
	 "network.topology.nvidia.com/accelerator"},
	{"fabric.topograph.run/tier-3", "fabric.topograph.run/tier-2",
	 "fabric.topograph.run/tier-1", "fabric.topograph.run/tier-0",
	 "accelerator.topograph.run/domain",
	 "accelerator.topograph.run/sub-domain"},
	{"topology.k8s.aws/network-node-layer-1",
	 "topology.k8s.aws/network-node-layer-2",
	 "topology.k8s.aws/network-node-layer-3",
	 "topology.k8s.aws/network-node-layer-4",
	 "topology.k8s.aws/ultraserver-id"},
	{"cloud.google.com/gce-topology-block",
	 "cloud.google.com/gce-topology-subblock",
	 "cloud.google.com/gce-topology-host"},
	{"cloud.provider.com/topology-block",
	 "cloud.provider.com/topology-rack"},
};
#define N_FAMILIES (sizeof(families) / sizeof(*families))

/* The labels' older names come last. */
static const char *const zones[][2] = {
	{"topology.kubernetes.io/region",
	 "failure-domain.beta.kubernetes.io/region"},
	{"topology.kubernetes.io/zone",
	 "failure-domain.beta.kubernetes.io/zone"},
};

static const json_t *labels_of(const json_t *node)
{
	return pl_provider_member(node, "metadata.labels");
}

bool pl_provider_is_kubernetes(const json_t *object)
{
	return pl_provider_string(json_object_get(object, "metadata"),
				  "name") != NULL;
}

static bool has_any(const json_t *node, size_t family)
{
	const json_t *labels = labels_of(node);

	for (size_t k = 0; k < N_NETWORK && families[family][k]; k++)
		if (pl_provider_string(labels, families[family][k]))
			return true;
	return false;
}

/*
 * The family, or N_FAMILIES. The two of NVIDIA differ in the names of two
 * levels: what they have in common tells of neither.
 */
static size_t find_family(const struct pl_provider_json *json)
{
	for (size_t f = 0; f < N_FAMILIES; f++)
		for (size_t i = 0; i < json->n; i++) {
			const json_t *labels = labels_of(json->object[i]);

			if (f == 0 &&
			    !pl_provider_string(labels, families[0][0]) &&
			    !pl_provider_string(labels, families[0][2]))
				continue;
			if (has_any(json->object[i], f))
				return f;
		}
	return N_FAMILIES;
}

static int make_path(struct pl_provider_json *json, const json_t *node,
		     size_t family, struct pl_places_path *path,
		     struct pl_err *err)
{
	const json_t *labels = labels_of(node);

	*path = (struct pl_places_path){0};
	for (size_t i = 0; i < 2; i++) {
		const char *s = pl_provider_string(labels, zones[i][0]);

		if (!s)
			s = pl_provider_string(labels, zones[i][1]);
		if (pl_provider_label(json, path, s, err))
			return -1;
	}
	for (size_t k = 0; family < N_FAMILIES && k < N_NETWORK; k++) {
		const char *key = families[family][k];

		if (key &&
		    pl_provider_label(json, path,
				      pl_provider_string(labels, key), err))
			return -1;
	}
	return 0;
}

/* "aws:///us-west-2a/i-0abc": the end of it. */
static const char *provider_id(const json_t *node)
{
	const char *id =
		pl_provider_string(json_object_get(node, "spec"), "providerID");
	const char *slash = id ? strrchr(id, '/') : NULL;

	return slash && slash[1] ? slash + 1 : NULL;
}

static int add_names(struct pl_provider_json *json, const json_t *node,
		     size_t host, struct pl_err *err)
{
	if (pl_provider_also(json, host,
			     pl_provider_string(labels_of(node),
						"kubernetes.io/hostname"),
			     err) ||
	    pl_provider_also(json, host, provider_id(node), err))
		return -1;
	return pl_provider_also_each(
		json, host, pl_provider_member(node, "status.addresses"),
		"address", err);
}

int pl_provider_kubernetes(struct pl_provider_json *json, struct pl_err *err)
{
	const size_t family = find_family(json);

	for (size_t i = 0; i < json->n; i++) {
		const json_t *node = json->object[i];
		const char *name = pl_provider_string(
			json_object_get(node, "metadata"), "name");
		struct pl_places_path path;
		ptrdiff_t host;

		if (make_path(json, node, family, &path, err))
			return -1;
		host = pl_places_add(json->p, name, strlen(name), &path, err);
		if (host < 0 || add_names(json, node, (size_t)host, err))
			return -1;
	}
	if (pl_places_levels(json->p) == 0)
		return pl_err_at(err, json->file,
				 "no node has a label that says where it is");
	return 0;
}

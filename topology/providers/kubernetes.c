/* SPDX-License-Identifier: BSD-3-Clause */
/* kubernetes.c - the labels of Kubernetes' nodes, and the pods on them */
#include "config.h"

#include "topology/providers/nvlink.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_FABRIC 8 /* levels of switches above a host, at most */

/*
 * Labels from the widest place to the narrowest, and those of NVLink's domains and of parts of
 * these. Each tool has its own family, and one node may have several of them that tell of the same
 * switches: only the first family counts that any node has.
 */
#define NVIDIA "network.topology.nvidia.com/"
#define TIER "fabric.topograph.run/tier-"
#define AWS "topology.k8s.aws/"
#define GOOGLE "cloud.google.com/gce-topology-"
static const struct family {
	const char *fabric[N_FABRIC];
	struct pl_nvlink_labels nvlink;
} families[] = {
	{.fabric = {NVIDIA "core", NVIDIA "spine", NVIDIA "leaf"},
	 .nvlink = {.domain = NVIDIA "accelerator"}},
	{.fabric = {NVIDIA "datacenter", NVIDIA "spine", NVIDIA "block"},
	 .nvlink = {.domain = NVIDIA "accelerator"}},
	{.fabric = {TIER "7", TIER "6", TIER "5", TIER "4", TIER "3", TIER "2", TIER "1", TIER "0"},
	 .nvlink = {.domain = "accelerator.topograph.run/domain",
		    .part = "accelerator.topograph.run/sub-domain"}},
	{.fabric = {AWS "network-node-layer-1", AWS "network-node-layer-2",
		    AWS "network-node-layer-3", AWS "network-node-layer-4"},
	 .nvlink = {.domain = AWS "ultraserver-id"}},
	{.fabric = {GOOGLE "block", GOOGLE "subblock", GOOGLE "host"}},
	{.fabric = {"cloud.provider.com/topology-block", "cloud.provider.com/topology-rack"}},
	{.fabric = {NULL}}, /* nodes without any of these */
};
#define N_FAMILIES (sizeof(families) / sizeof(*families) - 1)

/* The labels' older names come last. */
static const char *const zones[][2] = {
	{"topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"},
	{"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"},
};

static const json_t *labels_of(const json_t *node)
{
	return pl_provider_member(node, "metadata.labels");
}

bool pl_provider_is_kubernetes(const json_t *object)
{
	return pl_provider_string(json_object_get(object, "metadata"), "name") != NULL;
}

static const char *label_of(const json_t *node, const char *key)
{
	return key ? pl_provider_string(labels_of(node), key) : NULL;
}

static bool has_any(const json_t *node, const struct family *f)
{
	for (size_t k = 0; k < N_FABRIC; k++)
		if (label_of(node, f->fabric[k]))
			return true;
	return label_of(node, f->nvlink.domain) || label_of(node, f->nvlink.part);
}

/*
 * The two families of NVIDIA differ in the names of two levels: what they have in common tells of
 * neither.
 */
static const struct family *find_family(const struct pl_provider_json *json)
{
	for (size_t f = 0; f < N_FAMILIES; f++)
		for (size_t i = 0; i < json->n; i++) {
			const json_t *node = json->object[i];

			if (f == 0 && !label_of(node, families[0].fabric[0]) &&
			    !label_of(node, families[0].fabric[2]))
				continue;
			if (has_any(node, &families[f]))
				return &families[f];
		}
	return &families[N_FAMILIES];
}

/* The first level of switches that any node has a label for. */
static size_t widest(const struct pl_provider_json *json, const struct family *f)
{
	size_t first = N_FABRIC;

	for (size_t i = 0; i < json->n; i++)
		for (size_t k = 0; k < first; k++)
			if (label_of(json->object[i], f->fabric[k]))
				first = k;
	return first;
}

static int read_place(struct pl_provider_json *json, const json_t *node, const struct family *f,
		      size_t first, struct pl_nvlink *at, struct pl_err *err)
{
	for (size_t i = 0; i < 2; i++) {
		const char *s = label_of(node, zones[i][0]);

		if (!s)
			s = label_of(node, zones[i][1]);
		if (pl_provider_label(json, &at->fabric, s, err))
			return -1;
	}
	for (size_t k = first; k < N_FABRIC && f->fabric[k]; k++)
		if (pl_provider_label(json, &at->fabric, label_of(node, f->fabric[k]), err))
			return -1;
	return pl_nvlink_read(json, labels_of(node), &f->nvlink, at, err);
}

/* "aws:///us-west-2a/i-0abc": the end of it. */
static const char *provider_id(const json_t *node)
{
	const char *id = pl_provider_string(json_object_get(node, "spec"), "providerID");
	const char *slash = id ? strrchr(id, '/') : NULL;

	return slash && slash[1] ? slash + 1 : NULL;
}

static int add_names(struct pl_provider_json *json, const json_t *node, size_t host,
		     struct pl_err *err)
{
	if (pl_provider_also(json, host,
			     pl_provider_string(labels_of(node), "kubernetes.io/hostname"), err) ||
	    pl_provider_also(json, host, provider_id(node), err))
		return -1;
	return pl_provider_also_each(json, host, pl_provider_member(node, "status.addresses"),
				     "address", err);
}

static int read_places(struct pl_provider_json *json, struct pl_nvlink *at, struct pl_err *err)
{
	const struct family *f = find_family(json);
	const size_t first = widest(json, f);

	for (size_t i = 0; i < json->n; i++)
		if (read_place(json, json->object[i], f, first, &at[i], err))
			return -1;
	return pl_nvlink_place(json, at, json->n, err);
}

/* Keys that the user names. */
static int read_own(struct pl_provider_json *json, const struct pl_word *key, struct pl_nvlink *at,
		    struct pl_err *err)
{
	char name[512];
	bool has = false;

	if (key->len == 0 || key->len >= sizeof(name))
		return pl_err_set(err, PL_EUSAGE, "\"%s\" names no labels (KEY,KEY)",
				  json->p->labels);
	snprintf(name, sizeof(name), "%.*s", (int)key->len, key->s);
	for (size_t i = 0; i < json->n; i++) {
		const char *label = label_of(json->object[i], name);

		has |= label != NULL;
		if (pl_provider_label(json, &at[i].fabric, label, err))
			return -1;
	}
	return has ? 0 : pl_err_at(err, json->file, "no node has the label \"%s\"", name);
}

static int read_all_own(struct pl_provider_json *json, struct pl_nvlink *at, struct pl_err *err)
{
	for (const char *s = json->p->labels;; s++) {
		const struct pl_word key = {.s = s, .len = strcspn(s, ",")};

		if (read_own(json, &key, at, err))
			return -1;
		s += key.len;
		if (!*s)
			return pl_nvlink_place(json, at, json->n, err);
	}
}

static int add_hosts(struct pl_provider_json *json, const struct pl_nvlink *at, struct pl_err *err)
{
	for (size_t i = 0; i < json->n; i++) {
		const json_t *node = json->object[i];
		const char *name = pl_provider_string(json_object_get(node, "metadata"), "name");
		const ptrdiff_t host =
			pl_places_add(json->p, name, strlen(name), &at[i].fabric, err);

		if (host < 0 || add_names(json, node, (size_t)host, err))
			return -1;
	}
	if (pl_places_levels(json->p) == 0)
		return pl_err_at(err, json->file,
				 "no node has a label that says where it is; if yours are named "
				 "otherwise, name them: --topology-label=KEY[,KEY]");
	return 0;
}

/* Lists of one kind may leave the kind out of their items. */
static bool is_kind(const json_t *object, const char *kind, const char *only_member)
{
	const char *is = pl_provider_string(object, "kind");

	return is ? !strcmp(is, kind) : pl_provider_member(object, only_member) != NULL;
}

static bool is_pod(const json_t *object)
{
	return is_kind(object, "Pod", "spec.containers") || is_kind(object, "Pod", "spec.nodeName");
}

static bool is_node(const json_t *object)
{
	return is_kind(object, "Node", "metadata") && !is_pod(object);
}

/* Moves those that @is to the front of object[@from] and beyond; returns how many there are. */
static size_t gather(struct pl_provider_json *json, size_t from, bool (*is)(const json_t *))
{
	size_t n = 0;

	for (size_t i = from; i < json->n; i++) {
		json_t *one = json->object[i];

		if (!is(one))
			continue;
		json->object[i] = json->object[from + n];
		json->object[from + n++] = one;
	}
	return n;
}

/* The names by which DNS has it, as far as a job's host list may write them: HOST.SERVICE and what
 * may follow. */
static int add_service_names(struct pl_provider_json *json, const json_t *pod, const char *name,
			     size_t host, struct pl_err *err)
{
	static const char *const end[] = {"", ".svc", ".svc.cluster.local"};
	const char *service = pl_provider_string(json_object_get(pod, "spec"), "subdomain");
	const char *space = pl_provider_string(json_object_get(pod, "metadata"), "namespace");
	char full[PL_HOST_NAME_MAX + 1];

	if (!service)
		return 0;
	snprintf(full, sizeof(full), "%s.%s", name, service);
	if (pl_provider_also(json, host, full, err))
		return -1;
	for (size_t i = 0; space && i < sizeof(end) / sizeof(*end); i++) {
		snprintf(full, sizeof(full), "%s.%s.%s%s", name, service, space, end[i]);
		if (pl_provider_also(json, host, full, err))
			return -1;
	}
	return 0;
}

/* A pod that has ended has given its address back. */
static bool has_ended(const json_t *pod)
{
	const char *phase = pl_provider_string(json_object_get(pod, "status"), "phase");

	return phase && (!strcmp(phase, "Succeeded") || !strcmp(phase, "Failed"));
}

/* A node is also known by the names of the pods on it. */
static int add_pod(struct pl_provider_json *json, const json_t *pod, struct pl_err *err)
{
	const json_t *spec = json_object_get(pod, "spec");
	const json_t *status = json_object_get(pod, "status");
	const char *node = pl_provider_string(spec, "nodeName");
	const char *name = pl_provider_string(json_object_get(pod, "metadata"), "name");
	const char *hostname = pl_provider_string(spec, "hostname");
	const ptrdiff_t host =
		node ? pl_places_find(json->p, node, strlen(node)) : (ptrdiff_t)PL_PLACES_NONE;

	if (host < 0 || has_ended(pod))
		return 0;
	if (pl_provider_also(json, (size_t)host, name, err) ||
	    pl_provider_also(json, (size_t)host, hostname, err) ||
	    pl_provider_also(json, (size_t)host, pl_provider_string(status, "podIP"), err) ||
	    pl_provider_also_each(json, (size_t)host, json_object_get(status, "podIPs"), "ip", err))
		return -1;
	return add_service_names(json, pod, hostname ? hostname : name, (size_t)host, err);
}

int pl_provider_kubernetes(struct pl_provider_json *json, struct pl_err *err)
{
	const size_t n_nodes = gather(json, 0, is_node);
	const size_t n_pods = gather(json, n_nodes, is_pod);
	struct pl_nvlink *at;
	int rc;

	if (n_nodes == 0)
		return pl_err_at(
			err, json->file,
			"no node here, and only nodes have labels that say where pods are: "
			"append what kubectl get nodes -o json prints");
	at = pl_array_create(n_nodes, sizeof(*at));
	if (!at)
		return pl_err_nomem(err);
	json->n = n_nodes;
	rc = json->p->labels ? read_all_own(json, at, err) : read_places(json, at, err);
	if (rc == 0)
		rc = add_hosts(json, at, err);
	for (size_t i = n_nodes; rc == 0 && i < n_nodes + n_pods; i++)
		rc = add_pod(json, json->object[i], err);
	free(at);
	return rc;
}

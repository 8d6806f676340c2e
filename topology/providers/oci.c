/* SPDX-License-Identifier: BSD-3-Clause */
/* oci.c - Oracle Cloud's description of its hosts: islands and blocks */
#include "config.h"

#include "topology/providers/nvlink.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/*
 * A compute host has the instance on it, and where it stands from the island down: null where that
 * is not told, or no instance runs. It has no names that a host list would have: those come from
 * the instances, where their list stands in the same file.
 */
bool pl_provider_is_oci(const json_t *object)
{
	const char *id = pl_provider_string(object, "id");

	return id && strncmp(id, "ocid1.", strlen("ocid1.")) == 0;
}

static const char *instance_of(const json_t *object)
{
	return pl_provider_string(object, "instance-id");
}

static int read_place(struct pl_provider_json *json, const json_t *object, struct pl_nvlink *at,
		      struct pl_err *err)
{
	static const char *const key[] = {"hpc-island-id", "network-block-id", "local-block-id"};
	const char *fabric = pl_provider_string(object, "gpu-memory-fabric-id");

	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
		if (pl_provider_label(json, &at->fabric, pl_provider_string(object, key[i]), err))
			return -1;
	return fabric ? pl_provider_label(json, &at->domain, fabric, err) : 0;
}

static int add_host(struct pl_provider_json *json, const char *instance, const struct pl_nvlink *at,
		    struct pl_err *err)
{
	if (pl_places_find(json->p, instance, strlen(instance)) != PL_PLACES_NONE)
		return pl_err_at(err, json->file, "instance %s appears again", instance);
	return pl_places_add(json->p, instance, strlen(instance), &at->fabric, err) < 0 ? -1 : 0;
}

static int add_hosts(struct pl_provider_json *json, struct pl_nvlink *at, struct pl_err *err)
{
	for (size_t i = 0; i < json->n; i++)
		if (instance_of(json->object[i]) && read_place(json, json->object[i], &at[i], err))
			return -1;
	if (pl_nvlink_place(json, at, json->n, err))
		return -1;
	for (size_t i = 0; i < json->n; i++) {
		const char *instance = instance_of(json->object[i]);

		if (instance && add_host(json, instance, &at[i], err))
			return -1;
	}
	if (json->p->n == 0)
		return pl_err_at(
			err, json->file,
			"no host has an instance-id: oci compute compute-host list prints them");
	return 0;
}

static int add_name(struct pl_provider_json *json, const json_t *object, struct pl_err *err)
{
	const char *id = pl_provider_string(object, "id");
	const ptrdiff_t host = pl_places_find(json->p, id, strlen(id));

	return host < 0 ? 0
			: pl_provider_also(json, (size_t)host,
					   pl_provider_string(object, "display-name"), err);
}

int pl_provider_oci(struct pl_provider_json *json, struct pl_err *err)
{
	struct pl_nvlink *at = pl_array_create(json->n, sizeof(*at));
	int rc = at ? add_hosts(json, at, err) : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < json->n; i++)
		rc = add_name(json, json->object[i], err);
	free(at);
	return rc;
}

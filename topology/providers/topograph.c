/* SPDX-License-Identifier: BSD-3-Clause */
/* topograph.c - the JSON of NVIDIA topograph's engine "graph" */
#include "config.h"

#include "topology/providers/nvlink.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

bool pl_provider_is_topograph(const json_t *object)
{
	return pl_provider_string(object, "id") && json_object_get(object, "network_layers");
}

/* network_layers begins with the closest switch. */
static int read_one(struct pl_provider_json *json, const json_t *instance, struct pl_nvlink *at,
		    struct pl_err *err)
{
	static const struct pl_nvlink_labels names = {
		.domain = "accelerator.topograph.run/domain",
		.part = "accelerator.topograph.run/sub-domain"};
	const json_t *layers = json_object_get(instance, "network_layers");

	if (!json_is_array(layers) && !json_is_null(layers))
		return pl_err_at(err, json->file, "\"%s\": network_layers is no list",
				 pl_provider_string(instance, "id"));
	for (size_t k = json_array_size(layers); k-- > 0;)
		if (pl_provider_label(json, &at->fabric,
				      json_string_value(json_array_get(layers, k)), err))
			return -1;
	return pl_nvlink_read(json, json_object_get(instance, "labels"), &names, at, err);
}

int pl_provider_topograph(struct pl_provider_json *json, struct pl_err *err)
{
	struct pl_nvlink *at = pl_array_create(json->n, sizeof(*at));
	int rc = at ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < json->n; i++)
		rc = read_one(json, json->object[i], &at[i], err);
	if (rc == 0)
		rc = pl_nvlink_place(json, at, json->n, err);
	for (size_t i = 0; rc == 0 && i < json->n; i++) {
		const char *id = pl_provider_string(json->object[i], "id");

		if (pl_places_add(json->p, id, strlen(id), &at[i].fabric, err) < 0)
			rc = -1;
	}
	free(at);
	return rc;
}

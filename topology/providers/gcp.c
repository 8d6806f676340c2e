/* SPDX-License-Identifier: BSD-3-Clause */
/* gcp.c - Google Cloud's description of its instances: the physical host */
#include "config.h"

#include "topology/providers/json.h"

#include <string.h>

/*
 * An instance of the Compute Engine API: resourceStatus has physicalHostTopology {cluster, block,
 * subblock, host}, or only physicalHost, "/cluster/rack/host"; neither where the instance has no
 * compact placement or reservation.
 */
bool pl_provider_is_gcp(const json_t *object)
{
	return pl_provider_string(object, "name") &&
	       (json_object_get(object, "resourceStatus") ||
		json_object_get(object, "networkInterfaces") || json_object_get(object, "zone"));
}

/* ".../zones/us-central1-a": the end of it. */
static const char *zone_of(const json_t *object)
{
	const char *zone = pl_provider_string(object, "zone");
	const char *slash = zone ? strrchr(zone, '/') : NULL;

	return slash ? slash + 1 : zone;
}

static int push_topology(struct pl_provider_json *json, const json_t *topology,
			 struct pl_places_path *path, struct pl_err *err)
{
	const char *subblock = pl_provider_string(topology, "subblock");

	if (!subblock) /* the spelling of the guide */
		subblock = pl_provider_string(topology, "subBlock");
	if (pl_provider_label(json, path, pl_provider_string(topology, "cluster"), err) ||
	    pl_provider_label(json, path, pl_provider_string(topology, "block"), err) ||
	    pl_provider_label(json, path, subblock, err))
		return -1;
	return pl_provider_label(json, path, pl_provider_string(topology, "host"), err);
}

/* "/cluster/rack/host" */
static int push_host(struct pl_provider_json *json, const char *s, struct pl_places_path *path,
		     struct pl_err *err)
{
	s += strspn(s, "/");
	while (*s) {
		const size_t len = strcspn(s, "/");

		if (pl_places_push(path, s, len))
			return pl_err_at(err, json->file, "physicalHost: more than %d levels",
					 PL_PLACES_LEVELS_MAX);
		s += len + (s[len] == '/');
	}
	return 0;
}

static int make_path(struct pl_provider_json *json, const json_t *object,
		     struct pl_places_path *path, struct pl_err *err)
{
	const json_t *status = json_object_get(object, "resourceStatus");
	const json_t *topology = json_object_get(status, "physicalHostTopology");
	const char *host = pl_provider_string(status, "physicalHost");

	*path = (struct pl_places_path){0};
	if (pl_provider_label(json, path, zone_of(object), err))
		return -1;
	if (json_object_size(topology) > 0)
		return push_topology(json, topology, path, err);
	return host ? push_host(json, host, path, err) : 0;
}

static int add_names(struct pl_provider_json *json, const json_t *object, size_t host,
		     struct pl_err *err)
{
	if (pl_provider_also(json, host, pl_provider_string(object, "hostname"), err) ||
	    pl_provider_also(json, host, pl_provider_string(object, "id"), err))
		return -1;
	return pl_provider_also_each(json, host, json_object_get(object, "networkInterfaces"),
				     "networkIP", err);
}

int pl_provider_gcp(struct pl_provider_json *json, struct pl_err *err)
{
	size_t deepest = 0;

	for (size_t i = 0; i < json->n; i++) {
		const json_t *object = json->object[i];
		const char *name = pl_provider_string(object, "name");
		struct pl_places_path path;
		ptrdiff_t host;

		if (make_path(json, object, &path, err))
			return -1;
		if (path.n > deepest)
			deepest = path.n;
		host = pl_places_add(json->p, name, strlen(name), &path, err);
		if (host < 0 || add_names(json, object, (size_t)host, err))
			return -1;
	}
	if (deepest < 2)
		return pl_err_at(err, json->file,
				 "no instance has a physicalHost or a physicalHostTopology: "
				 "nothing says where they are");
	return 0;
}

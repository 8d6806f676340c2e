/* SPDX-License-Identifier: BSD-3-Clause */
/* ec2.c - EC2's description of its instances: DescribeInstanceTopology */
#include "config.h"

#include "topology/providers/json.h"

#include <string.h>

/*
 * DescribeInstanceTopology gives NetworkNodes, the widest first, the last is the one the instance
 * is connected to; null where the instance type has none or it does not run. It has instance ids
 * only: names and addresses come from DescribeInstances, where its output stands in the same file.
 */
bool pl_provider_is_ec2(const json_t *object)
{
	return pl_provider_string(object, "InstanceId") != NULL;
}

static bool tells_place(const json_t *object)
{
	return json_object_get(object, "NetworkNodes") != NULL;
}

static int make_path(struct pl_provider_json *json, const json_t *object,
		     struct pl_places_path *path, struct pl_err *err)
{
	const json_t *nodes = json_object_get(object, "NetworkNodes");
	const char *zone = pl_provider_string(object, "AvailabilityZone");
	const json_t *node;
	size_t i;

	*path = (struct pl_places_path){0};
	if (!zone)
		zone = pl_provider_string(object, "ZoneId");
	if (pl_provider_label(json, path, zone, err))
		return -1;
	if (!json_is_array(nodes) && !json_is_null(nodes))
		goto bad;
	json_array_foreach(nodes, i, node)
	{
		if (!json_is_string(node))
			goto bad;
		if (pl_provider_label(json, path, json_string_value(node), err))
			return -1;
	}
	return 0;
bad:
	return pl_err_at(err, json->file, "NetworkNodes of %s is not a list of names",
			 pl_provider_string(object, "InstanceId"));
}

/* An instance may occur again on two pages of an answer, but not elsewhere. */
static int add_instance(struct pl_provider_json *json, const json_t *object, struct pl_err *err)
{
	const char *id = pl_provider_string(object, "InstanceId");
	const size_t len = strlen(id);
	const ptrdiff_t old = pl_places_find(json->p, id, len);
	struct pl_places_path path;
	ptrdiff_t added;

	if (make_path(json, object, &path, err))
		return -1;
	added = pl_places_add(json->p, id, len, &path, err);
	if (added < 0)
		return -1;
	if (old < 0)
		return 0;
	if (json->p->host[old].node != json->p->host[added].node)
		return pl_err_at(err, json->file, "instance %s appears again, in another place",
				 id);
	return 0;
}

static int add_names(struct pl_provider_json *json, const json_t *object, struct pl_err *err)
{
	static const char *const key[] = {"PrivateDnsName", "PrivateIpAddress", "PublicDnsName",
					  "PublicIpAddress"};
	const char *id = pl_provider_string(object, "InstanceId");
	const ptrdiff_t host = pl_places_find(json->p, id, strlen(id));

	if (host < 0)
		return 0;
	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
		if (pl_provider_also(json, (size_t)host, pl_provider_string(object, key[i]), err))
			return -1;
	return pl_provider_also_each(json, (size_t)host,
				     json_object_get(object, "NetworkInterfaces"),
				     "PrivateIpAddress", err);
}

int pl_provider_ec2(struct pl_provider_json *json, struct pl_err *err)
{
	for (size_t i = 0; i < json->n; i++)
		if (tells_place(json->object[i]) && add_instance(json, json->object[i], err))
			return -1;
	if (json->p->n == 0)
		return pl_err_at(err, json->file,
				 "no instance has NetworkNodes: aws ec2 describe-instance-topology "
				 "prints them");
	for (size_t i = 0; i < json->n; i++)
		if (add_names(json, json->object[i], err))
			return -1;
	return 0;
}

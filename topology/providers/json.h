/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - reads hosts from the JSON that providers print */
#ifndef PLINK_TOPOLOGY_PROVIDERS_JSON_H
#define PLINK_TOPOLOGY_PROVIDERS_JSON_H

#include "base/err.h"
#include "topology/places.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* All objects of a file that may be hosts, and the file for error messages. */
struct pl_provider_json {
	struct pl_places *p;
	struct pl_place file;
	json_t **object; /* [n], borrowed from doc */
	size_t n, room;
	json_t **doc; /* [n_docs] */
	size_t n_docs, docs_room;
};

/* Does this provider describe a host by such an object? */
typedef bool pl_provider_json_test(const json_t *object);
pl_provider_json_test pl_provider_is_ec2;
pl_provider_json_test pl_provider_is_gcp;
pl_provider_json_test pl_provider_is_groups_json;
pl_provider_json_test pl_provider_is_hypernode;
pl_provider_json_test pl_provider_is_kubernetes;
pl_provider_json_test pl_provider_is_oci;
pl_provider_json_test pl_provider_is_topograph;

/* Adds the hosts among the objects. 0, or -1 with @err set. */
typedef int pl_provider_json_reader(struct pl_provider_json *json, struct pl_err *err);
pl_provider_json_reader pl_provider_ec2;
pl_provider_json_reader pl_provider_gcp;
pl_provider_json_reader pl_provider_groups_json;
pl_provider_json_reader pl_provider_hypernode;
pl_provider_json_reader pl_provider_kubernetes;
pl_provider_json_reader pl_provider_oci;
pl_provider_json_reader pl_provider_topograph;

/* The member of that name if it is a non-empty string, else NULL. Borrowed. */
const char *pl_provider_string(const json_t *object, const char *key);

/* The nested member "a.b.c"; keys must not contain dots. NULL: there is none. Borrowed. */
json_t *pl_provider_member(const json_t *object, const char *keys);

/* Gives the host another name; does nothing where @name is NULL. 0, or -1 with @err set. */
int pl_provider_also(struct pl_provider_json *json, size_t host, const char *name,
		     struct pl_err *err);

/* The same with the strings of that key in the objects of @list, if it is one.
 */
int pl_provider_also_each(struct pl_provider_json *json, size_t host, const json_t *list,
			  const char *key, struct pl_err *err);

/* Appends a label to the path; an unknown one where @s is NULL. 0, or -1 with @err set. */
int pl_provider_label(struct pl_provider_json *json, struct pl_places_path *path, const char *s,
		      struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - what the JSON of providers says of one host */
#ifndef PLINK_TOPOLOGY_PROVIDERS_JSON_H
#define PLINK_TOPOLOGY_PROVIDERS_JSON_H

#include "base/err.h"
#include "topology/places.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* All objects of a file that may each be a host, and where errors are. */
struct pl_provider_json {
	struct pl_places *p;
	struct pl_place file;
	json_t **object; /* [n], borrowed from doc */
	size_t n, room;
	json_t **doc; /* [n_docs] */
	size_t n_docs, docs_room;
};

/* Is an object one of this kind? */
typedef bool pl_provider_json_test(const json_t *object);
pl_provider_json_test pl_provider_is_ec2;
pl_provider_json_test pl_provider_is_gcp;
pl_provider_json_test pl_provider_is_kubernetes;

/* Adds the hosts among the objects. 0, or -1 with @err set. */
typedef int pl_provider_json_reader(struct pl_provider_json *json,
				    struct pl_err *err);
pl_provider_json_reader pl_provider_ec2;
pl_provider_json_reader pl_provider_gcp;
pl_provider_json_reader pl_provider_kubernetes;

/* The member of that name, if it is a string, not empty; else NULL.
 * Borrowed. */
const char *pl_provider_string(const json_t *object, const char *key);

/* The member's member and so on; "a.b.c", keys without dots. NULL: none. */
json_t *pl_provider_member(const json_t *object, const char *keys);

/* Gives the host another name, where @name is not NULL. */
int pl_provider_also(struct pl_provider_json *json, size_t host,
		     const char *name, struct pl_err *err);

/* Appends the label, unknown where @s is NULL. 0, or -1 with @err set. */
int pl_provider_label(struct pl_provider_json *json,
		      struct pl_places_path *path, const char *s,
		      struct pl_err *err);

#endif

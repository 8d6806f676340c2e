/* SPDX-License-Identifier: BSD-3-Clause */
/* hypernode.c - Volcano's HyperNode objects: groups of nodes within groups */
#include "config.h"

#include "topology/providers/json.h"
#include "topology/providers/switches.h"

#include <string.h>

bool pl_provider_is_hypernode(const json_t *object)
{
	const char *kind = pl_provider_string(object, "kind");

	return kind && !strcmp(kind, "HyperNode");
}

static struct pl_word word_of(const struct pl_provider_json *json, const char *s)
{
	return (struct pl_word){.s = s, .len = s ? strlen(s) : 0, .place = json->file};
}

static struct pl_word name_of(const struct pl_provider_json *json, size_t i)
{
	return word_of(json,
		       pl_provider_string(json_object_get(json->object[i], "metadata"), "name"));
}

/* The members of that type, each given to @take with the object's name. */
static int
each_member(struct pl_provider_json *json, size_t i, const char *type, struct pl_switches *s,
	    int (*take)(struct pl_switches *, const struct pl_word *, const struct pl_word *))
{
	const struct pl_word name = name_of(json, i);
	json_t *member;
	size_t k;

	json_array_foreach(pl_provider_member(json->object[i], "spec.members"), k, member)
	{
		const char *is = pl_provider_string(member, "type");
		const json_t *exact = pl_provider_member(member, "selector.exactMatch");
		const struct pl_word other = word_of(json, pl_provider_string(exact, "name"));

		if (other.len == 0)
			return pl_err_at(s->err, json->file,
					 "HyperNode \"%s\": member %zu has no selector exactMatch: "
					 "which nodes others match, only the cluster knows",
					 name.s, k + 1);
		if (is && !strcmp(is, type) && take(s, &name, &other))
			return -1;
	}
	return 0;
}

static int read_all(struct pl_provider_json *json, struct pl_switches *s)
{
	for (size_t i = 0; i < json->n; i++) {
		const struct pl_word name = name_of(json, i);

		if (name.len == 0)
			return pl_err_at(s->err, json->file, "HyperNode %zu has no name", i + 1);
		if (pl_switches_add(s, &name))
			return -1;
	}
	for (size_t i = 0; i < json->n; i++)
		if (each_member(json, i, "HyperNode", s, pl_switches_link))
			return -1;
	if (pl_switches_join(s))
		return -1;
	for (size_t i = 0; i < json->n; i++)
		if (each_member(json, i, "Node", s, pl_switches_hosts))
			return -1;
	for (size_t i = 0; i < json->n; i++)
		if (each_member(json, i, "Node", s, pl_switches_hosts_above))
			return -1;
	return 0;
}

int pl_provider_hypernode(struct pl_provider_json *json, struct pl_err *err)
{
	struct pl_switches s = {.p = json->p, .kind = "HyperNode", .err = err};
	const int rc = read_all(json, &s);

	pl_switches_fini(&s);
	return rc;
}

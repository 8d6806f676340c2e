/* SPDX-License-Identifier: BSD-3-Clause */
/* kubernetes.c - objects for kubectl: labels of nodes, HyperNodes of Volcano */
#include "config.h"

#include "topology/schedulers/schedulers.h"

#include <jansson.h>

/* Takes the items, which are NULL where memory ran out. */
static int write_list(json_t *items, FILE *out, struct pl_err *err)
{
	json_t *list = json_pack("{ss ss so}", "apiVersion", "v1", "kind", "List", "items", items);
	int rc;

	if (!list)
		return pl_err_nomem(err);
	rc = json_dumpf(list, out, JSON_INDENT(2));
	json_decref(list);
	return rc || fputc('\n', out) == EOF ? pl_err_errno(err, "cannot write") : 0;
}

/* Adds @item, which it takes. 0, or -1: no memory. */
static int add(json_t *items, json_t *item)
{
	return item ? json_array_append_new(items, item) : -1;
}

static json_t *node(const struct pl_scheduled *s, size_t host)
{
	json_t *labels = json_object();

	for (size_t k = 0; k < s->levels->n; k++) {
		char key[64], name[PL_SCHEDULED_NAME];

		snprintf(key, sizeof(key), "fabric.topograph.run/tier-%zu", k);
		if (json_object_set_new(labels, key,
					json_string(pl_scheduled_name(
						s, k, s->levels->level[k].group[host], name)))) {
			json_decref(labels);
			return NULL;
		}
	}
	return json_pack("{ss ss s{ss so}}", "apiVersion", "v1", "kind", "Node", "metadata", "name",
			 s->host[host], "labels", labels);
}

int pl_scheduler_labels(const struct pl_scheduled *s, FILE *out, struct pl_err *err)
{
	json_t *items = json_array();
	int rc = items ? 0 : -1;

	if (pl_scheduled_check_kubernetes(s, err)) {
		json_decref(items);
		return -1;
	}
	for (size_t i = 0; rc == 0 && i < s->levels->n_hosts; i++)
		rc = add(items, node(s, i));
	if (rc == 0)
		return write_list(items, out, err);
	json_decref(items);
	return pl_err_nomem(err);
}

static json_t *member(const char *type, const char *name)
{
	return json_pack("{ss s{s{ss}}}", "type", type, "selector", "exactMatch", "name", name);
}

static json_t *members(const struct pl_scheduled *s, size_t level, size_t a)
{
	const size_t n = level ? s->levels->level[level - 1].n : s->levels->n_hosts;
	json_t *list = json_array();
	int rc = list ? 0 : -1;

	for (size_t b = 0; rc == 0 && b < n; b++) {
		char name[PL_SCHEDULED_NAME];

		if (level && pl_scheduled_is_in(s, level, a, b))
			rc = add(list,
				 member("HyperNode", pl_scheduled_name(s, level - 1, b, name)));
		else if (!level && s->levels->level[0].group[b] == a)
			rc = add(list, member("Node", s->host[b]));
	}
	if (rc == 0)
		return list;
	json_decref(list);
	return NULL;
}

/* The tier of the narrowest groups is 1. */
static json_t *hypernode(const struct pl_scheduled *s, size_t level, size_t a)
{
	char name[PL_SCHEDULED_NAME];

	return json_pack("{ss ss s{ss} s{sI so}}", "apiVersion", "topology.volcano.sh/v1alpha1",
			 "kind", "HyperNode", "metadata", "name",
			 pl_scheduled_name(s, level, a, name), "spec", "tier",
			 (json_int_t)level + 1, "members", members(s, level, a));
}

int pl_scheduler_hypernode(const struct pl_scheduled *s, FILE *out, struct pl_err *err)
{
	json_t *items = json_array();
	int rc = items ? 0 : -1;

	if (pl_scheduled_check_kubernetes(s, err)) {
		json_decref(items);
		return -1;
	}
	for (size_t k = 0; k < s->levels->n; k++)
		for (size_t a = 0; rc == 0 && a < s->levels->level[k].n; a++)
			rc = add(items, hypernode(s, k, a));
	if (rc == 0)
		return write_list(items, out, err);
	json_decref(items);
	return pl_err_nomem(err);
}

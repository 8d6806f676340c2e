/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c - the machines of a job while it is watched, and what they have
 * cost */
#include "config.h"

#include "planner/srift/watch/nodes.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

long pl_nodes_add(struct pl_nodes *nodes, const struct pl_node *node)
{
	struct pl_node copy = *node;

	if (pl_array_grow((void **)&nodes->node, &nodes->room, nodes->n, sizeof(*nodes->node)))
		return -1;
	copy.name = pl_string_copy(node->name, strlen(node->name));
	copy.type = pl_string_copy(node->type, strlen(node->type));
	if (!copy.name || !copy.type) {
		free(copy.name);
		free(copy.type);
		return -1;
	}
	nodes->node[nodes->n] = copy;
	return (long)nodes->n++;
}

void pl_nodes_fini(struct pl_nodes *nodes)
{
	for (size_t i = 0; i < nodes->n; i++) {
		free(nodes->node[i].name);
		free(nodes->node[i].type);
	}
	free(nodes->node);
	*nodes = (struct pl_nodes){0};
}

struct pl_node *pl_nodes_find(struct pl_nodes *nodes, const char *name)
{
	for (size_t i = 0; i < nodes->n; i++) {
		struct pl_node *node = &nodes->node[i];

		if ((node->state == PL_NODE_UP || node->state == PL_NODE_STOPPING) &&
		    strcmp(node->name, name) == 0)
			return node;
	}
	return NULL;
}

size_t pl_nodes_up(const struct pl_nodes *nodes, const char *type, bool spot)
{
	size_t n = 0;

	for (size_t i = 0; i < nodes->n; i++) {
		const struct pl_node *node = &nodes->node[i];

		n += node->state == PL_NODE_UP &&
		     (!type || (strcmp(node->type, type) == 0 && node->spot == spot));
	}
	return n;
}

size_t pl_nodes_first(const struct pl_nodes *nodes)
{
	size_t i = 0;

	while (i < nodes->n && nodes->node[i].state != PL_NODE_UP)
		i++;
	return i;
}

double pl_nodes_dollars(const struct pl_nodes *nodes, double now_s)
{
	double dollars = 0;

	for (size_t i = 0; i < nodes->n; i++) {
		const struct pl_node *node = &nodes->node[i];
		const double end_s = isnan(node->ended_s) ? now_s : node->ended_s;

		dollars += node->price_per_hour * fmax(0, end_s - node->launched_s) / 3600;
	}
	return dollars;
}

double pl_nodes_per_hour(const struct pl_nodes *nodes)
{
	double per_hour = 0;

	for (size_t i = 0; i < nodes->n; i++)
		if (isnan(nodes->node[i].ended_s))
			per_hour += nodes->node[i].price_per_hour;
	return per_hour;
}

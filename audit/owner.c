/* SPDX-License-Identifier: BSD-3-Clause */
/* owner.c - on which node a capture was taken, and what none of them could
 * see */
#include "config.h"

#include "audit/owner.h"

#include "base/mem.h"

#include <stdlib.h>

/* Up to two nodes, one of which is an end of all flows. */
struct candidates {
	size_t node[2];
	size_t n;
	bool any; /* was there a flow between nodes? */
};

static void take_ends(struct candidates *c, size_t src, size_t dst)
{
	size_t kept = 0;

	if (!c->any) {
		*c = (struct candidates){{src, dst}, 2, true};
		return;
	}
	for (size_t i = 0; i < c->n; i++)
		if (c->node[i] == src || c->node[i] == dst)
			c->node[kept++] = c->node[i];
	c->n = kept;
}

static struct candidates find_candidates(const struct pl_trace *t, const struct pl_who *who)
{
	struct candidates c = {.n = 0};

	for (size_t i = 0; i < t->n_flows && (!c.any || c.n); i++) {
		const size_t src = pl_who_find(who, &t->flow[i].src);
		const size_t dst = pl_who_find(who, &t->flow[i].dst);

		if (src != PL_NOBODY && dst != PL_NOBODY && src != dst)
			take_ends(&c, src, dst);
	}
	return c;
}

static bool have(const struct pl_trace *trace, size_t n, size_t node)
{
	for (size_t i = 0; i < n; i++)
		if (trace[i].owner == node)
			return true;
	return false;
}

int pl_owners_find(struct pl_trace *trace, size_t n, const struct pl_who *who)
{
	struct candidates *c = pl_array_create(n, sizeof(*c));

	if (!c)
		return -1;
	/* the sure ones first */
	for (size_t i = 0; i < n; i++) {
		c[i] = find_candidates(&trace[i], who);
		if (c[i].n == 1)
			trace[i].owner = c[i].node[0];
		trace[i].between = c[i].any && c[i].n == 0;
	}
	for (size_t i = 0; i < n; i++)
		if (trace[i].owner == PL_NO_OWNER && c[i].n == 2)
			trace[i].owner = have(trace, n, c[i].node[0]) ? c[i].node[1] : c[i].node[0];
	free(c);
	return 0;
}

int pl_owners_unseen(struct pl_audit_pairs *pairs, const struct pl_trace *trace, size_t n,
		     size_t n_nodes)
{
	bool *has = pl_array_create(n_nodes, sizeof(*has)), between = false;

	if (!has)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (trace[i].owner < n_nodes)
			has[trace[i].owner] = true;
		between |= trace[i].between;
	}
	for (size_t i = 0; i < pairs->n; i++)
		pairs->v[i].unseen = !between && !has[pairs->v[i].src] && !has[pairs->v[i].dst];
	free(has);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* racks.c - what of a job's bytes goes from one rack to another */
#include "config.h"

#include "base/mem.h"
#include "src/audit/run.h"
#include "topology/places.h"

#include <stdlib.h>

/* rack[] of each node: the narrowest place that it is in. */
static int find_racks(const struct audit *a, const struct pl_places *places, size_t *rack,
		      struct pl_err *err)
{
	const struct pl_hosts *node = &a->job.node;
	char why[256];

	for (size_t i = 0; i < node->n; i++) {
		const struct pl_host *host = &node->v[i];
		const ptrdiff_t at = pl_places_find_host(places, host);

		if (at < 0)
			return pl_err_set(err, PL_EINPUT, "%s: %s %s", a->o->topology, host->name,
					  pl_places_why(places, host, at, why, sizeof(why)));
		rack[i] = places->host[at].node;
	}
	return 0;
}

static size_t count(const size_t *rack, size_t n)
{
	size_t n_racks = 0;

	for (size_t i = 0; i < n; i++) {
		size_t before = 0;

		while (before < i && rack[before] != rack[i])
			before++;
		n_racks += before == i;
	}
	return n_racks;
}

static void sum(struct audit *a, const size_t *rack)
{
	struct audit_racks *to = &a->racks;

	to->n = count(rack, a->job.node.n);
	for (size_t i = 0; i < a->pairs.n; i++) {
		const struct pl_audit_pair *p = &a->pairs.v[i];

		if (rack[p->src] == rack[p->dst])
			continue;
		pl_pair_add(&to->payload_bytes, p->payload_bytes);
		pl_pair_add(&to->expected_bytes, pl_pair_expected(p));
		pl_pair_add(&to->seen_bytes, p->seen_bytes);
	}
}

int audit_sum_racks(struct audit *a, struct pl_err *err)
{
	struct pl_places places = {0};
	size_t *rack;
	int rc = -1;

	if (!a->o->topology)
		return 0;
	if (pl_places_read(&places, a->o->topology, err))
		return -1;
	rack = pl_array_create(a->job.node.n, sizeof(*rack));
	if (!rack)
		pl_err_nomem(err);
	else
		rc = find_racks(a, &places, rack, err);
	if (rc == 0)
		sum(a, rack);
	free(rack);
	pl_places_fini(&places);
	return rc;
}

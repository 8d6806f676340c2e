/* SPDX-License-Identifier: BSD-3-Clause */
/* nvlink.c - domains of NVLink among the switches of a network */
#include "config.h"

#include "topology/providers/nvlink.h"

#include "base/text/names.h"

#include <string.h>

/* "ClusterUUID.CliqueID" */
static void take_clique(struct pl_nvlink *at, const char *clique)
{
	const char *dot = strrchr(clique, '.');
	const size_t len = dot ? (size_t)(dot - clique) : strlen(clique);

	if (strspn(clique, "0-") >= len)
		return;
	pl_places_push(&at->domain, clique, len);
	if (dot)
		pl_places_push(&at->domain, dot + 1, strlen(dot + 1));
}

int pl_nvlink_read(struct pl_provider_json *json, const json_t *labels,
		   const struct pl_nvlink_labels *names, struct pl_nvlink *at, struct pl_err *err)
{
	const char *clique = pl_provider_string(labels, "nvidia.com/gpu.clique");
	const char *domain = pl_provider_string(labels, names->domain);
	const char *part = pl_provider_string(labels, names->part);

	if (clique)
		take_clique(at, clique);
	else if (domain && (pl_provider_label(json, &at->domain, domain, err) ||
			    (part && pl_provider_label(json, &at->domain, part, err))))
		return -1;
	return 0;
}

/* How many labels both begin with, at most @most; one that is not known may be any. */
static size_t common(const struct pl_places_path *a, const struct pl_places_path *b, size_t most)
{
	size_t k = 0;

	while (k < a->n && k < b->n &&
	       (a->label[k].len == 0 || b->label[k].len == 0 ||
		(a->label[k].len == b->label[k].len &&
		 !memcmp(a->label[k].s, b->label[k].s, a->label[k].len))))
		k++;
	return k < a->n && k < b->n ? k : most;
}

/* The number of levels that stay above the domains, and the levels of these. */
static int find_depth(const struct pl_nvlink *at, size_t n, size_t *depth, size_t *levels,
		      struct pl_err *err)
{
	struct pl_names first = {0};
	int rc = 0;

	*depth = *levels = 0;
	for (size_t i = 0; i < n; i++) {
		if (at[i].fabric.n > *depth)
			*depth = at[i].fabric.n;
		if (at[i].domain.n > *levels)
			*levels = at[i].domain.n;
	}
	for (size_t i = 0; rc >= 0 && i < n; i++) {
		const char *s = at[i].domain.label[0].s;
		const size_t len = at[i].domain.label[0].len;
		size_t same;

		if (at[i].domain.n == 0)
			continue;
		rc = pl_names_add(&first, s, len, i);
		same = rc <= 0 ? *depth
			       : common(&at[pl_names_find(&first, s, len)].fabric, &at[i].fabric,
					*depth);
		if (same < *depth)
			*depth = same;
	}
	pl_names_fini(&first);
	return rc < 0 ? pl_err_nomem(err) : 0;
}

int pl_nvlink_place(struct pl_provider_json *json, struct pl_nvlink *at, size_t n,
		    struct pl_err *err)
{
	size_t depth, levels;

	if (find_depth(at, n, &depth, &levels, err))
		return -1;
	for (size_t i = 0; levels > 0 && i < n; i++) {
		struct pl_places_path *fabric = &at[i].fabric, path = {0};

		if ((fabric->n > depth ? fabric->n : depth) + levels > PL_PLACES_LEVELS_MAX)
			return pl_err_at(err, json->file,
					 "more than %d levels of switches and NVLink",
					 PL_PLACES_LEVELS_MAX);
		for (size_t k = 0; k < depth; k++)
			path.label[path.n++] = fabric->label[k];
		for (size_t k = 0; k < levels; k++)
			path.label[path.n++] = at[i].domain.label[k];
		for (size_t k = depth; k < fabric->n; k++)
			path.label[path.n++] = fabric->label[k];
		*fabric = path;
	}
	return 0;
}

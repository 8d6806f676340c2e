/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - how a framework lays its ranks out */
#include "config.h"

#include "job/layout.h"

#include "base/text/number.h"

#include <ctype.h>
#include <string.h>

/* "NAME=SIZE" (@len characters) */
static int add_dim(struct pl_rank_mesh *mesh, const char *s, size_t len, struct pl_err *err)
{
	const char *equals = memchr(s, '=', len);
	const size_t n_name = equals ? (size_t)(equals - s) : 0;
	uint64_t size;

	for (size_t i = 0; i < n_name; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_' && s[i] != '-')
			return pl_err_set(
				err, PL_EUSAGE,
				"\"%.*s\": names of dimensions have letters, digits, _ and -",
				(int)len, s);
	if (n_name == 0 || n_name > PL_RANK_MESH_NAME_MAX ||
	    pl_uint_parse(equals + 1, len - n_name - 1, PL_JOB_RANKS_MAX, &size) || size == 0)
		return pl_err_set(
			err, PL_EUSAGE,
			"\"%.*s\": a dimension and its size, from 1 to %zu, are wanted, as in tp=8",
			(int)len, s, PL_JOB_RANKS_MAX);
	if (mesh->n == PL_RANK_MESH_DIMS_MAX)
		return pl_err_set(err, PL_EUSAGE, "more than %d dimensions in a mesh",
				  PL_RANK_MESH_DIMS_MAX);
	if (pl_rank_mesh_find(mesh, s, n_name) < mesh->n)
		return pl_err_set(err, PL_EUSAGE, "dimension \"%.*s\" comes twice", (int)n_name, s);
	memcpy(mesh->dim[mesh->n].name, s, n_name);
	mesh->dim[mesh->n++].size = (size_t)size;
	return 0;
}

/* "NAME=SIZE,NAME=SIZE" */
static int parse_dims(struct pl_rank_mesh *mesh, const char *s, struct pl_err *err)
{
	for (;; s++) {
		const size_t len = strcspn(s, ",");

		if (add_dim(mesh, s, len, err))
			return -1;
		s += len;
		if (!*s)
			return 0;
	}
}

static int check_product(const struct pl_rank_mesh *mesh, struct pl_err *err)
{
	if (pl_rank_mesh_ranks(mesh) != SIZE_MAX)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "the product of the sizes exceeds %zu ranks",
			  PL_JOB_RANKS_MAX);
}

int pl_layout_device_mesh(struct pl_layout *layout, const char *dims, struct pl_err *err)
{
	struct pl_rank_mesh given = {0};
	struct pl_rank_mesh *mesh = &layout->mesh[0];

	*layout = (struct pl_layout){.n_meshes = 1, .vpp = 1};
	if (parse_dims(&given, dims, err))
		return -1;
	for (size_t d = given.n; d-- > 0;)
		mesh->dim[mesh->n++] = given.dim[d];
	return check_product(mesh, err);
}

/* Names of an order, and where each stands in the grids; NULL: not in that. */
static const struct axis {
	const char *name, *dense, *expert;
} axes[] = {
	{"tp", "tp", "etp"}, {"cp", "cp", NULL}, {"ep", NULL, "ep"},
	{"dp", "dp", "edp"}, {"pp", "pp", "pp"},
};
#define N_AXES (sizeof(axes) / sizeof(axes[0]))

static size_t size_of(const struct pl_rank_mesh *mesh, const char *name)
{
	const size_t d = pl_rank_mesh_find(mesh, name, strlen(name));

	return d < mesh->n ? mesh->dim[d].size : 1;
}

static bool has(const struct pl_rank_mesh *mesh, const char *name)
{
	return pl_rank_mesh_find(mesh, name, strlen(name)) < mesh->n;
}

/* vpp is a size without a dimension. */
static int take_vpp(struct pl_layout *layout, struct pl_rank_mesh *given, struct pl_err *err)
{
	const size_t d = pl_rank_mesh_find(given, "vpp", 3);

	if (d == given->n)
		return 0;
	layout->vpp = given->dim[d].size;
	given->dim[d] = given->dim[--given->n];
	if (layout->vpp > PL_JOB_VPP_MAX)
		return pl_err_set(err, PL_EUSAGE, "vpp=%zu: at most %d", layout->vpp,
				  PL_JOB_VPP_MAX);
	if (layout->vpp > 1 && size_of(given, "pp") < 2)
		return pl_err_set(err, PL_EUSAGE, "vpp=%zu needs a pipeline: pp=2 or more",
				  layout->vpp);
	return 0;
}

static int check_names(const struct pl_rank_mesh *given, struct pl_err *err)
{
	for (size_t d = 0; d < given->n; d++) {
		size_t a = 0;

		while (a < N_AXES && strcmp(given->dim[d].name, axes[a].name) != 0)
			a++;
		if (a == N_AXES && strcmp(given->dim[d].name, "etp") != 0)
			return pl_err_set(
				err, PL_EUSAGE,
				"a layout has tp, cp, ep, dp, pp, etp and vpp, not \"%s\"",
				given->dim[d].name);
	}
	return 0;
}

/* The axes in the given order, those that are missing behind them. */
static int parse_order(const struct axis *to[N_AXES], const char *order,
		       const struct pl_rank_mesh *given, struct pl_err *err)
{
	bool taken[N_AXES] = {false};
	size_t n = 0;

	for (const char *s = order;; s++) {
		const size_t len = strcspn(s, "-");
		size_t a = 0;

		while (a < N_AXES &&
		       (strlen(axes[a].name) != len || memcmp(axes[a].name, s, len) != 0))
			a++;
		if (a == N_AXES || taken[a])
			return pl_err_set(
				err, PL_EUSAGE,
				"an order has tp, cp, ep, dp and pp, each once, not \"%s\"", order);
		taken[a] = true;
		to[n++] = &axes[a];
		s += len;
		if (!*s)
			break;
	}
	for (size_t a = 0; a < N_AXES; a++) {
		if (!taken[a] && size_of(given, axes[a].name) != 1)
			return pl_err_set(err, PL_EUSAGE, "%s is not in the order \"%s\"",
					  axes[a].name, order);
		if (!taken[a])
			to[n++] = &axes[a];
	}
	return 0;
}

static void append(struct pl_rank_mesh *mesh, const char *name, size_t size)
{
	strcpy(mesh->dim[mesh->n].name, name);
	mesh->dim[mesh->n++].size = size;
}

/* The number of ranks from one stage of a pipeline to the next. */
static size_t stage_stride(const struct pl_rank_mesh *mesh)
{
	size_t stride = 1;

	for (size_t d = 0; strcmp(mesh->dim[d].name, "pp") != 0; d++)
		stride *= mesh->dim[d].size;
	return stride;
}

static int add_expert(struct pl_layout *layout, const struct axis *const *order,
		      const struct pl_rank_mesh *given, struct pl_err *err)
{
	const struct pl_rank_mesh *dense = &layout->mesh[0];
	struct pl_rank_mesh *expert = &layout->mesh[layout->n_meshes++];
	const size_t n_ranks = pl_rank_mesh_ranks(dense);
	struct pl_rank_mesh rest = {0};
	size_t n;

	append(&rest, "etp", size_of(given, "etp"));
	append(&rest, "ep", size_of(given, "ep"));
	append(&rest, "pp", size_of(given, "pp"));
	n = pl_rank_mesh_ranks(&rest);
	if (n == SIZE_MAX || n_ranks % n != 0)
		return pl_err_set(err, PL_EUSAGE,
				  "%zu ranks (tp x cp x dp x pp) are no multiple of etp x ep x pp",
				  n_ranks);
	append(&rest, "edp", n_ranks / n);
	for (size_t a = 0; a < N_AXES; a++)
		if (order[a]->expert)
			append(expert, order[a]->expert, size_of(&rest, order[a]->expert));
	if (size_of(given, "pp") > 1 && stage_stride(dense) != stage_stride(expert))
		return pl_err_set(err, PL_EUSAGE,
				  "the two grids have different pipelines in this order; with pp "
				  "last they agree");
	layout->etp_assumed = !has(given, "etp") && size_of(given, "tp") > 1;
	return 0;
}

int pl_layout_megatron(struct pl_layout *layout, const char *sizes, const char *order,
		       struct pl_err *err)
{
	struct pl_rank_mesh given = {0};
	const struct axis *sorted[N_AXES];

	*layout = (struct pl_layout){.n_meshes = 1, .vpp = 1};
	if (parse_dims(&given, sizes, err) || take_vpp(layout, &given, err) ||
	    check_names(&given, err) || parse_order(sorted, order, &given, err))
		return -1;
	for (size_t a = 0; a < N_AXES; a++)
		if (sorted[a]->dense)
			append(&layout->mesh[0], sorted[a]->dense,
			       size_of(&given, sorted[a]->dense));
	if (check_product(&layout->mesh[0], err))
		return -1;
	if (has(&given, "ep") || has(&given, "etp"))
		return add_expert(layout, sorted, &given, err);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* catalogue.c - the one table of collective x impl x algorithm */
#include "config.h"

#include "costmodels/catalogue.h"

#include "base/text/number.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const struct pl_algorithm *pl_algorithm_of(const struct pl_algorithm *table,
					   pl_generate_fn *generate)
{
	while (table->generate != generate)
		table++;
	return table;
}

static const char *const collectives[PL_COLLECTIVES] = {
	[PL_ALLREDUCE] = "allreduce",
	[PL_BROADCAST] = "broadcast",
	[PL_REDUCE] = "reduce",
	[PL_ALLGATHER] = "allgather",
	[PL_REDUCE_SCATTER] = "reduce-scatter",
	[PL_BARRIER] = "barrier",
	[PL_ALLTOALL] = "alltoall",
};

static const char *const impls[PL_IMPLS] = {
	[PL_THESIS] = "thesis",   [PL_OPENMPI] = "openmpi",   [PL_GLOO] = "gloo",
	[PL_NCCL] = "nccl",       [PL_LIGHTGBM] = "lightgbm", [PL_MPICH] = "mpich",
	[PL_XGBOOST] = "xgboost",
};

/* Each ends with an entry that has no name. */
static const struct pl_algorithm *const tables[PL_IMPLS] = {
	[PL_THESIS] = pl_thesis_algorithms,     [PL_OPENMPI] = pl_openmpi_algorithms,
	[PL_GLOO] = pl_gloo_algorithms,         [PL_NCCL] = pl_nccl_algorithms,
	[PL_LIGHTGBM] = pl_lightgbm_algorithms, [PL_MPICH] = pl_mpich_algorithms,
	[PL_XGBOOST] = pl_xgboost_algorithms,
};

const struct pl_algorithm *pl_catalogue_entry(size_t i)
{
	for (size_t t = 0; t < PL_IMPLS; t++)
		for (const struct pl_algorithm *a = tables[t]; a->name; a++)
			if (i-- == 0)
				return a;
	return NULL;
}

const char *pl_collective_name(enum pl_collective collective)
{
	return collectives[collective];
}

bool pl_collective_has_root(enum pl_collective collective)
{
	return collective == PL_BROADCAST || collective == PL_REDUCE;
}

bool pl_collective_is_by_block(enum pl_collective collective)
{
	return collective == PL_ALLGATHER || collective == PL_ALLTOALL;
}

const char *pl_impl_name(enum pl_impl impl)
{
	return impls[impl];
}

/* A growing "a, b, c"; what does not fit is left out. */
struct list {
	char text[400];
	size_t used;
};

static void list_add(struct list *l, const char *name, const char *suffix)
{
	const int len = snprintf(l->text + l->used, sizeof(l->text) - l->used, "%s%s%s",
				 l->used ? ", " : "", name, suffix);

	if (len > 0 && (size_t)len < sizeof(l->text) - l->used)
		l->used += (size_t)len;
	else
		l->text[l->used] = '\0';
}

static int no_such(const char *what, const char *s, const char *const *names, size_t n,
		   struct pl_err *err)
{
	struct list l = {0};

	for (size_t i = 0; i < n; i++)
		list_add(&l, names[i], "");
	return pl_err_set(err, PL_EUSAGE, "no %s \"%s\"; there are: %s", what, s, l.text);
}

int pl_collective_parse(const char *s, enum pl_collective *collective, struct pl_err *err)
{
	for (size_t i = 0; i < PL_COLLECTIVES; i++)
		if (strcmp(s, collectives[i]) == 0) {
			*collective = (enum pl_collective)i;
			return 0;
		}
	return no_such("collective", s, collectives, PL_COLLECTIVES, err);
}

int pl_impl_parse(const char *s, enum pl_impl *impl, struct pl_err *err)
{
	for (size_t i = 0; i < PL_IMPLS; i++)
		if (strcmp(s, impls[i]) == 0) {
			*impl = (enum pl_impl)i;
			return 0;
		}
	return no_such("implementation", s, impls, PL_IMPLS, err);
}

static int no_algorithm(enum pl_collective collective, enum pl_impl impl, const char *name,
			struct pl_err *err)
{
	struct list l = {0};

	for (const struct pl_algorithm *a = tables[impl]; a->name; a++)
		if (a->collective == collective)
			list_add(&l, a->name, a->takes_radix ? ":N" : "");
	if (!l.used)
		return pl_err_set(err, PL_EUSAGE, "no algorithm is known for %s of %s",
				  collectives[collective], impls[impl]);
	return pl_err_set(err, PL_EUSAGE, "no algorithm \"%s\" for %s of %s; there are: %s", name,
			  collectives[collective], impls[impl], l.text);
}

/* The number behind the colon; 0, or -1 where it is none. */
static int parse_radix(const char *s, size_t *radix)
{
	int64_t value;

	if (pl_int_parse(s, strlen(s), 2, (int64_t)PL_PATTERN_MESSAGES_MAX, &value))
		return -1;
	*radix = (size_t)value;
	return 0;
}

const struct pl_algorithm *pl_catalogue_find(enum pl_collective collective, enum pl_impl impl,
					     const char *name, size_t *radix, struct pl_err *err)
{
	const char *colon = strchr(name, ':');
	const size_t len = colon ? (size_t)(colon - name) : strlen(name);

	*radix = 0;
	for (const struct pl_algorithm *a = tables[impl]; a->name; a++) {
		if (a->collective != collective || strlen(a->name) != len ||
		    strncmp(a->name, name, len) != 0)
			continue;
		if (!colon)
			return a;
		if (a->takes_radix && parse_radix(colon + 1, radix) == 0)
			return a;
		pl_err_set(err, PL_EUSAGE,
			   a->takes_radix ? "\"%s\": a whole number from 2 to %zu "
					    "must follow the colon"
					  : "\"%s\": the algorithm takes no number",
			   name, PL_PATTERN_MESSAGES_MAX);
		return NULL;
	}
	no_algorithm(collective, impl, name, err);
	return NULL;
}

const struct pl_algorithm *pl_catalogue_named(enum pl_collective collective, enum pl_impl impl,
					      const char *name)
{
	const struct pl_algorithm *a = tables[impl];

	while (a->name && (a->collective != collective || strcmp(a->name, name) != 0))
		a++;
	assert(a->name);
	return a;
}

int pl_call_check(struct pl_call *call, struct pl_err *err)
{
	if (!call->element_bytes)
		call->element_bytes = 4;
	if (!call->slots)
		call->slots = 1;
	if (call->n_pos == 0)
		return pl_err_set(err, PL_EUSAGE, "a collective of no ranks");
	if (call->root >= call->n_pos)
		return pl_err_set(err, PL_EUSAGE, "root %zu is not one of %zu ranks", call->root,
				  call->n_pos);
	if (call->slots > call->n_pos)
		return pl_err_set(err, PL_EUSAGE, "%zu slots on a host, but only %zu ranks",
				  call->slots, call->n_pos);
	if (call->n_ranks && (call->slots != 1 || call->n_ranks < call->n_pos))
		return pl_err_set(err, PL_EUSAGE,
				  "%zu ranks on %zu hosts: every host needs a "
				  "rank, and slots must be 1",
				  call->n_ranks, call->n_pos);
	if (call->bytes > INT64_MAX)
		return pl_err_set(err, PL_EUSAGE, "%llu bytes are more than 2^63 - 1",
				  (unsigned long long)call->bytes);
	if (call->bytes % call->element_bytes)
		return pl_err_set(err, PL_EUSAGE,
				  "%llu bytes are not a whole number of "
				  "elements of %llu bytes",
				  (unsigned long long)call->bytes,
				  (unsigned long long)call->element_bytes);
	return 0;
}

const struct pl_algorithm *pl_algorithm_decide(const struct pl_algorithm *a,
					       const struct pl_call *call, struct pl_call *decided)
{
	*decided = *call;
	return a->decide ? a->decide(call, decided) : a;
}

int pl_algorithm_script(const struct pl_algorithm *a, const struct pl_call *call,
			struct pl_script *script, struct pl_err *err)
{
	struct pl_call checked = *call;

	if (pl_call_check(&checked, err))
		return -1;
	if (checked.n_ranks)
		return pl_err_set(err, PL_EUSAGE,
				  "hosts have different numbers of slots: plink does not "
				  "know the messages of such a call");
	a = pl_algorithm_decide(a, &checked, &checked);
	if (pl_script_init(script, checked.n_pos, err))
		return -1;
	if (a->collective == PL_ALLREDUCE)
		pl_script_buffer(script, checked.bytes, false);
	if (a->generate(script, &checked, err) == 0)
		return 0;
	pl_script_fini(script);
	return -1;
}

int pl_algorithm_pattern(const struct pl_algorithm *a, const struct pl_call *call,
			 struct pl_pattern *p, struct pl_err *err)
{
	struct pl_script script;
	int rc;

	if (pl_algorithm_script(a, call, &script, err))
		return -1;
	rc = pl_script_finish(&script, p, err);
	pl_script_fini(&script);
	return rc;
}

int pl_algorithm_rounds(const struct pl_algorithm *a, const struct pl_call *call,
			struct pl_shape *shape, struct pl_err *err)
{
	struct pl_pattern p;
	int rc;

	if (pl_algorithm_pattern(a, call, &p, err))
		return -1;
	rc = pl_shape_of_rounds(shape, &p, err);
	pl_pattern_fini(&p);
	return rc;
}

int pl_algorithm_shape(const struct pl_algorithm *a, const struct pl_call *call,
		       struct pl_shape *shape, struct pl_err *err)
{
	struct pl_call checked = *call;
	int rc;

	if (pl_call_check(&checked, err))
		return -1;
	a = pl_algorithm_decide(a, &checked, &checked);
	rc = a->shape ? a->shape(shape, &checked, err)
		      : pl_algorithm_rounds(a, &checked, shape, err);
	if (rc == 0 && a->weigh)
		a->weigh(shape);
	return rc;
}

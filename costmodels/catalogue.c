/* SPDX-License-Identifier: BSD-3-Clause */
/* catalogue.c - the one table of collective x impl x algorithm */
#include "config.h"

#include "costmodels/catalogue.h"

#include "base/text/number.h"
#include "costmodels/kernels.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const collectives[PL_COLLECTIVES] = {
	[PL_ALLREDUCE] = "allreduce",
	[PL_BROADCAST] = "broadcast",
	[PL_REDUCE] = "reduce",
	[PL_ALLGATHER] = "allgather",
	[PL_REDUCE_SCATTER] = "reduce-scatter",
	[PL_BARRIER] = "barrier",
	[PL_ALLTOALL] = "alltoall",
};

/* The last entry of each table has no name. Messages above so many bytes take so many one-way trips
 * between hosts, of algorithms with PL_SHAKES_HANDS. */
static const struct {
	const char *name;
	const struct pl_algorithm *table;
	double eager_bytes, trips;
} impls[PL_IMPLS] = {
	[PL_THESIS] = {"thesis", pl_thesis_algorithms, 0, 0},
	[PL_OPENMPI] = {"openmpi", pl_openmpi_algorithms, PL_OPENMPI_EAGER_BYTES, PL_OPENMPI_TRIPS},
	[PL_GLOO] = {"gloo", pl_gloo_algorithms, 0, 0},
	[PL_NCCL] = {"nccl", pl_nccl_algorithms, 0, 0},
	[PL_LIGHTGBM] = {"lightgbm", pl_lightgbm_algorithms, 0, 0},
	[PL_MPICH] = {"mpich", pl_mpich_algorithms, PL_MPICH_EAGER_BYTES, PL_MPICH_TRIPS},
	[PL_XGBOOST] = {"xgboost", pl_xgboost_algorithms, 0, 0},
};

const struct pl_algorithm *pl_catalogue_entry(size_t i)
{
	for (size_t t = 0; t < PL_IMPLS; t++)
		for (const struct pl_algorithm *a = impls[t].table; a->name; a++)
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
	return impls[impl].name;
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

int pl_collective_parse(const char *s, enum pl_collective *collective, struct pl_err *err)
{
	struct list l = {0};

	for (size_t i = 0; i < PL_COLLECTIVES; i++) {
		if (strcmp(s, collectives[i]) == 0) {
			*collective = (enum pl_collective)i;
			return 0;
		}
		list_add(&l, collectives[i], "");
	}
	return pl_err_set(err, PL_EUSAGE, "no collective \"%s\"; there are: %s", s, l.text);
}

int pl_impl_parse(const char *s, enum pl_impl *impl, struct pl_err *err)
{
	struct list l = {0};

	for (size_t i = 0; i < PL_IMPLS; i++) {
		if (strcmp(s, impls[i].name) == 0) {
			*impl = (enum pl_impl)i;
			return 0;
		}
		list_add(&l, impls[i].name, "");
	}
	return pl_err_set(err, PL_EUSAGE, "no implementation \"%s\"; there are: %s", s, l.text);
}

static int no_algorithm(enum pl_collective collective, enum pl_impl impl, const char *name,
			struct pl_err *err)
{
	struct list l = {0};

	for (const struct pl_algorithm *a = impls[impl].table; a->name; a++)
		if (a->collective == collective)
			list_add(&l, a->name, a->takes_radix ? ":N" : "");
	if (!l.used)
		return pl_err_set(err, PL_EUSAGE, "no algorithm is known for %s of %s",
				  collectives[collective], impls[impl].name);
	return pl_err_set(err, PL_EUSAGE, "no algorithm \"%s\" for %s of %s; there are: %s", name,
			  collectives[collective], impls[impl].name, l.text);
}

const struct pl_algorithm *pl_catalogue_find(enum pl_collective collective, enum pl_impl impl,
					     const char *name, size_t *radix, struct pl_err *err)
{
	const char *colon = strchr(name, ':');
	const size_t len = colon ? (size_t)(colon - name) : strlen(name);
	int64_t number = 0;

	*radix = 0;
	for (const struct pl_algorithm *a = impls[impl].table; a->name; a++) {
		if (a->collective != collective || strlen(a->name) != len ||
		    strncmp(a->name, name, len) != 0)
			continue;
		if (!colon)
			return a;
		if (a->takes_radix &&
		    pl_int_parse(colon + 1, strlen(colon + 1), 2, (int64_t)PL_PATTERN_MESSAGES_MAX,
				 &number) == 0) {
			*radix = (size_t)number;
			return a;
		}
		pl_err_set(err, PL_EUSAGE,
			   a->takes_radix
				   ? "\"%s\": a whole number from 2 to %zu must follow the colon"
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
	const struct pl_algorithm *a = impls[impl].table;

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
		return pl_err_set(
			err, PL_EUSAGE,
			"%zu ranks on %zu hosts: every host needs a rank, and slots must be 1",
			call->n_ranks, call->n_pos);
	if (call->bytes > INT64_MAX)
		return pl_err_set(err, PL_EUSAGE, "%llu bytes are more than 2^63 - 1",
				  (unsigned long long)call->bytes);
	if (call->bytes % call->element_bytes)
		return pl_err_set(err, PL_EUSAGE,
				  "%llu bytes are not a whole number of elements of %llu bytes",
				  (unsigned long long)call->bytes,
				  (unsigned long long)call->element_bytes);
	return 0;
}

const struct pl_algorithm *pl_algorithm_decide(const struct pl_algorithm *a,
					       const struct pl_call *call, struct pl_call *decided)
{
	*decided = *call;
	if (a->collective == PL_BARRIER)
		decided->bytes = 0;
	return a->decide ? a->decide(a, decided) : a;
}

const struct pl_algorithm *pl_algorithm_instead(const struct pl_algorithm *a,
						const struct pl_call *call)
{
	const uint64_t count = call->bytes / call->element_bytes;
	const size_t n = call->n_pos;
	bool other = false;

	switch (a->unless) {
	case PL_ALWAYS:
		break;
	case PL_FEWER_THAN_RANKS:
		other = count < n;
		break;
	case PL_FEWER_THAN_FOLDED:
		other = count > 0 && count < pl_fold(n, PL_EVEN_STAYS).n;
		break;
	case PL_NO_POWER_OF_TWO:
		other = !pl_is_power_of_two(n);
		break;
	case PL_ODD_RANKS:
		other = n % 2;
		break;
	}
	return other ? pl_catalogue_named(a->collective, a->impl, a->instead) : a;
}

/* Does the call send nothing? */
static bool is_empty(const struct pl_algorithm *a, const struct pl_call *call)
{
	return call->n_pos < 2 ||
	       (call->bytes == 0 && a->collective != PL_BARRIER && !(a->how & PL_SENDS_EMPTY));
}

int pl_algorithm_script(const struct pl_algorithm *a, const struct pl_call *call,
			struct pl_script *script, struct pl_err *err)
{
	struct pl_comm_call all = {.s = script, .call = *call, .apart = 1};
	int rc = 0;

	if (pl_call_check(&all.call, err))
		return -1;
	if (all.call.n_ranks)
		return pl_err_set(err, PL_EUSAGE,
				  "hosts have different numbers of slots: plink does not know the "
				  "messages of such a call");
	a = pl_algorithm_decide(a, &all.call, &all.call);
	if (pl_script_init(script, call->n_pos, err))
		return -1;
	if (a->collective == PL_ALLREDUCE || a->how & PL_GATHERS_BUFFERS)
		pl_script_buffer(script, call->bytes, a->how & PL_GATHERS_BUFFERS);
	if (!is_empty(a, &all.call))
		rc = pl_comm_write(&all, a, err);
	else if (a->check)
		rc = a->check(&all.call, err);
	if (rc)
		pl_script_fini(script);
	return rc;
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
	if (a->objective)
		a = pl_algorithm_instead(a, &checked);
	*shape = (struct pl_shape){.n_pos = checked.n_pos};
	if (a->check && a->check(&checked, err))
		return -1;
	rc = a->objective ? a->objective(shape, a, &checked, err)
			  : pl_algorithm_rounds(a, &checked, shape, err);
	if (rc == 0 && shape->no_memory) {
		pl_shape_fini(shape);
		rc = pl_err_nomem(err);
	}
	if (rc == 0 && a->how & PL_SHAKES_HANDS)
		pl_shape_weigh(shape, impls[a->impl].eager_bytes, impls[a->impl].trips);
	return rc;
}

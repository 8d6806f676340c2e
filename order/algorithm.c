/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm.c - the collective that an order is for */
#include "config.h"

#include "order/algorithm.h"

#include "base/text/size.h"
#include "costmodels/catalogue.h"

#include <stdio.h>
#include <string.h>

/* The first algorithm that is not a rule; NULL: there is none. */
static const struct pl_algorithm *first_of(enum pl_collective collective, enum pl_impl impl)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		if (a->collective == collective && a->impl == impl && !a->decide)
			return a;
	return NULL;
}

/* The algorithm of that name; sets no error if there is none. */
static const struct pl_algorithm *named(enum pl_collective collective, enum pl_impl impl,
					const char *name)
{
	size_t radix;

	return pl_catalogue_find(collective, impl, name, &radix, NULL);
}

/* What the library takes if no algorithm is named, as far as a rule for that is known. NULL: none
 * is. */
static const struct pl_algorithm *usual(enum pl_collective collective, enum pl_impl impl)
{
	const bool ring = impl == PL_THESIS || impl == PL_NCCL;
	const struct pl_algorithm *a = named(collective, impl, ring ? "ring" : "default");

	if (!a)
		a = named(collective, impl, "ring");
	return a || impl == PL_THESIS ? a : first_of(collective, impl);
}

const char *pl_order_next_name(const char **list, char one[PL_ORDER_NAME_CHARS])
{
	const char *name = *list;
	size_t len;

	if (!name)
		return NULL;
	len = strcspn(name, ",");
	snprintf(one, PL_ORDER_NAME_CHARS, "%.*s", (int)len, name);
	*list = name[len] ? name + len + 1 : NULL;
	return one;
}

int pl_order_algorithm_find(struct pl_order_algorithm *what, const struct pl_order_names *names,
			    struct pl_err *err)
{
	enum pl_collective collective = PL_ALLREDUCE;
	enum pl_impl impl = PL_THESIS;

	if (names->collective && pl_collective_parse(names->collective, &collective, err))
		return -1;
	if (names->impl && pl_impl_parse(names->impl, &impl, err))
		return -1;
	what->radix = 0;
	what->han = names->han;
	what->a = names->algorithm ? NULL : usual(collective, impl);
	if (!what->a)
		what->a = pl_catalogue_find(collective, impl,
					    names->algorithm ? names->algorithm : "ring",
					    &what->radix, err);
	if (!what->a)
		return -1;
	if (what->radix)
		snprintf(what->name, sizeof(what->name), "%s:%zu", what->a->name, what->radix);
	else
		snprintf(what->name, sizeof(what->name), "%s", what->a->name);
	return 0;
}

int pl_order_algorithm_check(const struct pl_order_algorithm *what, struct pl_err *err)
{
	if (what->a->collective == PL_BARRIER && what->has_size)
		return pl_err_set(err, PL_EUSAGE, "a barrier has no data, so it takes no --size");
	if (what->root && !pl_collective_has_root(what->a->collective))
		return pl_err_set(err, PL_EUSAGE, "--root: %s has no root",
				  pl_collective_name(what->a->collective));
	return 0;
}

uint64_t pl_order_unsaid_bytes(const struct pl_order_algorithm *what, size_t n_ranks)
{
	const uint64_t one_each = PL_ORDER_ELEMENT * (uint64_t)n_ranks;
	uint64_t bytes = one_each;

	if (what->a->collective == PL_BARRIER)
		return 0;
	if (!what->a->decide)
		return what->a->impl == PL_GLOO ? 2 * one_each : one_each;
	if (one_each < PL_ORDER_LARGE)
		bytes = PL_ORDER_LARGE / one_each * one_each;
	return pl_collective_is_by_block(what->a->collective) ? bytes / n_ranks : bytes;
}

size_t pl_order_slots(const struct pl_hosts *hosts)
{
	for (size_t h = 1; h < hosts->n; h++)
		if (hosts->v[h].slots != hosts->v[0].slots)
			return 0;
	return (size_t)hosts->v[0].slots;
}

int pl_order_call(const struct pl_order_algorithm *what, const struct pl_hosts *hosts,
		  size_t n_ranks, struct pl_call *call, struct pl_err *err)
{
	const size_t slots = n_ranks ? 1 : pl_order_slots(hosts);
	const bool by_host = slots == 0 && what->a->impl == PL_NCCL;

	if (n_ranks == 0)
		n_ranks = pl_hosts_ranks(hosts);
	if (slots == 0 && what->a->impl == PL_MPICH)
		return pl_err_set(err, PL_EUSAGE,
				  "hosts have different numbers of slots: what MPICH runs on those "
				  "is not known");
	if (slots == 0 && what->a->for_slots)
		return pl_err_set(err, PL_EUSAGE,
				  "hosts have different numbers of slots: what %s sends on those "
				  "is not known",
				  what->a->name);
	if (what->root >= n_ranks)
		return pl_err_set(err, PL_EUSAGE, "root %zu is not one of the %zu ranks",
				  what->root, n_ranks);
	*call = (struct pl_call){
		.n_pos = by_host ? hosts->n : n_ranks,
		.n_ranks = by_host ? n_ranks : 0,
		.element_bytes = PL_ORDER_ELEMENT,
		.segment_bytes = what->segment_bytes,
		.radix = what->radix,
		.root = what->root,
		.slots = slots ? slots : 1,
		.han = what->han,
	};
	call->bytes = what->has_size ? what->bytes : pl_order_unsaid_bytes(what, n_ranks);
	return pl_call_check(call, err);
}

const char *pl_order_title(char buf[PL_ORDER_TITLE], const struct pl_order_algorithm *what)
{
	char size[PL_SIZE_CHARS] = "", root[32] = "";

	if (what->root)
		snprintf(root, sizeof(root), ", root %zu", what->root);
	if (what->has_size)
		pl_size_format(size, what->bytes);
	snprintf(buf, PL_ORDER_TITLE, "%s %s (%s)%s%s%s", pl_collective_name(what->a->collective),
		 what->name, pl_impl_name(what->a->impl), root, what->has_size ? ", " : "", size);
	return buf;
}

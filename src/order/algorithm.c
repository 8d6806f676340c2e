/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm.c - the collective that an order is for */
#include "config.h"

#include "src/order/algorithm.h"

#include "costmodels/catalogue.h"
#include "src/size.h"

#include <stdio.h>
#include <string.h>

/* The first that is no rule; NULL: there is none. */
static const struct pl_algorithm *first_of(enum pl_collective collective,
					   enum pl_impl impl)
{
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		if (a->collective == collective && a->impl == impl &&
		    !a->decide)
			return a;
	return NULL;
}

int pl_order_algorithm_find(struct pl_order_algorithm *what,
			    const struct pl_order_names *names,
			    struct pl_err *err)
{
	enum pl_collective collective = PL_ALLREDUCE;
	enum pl_impl impl = PL_THESIS;
	const char *name = names->algorithm ? names->algorithm : "ring";

	if (names->collective &&
	    pl_collective_parse(names->collective, &collective, err))
		return -1;
	if (names->impl && pl_impl_parse(names->impl, &impl, err))
		return -1;
	what->a = pl_catalogue_find(collective, impl, name, &what->radix, err);
	if (!what->a && !names->algorithm && names->any)
		what->a = first_of(collective, impl);
	if (!what->a)
		return -1;
	if (what->radix)
		snprintf(what->name, sizeof(what->name), "%s:%zu",
			 what->a->name, what->radix);
	else
		snprintf(what->name, sizeof(what->name), "%s", what->a->name);
	return 0;
}

int pl_order_algorithm_check(const struct pl_order_algorithm *what,
			     struct pl_err *err)
{
	if (what->a->collective == PL_BARRIER && what->has_size)
		return pl_err_set(err, PL_EUSAGE,
				  "a barrier has no data: no --size");
	if (what->root && !pl_collective_has_root(what->a->collective))
		return pl_err_set(err, PL_EUSAGE, "--root: %s has none",
				  pl_collective_name(what->a->collective));
	if (what->a->decide && what->a->collective != PL_BARRIER &&
	    !what->has_size)
		return pl_err_set(err, PL_EUSAGE,
				  "which algorithm %s takes depends on the "
				  "size: --size is needed",
				  what->name);
	return 0;
}

size_t pl_order_slots(const struct pl_hosts *hosts)
{
	for (size_t h = 1; h < hosts->n; h++)
		if (hosts->v[h].slots != hosts->v[0].slots)
			return 0;
	return (size_t)hosts->v[0].slots;
}

int pl_order_call(const struct pl_order_algorithm *what,
		  const struct pl_hosts *hosts, size_t n_ranks,
		  struct pl_call *call, struct pl_err *err)
{
	const size_t slots = n_ranks ? 1 : pl_order_slots(hosts);

	if (n_ranks == 0)
		n_ranks = pl_hosts_ranks(hosts);
	if (slots == 0 && what->a->impl == PL_NCCL)
		return pl_err_set(err, PL_EUSAGE,
				  "%s of nccl: every host must have as many "
				  "slots",
				  what->name);
	*call = (struct pl_call){
		.n_pos = n_ranks,
		.element_bytes = PL_ORDER_ELEMENT,
		.segment_bytes = what->segment_bytes,
		.radix = what->radix,
		.root = what->root,
		.slots = slots ? slots : 1,
	};
	if (what->has_size)
		call->bytes = what->bytes;
	else if (what->a->collective != PL_BARRIER)
		call->bytes = PL_ORDER_ELEMENT * n_ranks;
	return pl_call_check(call, err);
}

const char *pl_order_title(char buf[PL_ORDER_TITLE],
			   const struct pl_order_algorithm *what)
{
	char size[PL_SIZE_CHARS] = "", root[32] = "";

	if (what->root)
		snprintf(root, sizeof(root), ", root %zu", what->root);
	if (what->has_size)
		pl_size_format(size, what->bytes);
	snprintf(buf, PL_ORDER_TITLE, "%s %s (%s)%s%s%s",
		 pl_collective_name(what->a->collective), what->name,
		 pl_impl_name(what->a->impl), root, what->has_size ? ", " : "",
		 size);
	return buf;
}

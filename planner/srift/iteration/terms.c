/* SPDX-License-Identifier: BSD-3-Clause */
/* terms.c - what the time of an iteration is made of */
#include "config.h"

#include "planner/srift/iteration/terms.h"

#include <math.h>

const char *const pl_iteration_term_name[PL_TERMS] = {
	[PL_TERM_COMPUTE] = "compute",
	[PL_TERM_EXCHANGE] = "exchange",
	[PL_TERM_INTERCONNECT] = "interconnect",
	[PL_TERM_PREP] = "prep",
	[PL_TERM_FETCH] = "fetch",
};

/* Of the first of the selected types that has the number. */
static struct pl_origin origin_of(const struct pl_selection *sel, const struct pl_profile *profile,
				  const char *name)
{
	for (size_t i = 0; i < sel->n_parts; i++) {
		const struct pl_profile_number *number = pl_profile_number_find(
			&profile->numbers, name, sel->part[i].instance->name);

		if (number)
			return number->origin;
	}
	return (struct pl_origin){.kind = PL_ORIGIN_UNKNOWN};
}

void pl_iteration_terms(struct pl_iteration_terms *t, const struct pl_iteration *it,
			const struct pl_selection *sel, const struct pl_profile *profile,
			const struct pl_origin *network)
{
	const double passes_s = it->forward_s + it->backward_s;
	const enum pl_iteration_term exchange =
		pl_selection_machines(sel) == 1 ? PL_TERM_INTERCONNECT : PL_TERM_EXCHANGE;

	*t = (struct pl_iteration_terms){
		.s = {[PL_TERM_COMPUTE] = passes_s - it->prep_s - it->fetch_s,
		      [PL_TERM_PREP] = it->prep_s,
		      [PL_TERM_FETCH] = it->fetch_s}};
	t->s[exchange] = it->seconds - passes_s;
	t->origin[PL_TERM_COMPUTE] = sel->part[0].instance->origin;
	if (t->s[exchange] > 0)
		t->origin[exchange] = *network;
	if (it->prep_s > 0)
		t->origin[PL_TERM_PREP] = origin_of(sel, profile, "prep_s");
	if (it->fetch_s > 0)
		t->origin[PL_TERM_FETCH] = origin_of(sel, profile, "fetch_s");
}

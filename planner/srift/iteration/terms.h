/* SPDX-License-Identifier: BSD-3-Clause */
/* terms.h - what the time of an iteration is made of, and where each part is from */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_TERMS_H
#define PLINK_PLANNER_SRIFT_ITERATION_TERMS_H

#include "planner/srift/iteration/iteration.h"
#include "planner/srift/profile/number.h"

enum pl_iteration_term {
	PL_TERM_COMPUTE,      /* both passes of the slowest machine */
	PL_TERM_EXCHANGE,     /* waiting for all-reduces, after the passes */
	PL_TERM_INTERCONNECT, /* the same within a single machine */
	PL_TERM_PREP,         /* waiting for samples to be prepared */
	PL_TERM_FETCH,        /* waiting for samples to be read */
	PL_TERMS
};
extern const char *const pl_iteration_term_name[PL_TERMS];

/* Their sum is the time of the iteration. Seconds, 0 where there is none; an all-reduce over
 * several machines is not split into what it takes within them: all of it is EXCHANGE. Origins are
 * borrowed from profile and network; UNKNOWN where seconds are 0 or the profile does not say. */
struct pl_iteration_terms {
	double s[PL_TERMS];
	struct pl_origin origin[PL_TERMS];
};

/* Of @it, which was computed for @sel and @profile. @network: where exchanges are from. */
void pl_iteration_terms(struct pl_iteration_terms *t, const struct pl_iteration *it,
			const struct pl_selection *sel, const struct pl_profile *profile,
			const struct pl_origin *network);

#endif

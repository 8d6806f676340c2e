/* SPDX-License-Identifier: BSD-3-Clause */
/* program-none.c - stands in for the integer programme if there is no GLPK */
#include "config.h"

#include "planner/srift/search/program.h"

bool pl_program_built(void)
{
	return false;
}

int pl_program_solve(struct pl_program_answer *answer, const struct pl_integer_program *program,
		     struct pl_err *err)
{
	(void)answer, (void)program;
	return pl_err_set(err, PL_EUSAGE, "not built with GLPK");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-mpirun.c - any bytes as what hosts answer to plink-mpirun, and as a
 * help */
#include "config.h"

#include "src/mpirun/check.h"
#include "src/mpirun/grammar.h"
#include "src/mpirun/judge.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] = "# plink-plan 1\nhost 0 a slots=2\n"
			   "host 1 b addr=10.0.0.7\nhost 2 t.a\nhost 3 t.b\n"
			   "order allreduce ring openmpi 0- : 1 0 2 3\n";

/* A process has a host of the plan, or a fault that is said. */
static void judge_all(const struct pl_check *check)
{
	const struct pl_mpi mpi = {PL_MPI_OPENMPI_4, "Open MPI 4.1.4"};
	struct pl_plan plan = {0};
	const struct pl_judge judge = {
		.check = check, .plan = &plan, .digest = 255, .mpirun = &mpi};
	struct pl_text t;

	if (pl_text_copy(&t, "plan", text, strlen(text), NULL) || pl_plan_parse(&plan, &t, NULL))
		abort();
	for (size_t rank = 0; rank < check->n && rank < 16; rank++) {
		struct pl_err err = {0};
		int host = -1;

		if (pl_judge_process(&judge, rank, &host, &err)
			    ? !err.text[0]
			    : host < 0 || host >= (int)plan.hosts.n)
			abort();
	}
	pl_plan_fini(&plan);
	pl_text_fini(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_check check = {0};
	struct pl_grammar grammar = {0};
	struct pl_err err = {0};

	if (pl_check_parse(&check, (const char *)data, size, &err) == 0)
		judge_all(&check);
	else if (check.rank || check.other)
		abort();
	pl_check_fini(&check);
	if (pl_grammar_parse(&grammar, (const char *)data, size, &err) == 0)
		for (size_t i = 0; i < grammar.n; i++)
			if (grammar.option[i].name[0] == '\0')
				abort();
	pl_grammar_fini(&grammar);
	return 0;
}

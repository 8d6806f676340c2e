/* SPDX-License-Identifier: BSD-3-Clause */
/* deepspeed.c - DeepSpeed's launchers, which are no command to put in order */
#include "config.h"

#include "src/exec/deepspeed.h"

#include "src/exec/program.h"

#include <string.h>

int pl_deepspeed_check(char *const *command, struct pl_err *err)
{
	const char *name = pl_program_name(command);

	if (strcmp(name, "deepspeed") != 0 &&
	    !pl_program_module(command, "deepspeed.launcher.runner") &&
	    !pl_program_module(command, "deepspeed.launcher.launch"))
		return 0;
	return pl_err_set(
		err, PL_EPARTIAL,
		"%s starts the processes and numbers them: run it without "
		"plink-exec, and each process with plink-exec, by \"deepspeed "
		"--no_python --no_local_rank plink-exec --plan=PLAN python3 "
		"SCRIPT\"; or give it a host file in the plan's order",
		name);
}

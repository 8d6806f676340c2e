/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - which program a command line runs */
#include "config.h"

#include "src/exec/program.h"

#include <stdbool.h>
#include <string.h>

const char *pl_program_name(char *const *command)
{
	const char *slash = strrchr(command[0], '/');

	return slash ? slash + 1 : command[0];
}

/* Python's own options whose value is the next word. */
static bool takes_next(const char *option)
{
	return strcmp(option, "-W") == 0 || strcmp(option, "-X") == 0;
}

size_t pl_program_module(char *const *command, const char *module)
{
	if (strncmp(pl_program_name(command), "python", 6) != 0)
		return 0;
	for (size_t i = 1; command[i] && command[i][0] == '-'; i++) {
		if (strcmp(command[i], "-m") == 0)
			return command[i + 1] && strcmp(command[i + 1], module) == 0 ? i + 2 : 0;
		if (strncmp(command[i], "-m", 2) == 0)
			return strcmp(command[i] + 2, module) == 0 ? i + 1 : 0;
		if (takes_next(command[i]) && command[i + 1])
			i++;
	}
	return 0;
}

int pl_deepspeed_check(char *const *command, struct pl_err *err)
{
	const char *name = pl_program_name(command);

	if (strcmp(name, "deepspeed") != 0 &&
	    !pl_program_module(command, "deepspeed.launcher.runner") &&
	    !pl_program_module(command, "deepspeed.launcher.launch"))
		return 0;
	return pl_err_set(err, PL_EPARTIAL,
			  "%s starts the processes and numbers them: run it without "
			  "plink-exec, and each process with plink-exec, by \"deepspeed "
			  "--no_python --no_local_rank plink-exec --plan=PLAN python3 "
			  "SCRIPT\"; or give it a host file in the plan's order",
			  name);
}

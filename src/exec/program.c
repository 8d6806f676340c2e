/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - what program a command line runs */
#include "config.h"

#include "src/exec/program.h"

#include <string.h>

const char *pl_program_name(char *const *command)
{
	const char *slash = strrchr(command[0], '/');

	return slash ? slash + 1 : command[0];
}

size_t pl_program_module(char *const *command, const char *module)
{
	if (strncmp(pl_program_name(command), "python", 6) != 0)
		return 0;
	for (size_t i = 1; command[i] && command[i][0] == '-'; i++)
		if (strcmp(command[i], "-m") == 0)
			return command[i + 1] && strcmp(command[i + 1],
							module) == 0
				       ? i + 2
				       : 0;
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* starter.c - what tools share that follow a plan and become another command */
#include "config.h"

#include "src/common/starter.h"

#include "src/common/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int usage(const char *tool, const char *text)
{
	pl_tool_usage(tool, "%s", text);
	return PL_STARTER_FAILED;
}

int pl_starter_plan(const char *tool, const char **plan)
{
	if (!*plan)
		*plan = getenv("PLINK_PLAN");
	if (!*plan || !**plan)
		return usage(tool, "--plan is missing");
	if (strcmp(*plan, "-") == 0)
		return usage(tool, "the plan must be a file: the program reads standard input");
	return 0;
}

int pl_starter_become(const char *tool, char *const *command)
{
	int code;

	execvp(command[0], command);
	code = errno;
	pl_tool_say(tool, "cannot run %s: %s", command[0], strerror(code));
	return code == ENOENT ? PL_STARTER_NOT_FOUND : PL_STARTER_NOT_EXECUTABLE;
}

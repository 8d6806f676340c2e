/* SPDX-License-Identifier: BSD-3-Clause */
/* verbs.c - tools whose first argument says what to do */
#include "config.h"

#include "src/common/verbs.h"

#include "src/common/tool.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define LIST_CHARS 256

char **pl_verb_skip(char **argv)
{
	static char call[PATH_MAX];

	snprintf(call, sizeof(call), "%s %s", argv[0], argv[1]);
	argv[1] = call;
	return argv + 1;
}

/* "need, levels or cost" */
static void list(char text[LIST_CHARS], const struct pl_verb *verbs)
{
	size_t len = 0;

	for (size_t i = 0; verbs[i].name && len < LIST_CHARS; i++)
		len += (size_t)snprintf(text + len, LIST_CHARS - len, "%s%s",
					i == 0              ? ""
					: verbs[i + 1].name ? ", "
							    : " or ",
					verbs[i].name);
}

int pl_verb_main(const char *tool, const struct pl_verb *verbs, const char *help, int argc,
		 char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	char names[LIST_CHARS];

	pl_tool_begin();
	for (size_t i = 0; verbs[i].name; i++)
		if (strcmp(verb, verbs[i].name) == 0)
			return verbs[i].run(argc - 1, pl_verb_skip(argv));
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0)
		return pl_tool_help(tool, help);
	if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0)
		return pl_tool_version(tool);
	list(names, verbs);
	return pl_tool_usage(tool, "%s is wanted, not \"%s\"", names, verb);
}

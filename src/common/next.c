/* SPDX-License-Identifier: BSD-3-Clause */
/* next.c - the command with which a user goes on */
#include "config.h"

#include "src/common/next.h"

#include "base/text/shell.h"
#include "base/text/words.h"
#include "src/common/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The option that @word is. It was parsed before and may be abbreviated. */
static const struct pl_option *option_of(const struct pl_option *table, const char *word)
{
	const size_t len = strcspn(word + 2, "=");
	const struct pl_option *o;

	if (word[1] == '-') {
		o = pl_option_named(table, word + 2, len);
		if (o)
			return o;
	}
	for (o = table; o->name; o++)
		if (word[1] == '-' ? !strncmp(o->name, word + 2, len) : o->letter == word[1])
			break;
	return o;
}

static bool is_among(const char *name, const char *const *names, int step)
{
	for (; name && names && *names; names += step)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* The caller frees it; NULL: out of memory. */
static char *make_command(const struct pl_next *next, const char *const *with,
			  const char *const *without)
{
	struct pl_words words = {0};
	char *command = NULL, option[80];
	int i = 1;

	pl_words_add(&words, next->argv[0]);
	while (i < next->n && strcmp(next->argv[i], "--") != 0) {
		const char *word = next->argv[i];
		const struct pl_option *o = option_of(next->table, word);
		const char *inside = word[1] == '-' ? strchr(word, '=') : &word[2];
		const int n = 1 + (o->has_arg == required_argument && !(inside && *inside));

		if (!is_among(o->name, with, 2) && !is_among(o->name, without, 1))
			pl_words_add_all(&words, &next->argv[i], (size_t)n);
		i += n;
	}
	for (; with && *with; with += 2) {
		snprintf(option, sizeof(option), "--%s", with[0]);
		if (with[1])
			pl_words_add_pair(&words, option, with[1]);
		else
			pl_words_add(&words, option);
	}
	for (; next->argv[i]; i++)
		pl_words_add(&words, next->argv[i]);
	if (!words.failed)
		command = pl_shell_command(words.v);
	pl_words_fini(&words);
	return command;
}

void pl_next_say(const char *tool, const char *what, const struct pl_next *next,
		 const char *const *with, const char *const *without)
{
	char *command = make_command(next, with, without);
	bool again = false;

	for (int i = next->n; next->argv[i]; i++)
		again = again || !strcmp(next->argv[i], "-");
	if (command)
		pl_tool_say(tool, "%s%s: %s", what, again ? " (with the same standard input)" : "",
			    command);
	free(command);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* commands.c - a shell's text, command by command */
#include "config.h"

#include "src/exec/commands.h"

#include <stdlib.h>
#include <string.h>

/* What stands between simple commands, and between words. */
static const char between[] = "\n;|&()`";
static const char blanks[] = " \t\r";

int pl_commands_init(struct pl_commands *commands, const char *text, struct pl_err *err)
{
	*commands = (struct pl_commands){.s = text, .line = 1, .at = 1};
	commands->word = malloc(strlen(text) + 1);
	return commands->word ? 0 : pl_err_nomem(err);
}

void pl_commands_fini(struct pl_commands *commands)
{
	free(commands->word);
}

/* The next character, which a backslash may stand before; '\0': a line that goes on, or the end. */
static char take(struct pl_commands *commands)
{
	const bool escaped = *commands->s == '\\' && commands->s[1];
	const char c = *(commands->s += escaped);

	commands->at += c == '\n';
	commands->s += c != '\0';
	return escaped && c == '\n' ? '\0' : c;
}

static void take_quoted(struct pl_commands *commands, char **to)
{
	const char quote = take(commands);

	while (*commands->s && *commands->s != quote) {
		char c;

		if (quote == '\'') {
			c = *commands->s++;
			commands->at += c == '\n';
		} else {
			c = take(commands);
		}
		if (c)
			*(*to)++ = c;
	}
	commands->s += *commands->s != '\0';
}

/* Passes over blanks, lines that go on, and a comment up to its line's end. */
static void skip(struct pl_commands *commands)
{
	for (;;) {
		commands->s += strspn(commands->s, blanks);
		if (strncmp(commands->s, "\\\n", 2) != 0)
			break;
		take(commands);
	}
	if (*commands->s == '#')
		commands->s += strcspn(commands->s, "\n");
}

/* Reads a word to commands->word; false at the end of the command. */
static bool take_word(struct pl_commands *commands)
{
	char *to = commands->word;

	skip(commands);
	if (!*commands->s || strchr(between, *commands->s))
		return false;
	while (*commands->s && !strchr(between, *commands->s) && !strchr(blanks, *commands->s)) {
		if (*commands->s == '\'' || *commands->s == '"') {
			take_quoted(commands, &to);
		} else {
			const char c = take(commands);

			if (c)
				*to++ = c;
		}
	}
	*to = '\0';
	return true;
}

bool pl_commands_next(struct pl_commands *commands, struct pl_words *words)
{
	pl_words_fini(words);
	for (;;) {
		skip(commands);
		if (!*commands->s || !strchr(between, *commands->s))
			break;
		take(commands);
	}
	commands->line = commands->at;
	while (take_word(commands))
		pl_words_add(words, commands->word);
	return words->n > 0 && !words->failed;
}

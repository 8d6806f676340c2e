/* SPDX-License-Identifier: BSD-3-Clause */
/* shell.c - words and commands quoted for a shell */
#include "config.h"

#include "base/text/shell.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Room for a word: ' becomes '\'', and quotes stand around it. */
#define GROWTH 4
#define AROUND 3

static char *put(char *to, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
	const bool bare = *word && strspn(word, plain) == strlen(word);

	if (!bare)
		*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'') {
			memcpy(to, "'\\'", 3);
			to += 3;
		}
		*to++ = *word;
	}
	if (!bare)
		*to++ = '\'';
	return to;
}

char *pl_shell_command(char *const *argv)
{
	size_t room = 1;
	char *command, *to;

	for (size_t i = 0; argv[i]; i++) {
		const size_t len = strlen(argv[i]);

		if (len > (SIZE_MAX / 2 - room) / GROWTH - AROUND)
			return NULL;
		room += GROWTH * len + AROUND;
	}
	command = to = pl_array_create(room, 1);
	if (!command)
		return NULL;
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			*to++ = ' ';
		to = put(to, argv[i]);
	}
	*to = '\0';
	return command;
}

char *pl_shell_quote(const char *word)
{
	char *const argv[] = {(char *)(uintptr_t)word, NULL};

	return pl_shell_command(argv);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - which program a command line runs */
#include "config.h"

#include "src/exec/program.h"

#include <stdio.h>
#include <string.h>

const char *pl_program_name(char *const *command)
{
	const char *slash = strrchr(command[0], '/');

	return slash ? slash + 1 : command[0];
}

/* Reads Python's options in one word, as "-um"; does one of them say what to run? Behind these
 * stands a value, in that word or the next. */
static bool take_python(char *const *command, struct pl_program_run *run)
{
	for (const char *s = command[run->n] + 1; *s; s++) {
		const char *value = s[1] ? s + 1 : command[run->n + 1];

		if (!strchr("cmWX", *s))
			continue;
		if (!s[1] && value)
			run->n++;
		if (*s == 'c')
			run->text = value;
		else if (*s == 'm')
			run->module = value;
		return *s == 'c' || *s == 'm';
	}
	return false;
}

bool pl_program_python(char *const *command, struct pl_program_run *run)
{
	*run = (struct pl_program_run){.n = 1};
	if (strncmp(pl_program_name(command), "python", 6) != 0)
		return false;
	for (; command[run->n] && command[run->n][0] == '-'; run->n++) {
		const char *word = command[run->n];

		if (strcmp(word, "--check-hash-based-pycs") == 0) {
			run->n += command[run->n + 1] != NULL;
		} else if (word[1] != '-' && take_python(command, run)) {
			run->n++;
			return true;
		}
	}
	run->script = command[run->n];
	run->n += run->script != NULL;
	return true;
}

static bool is_shell(const char *name)
{
	static const char *const shells[] = {"sh", "bash", "dash", "ash", "ksh", "zsh"};

	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++)
		if (strcmp(name, shells[i]) == 0)
			return true;
	return false;
}

/* Do a shell's options in this word have a value in the next? */
static bool takes_next(const char *word)
{
	if (strncmp(word, "--", 2) == 0)
		return strcmp(word, "--rcfile") == 0 || strcmp(word, "--init-file") == 0;
	return strpbrk(word, "oO");
}

bool pl_program_shell(char *const *command, struct pl_program_run *run)
{
	bool is_text = false;
	const char *word;

	*run = (struct pl_program_run){.n = 1};
	if (!is_shell(pl_program_name(command)))
		return false;
	while ((word = command[run->n]) && (*word == '-' || *word == '+')) {
		run->n++;
		if (strcmp(word, "--") == 0 || strcmp(word, "-") == 0)
			break;
		is_text |= word[0] == '-' && word[1] != '-' && strchr(word, 'c');
		run->n += takes_next(word) && command[run->n];
	}
	*(is_text ? &run->text : &run->script) = command[run->n];
	run->n += command[run->n] != NULL;
	return true;
}

bool pl_program_is_script(const char *path)
{
	char line[256] = "", *word, *rest = line + 2;
	FILE *f = fopen(path, "re");
	bool is = false;

	if (!f)
		return false;
	if (fgets(line, sizeof(line), f) && strncmp(line, "#!", 2) == 0)
		while (!is && (word = strsep(&rest, " \t\n"))) {
			char *const command[] = {word, NULL};

			is = is_shell(pl_program_name(command));
		}
	fclose(f);
	return is;
}

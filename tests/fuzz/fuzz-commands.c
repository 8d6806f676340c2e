/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-commands.c - any text as a shell's: all of it is read */
#include "config.h"

#include "src/exec/commands.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	struct pl_commands commands;
	struct pl_words words = {0};
	long n = 0, lines = 1;

	if (!text || pl_commands_init(&commands, text, NULL))
		abort();
	while (pl_commands_next(&commands, &words))
		n++;
	for (const char *s = text; *s; s++)
		lines += *s == '\n';
	if (*commands.s || commands.line > lines || n > (long)size)
		abort();
	pl_words_fini(&words);
	pl_commands_fini(&commands);
	free(text);
	return 0;
}

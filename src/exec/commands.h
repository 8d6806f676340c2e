/* SPDX-License-Identifier: BSD-3-Clause */
/* commands.h - the commands in a shell's text */
#ifndef PLINK_SRC_EXEC_COMMANDS_H
#define PLINK_SRC_EXEC_COMMANDS_H

#include "base/err.h"
#include "base/text/words.h"

#include <stdbool.h>

/* What is read next, and where; borrows the text. Start with init, end with fini. */
struct pl_commands {
	const char *s;
	long line;  /* that of the first word of the last command */
	long at;    /* that of @s */
	char *word; /* room for any word of the text */
};

/* 0, or -1 with @err set: out of memory. */
int pl_commands_init(struct pl_commands *commands, const char *text, struct pl_err *err);

/*
 * The words of the next simple command, in place of those in @words; false at the end, or when
 * words->failed is set. Quotes are taken away, variables stay as they are ("$RANK"). What a
 * here-document or a substitution outside of quotes holds counts as commands, and so does what a
 * keyword begins ("then torchrun").
 */
bool pl_commands_next(struct pl_commands *commands, struct pl_words *words);

void pl_commands_fini(struct pl_commands *commands);

#endif

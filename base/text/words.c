/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c - a command line that grows */
#include "config.h"

#include "base/text/words.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Takes over @word, which is NULL where memory ran out. */
static void add_take(struct pl_words *words, char *word)
{
	/* room for the NULL, too */
	if (!word || words->failed ||
	    pl_array_grow((void **)&words->v, &words->room, words->n + 1, sizeof(*words->v))) {
		free(word);
		words->failed = true;
		return;
	}
	words->v[words->n++] = word;
	words->v[words->n] = NULL;
}

void pl_words_add(struct pl_words *words, const char *word)
{
	add_take(words, pl_string_copy(word, strlen(word)));
}

void pl_words_add_all(struct pl_words *words, char *const *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pl_words_add(words, from[i]);
}

void pl_words_add_pair(struct pl_words *words, const char *name, const char *value)
{
	const size_t len = strlen(name), room = len + strlen(value) + 2;
	char *pair = malloc(room);

	if (pair) {
		memcpy(pair, name, len);
		pair[len] = '=';
		memcpy(pair + len + 1, value, room - len - 1);
	}
	add_take(words, pair);
}

void pl_words_fini(struct pl_words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->v[i]);
	free(words->v);
	*words = (struct pl_words){0};
}

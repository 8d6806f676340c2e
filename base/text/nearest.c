/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.c - the name that was probably meant */
#include "config.h"

#include "base/text/names.h"

#include <string.h>

#define WORD_MAX 64

/* How many characters must be put in, left out or changed to make @a of @b (Levenshtein); both have
 * less than WORD_MAX. */
static size_t n_edits(const char *a, const char *b)
{
	size_t row[WORD_MAX], before, above, least;

	for (size_t j = 0; j <= strlen(b); j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		before = row[0]++;
		for (size_t j = 0; b[j]; j++) {
			above = row[j + 1];
			least = before + (a[i] != b[j]);
			if (above + 1 < least)
				least = above + 1;
			if (row[j] + 1 < least)
				least = row[j] + 1;
			row[j + 1] = least;
			before = above;
		}
	}
	return row[strlen(b)];
}

const char *pl_nearest(const char *word, const void *first, size_t size, size_t n)
{
	size_t edits, least = (strlen(word) + 2) / 3;
	const char *name, *found = NULL;

	for (size_t i = 0; i < n && strlen(word) < WORD_MAX; i++) {
		memcpy(&name, (const char *)first + i * size, sizeof(name));
		edits = n_edits(word, name);
		if (edits < least + !found) {
			least = edits;
			found = name;
		}
	}
	return found;
}

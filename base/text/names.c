/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - which index a name has, among thousands */
#include "config.h"

#include "base/text/names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct named {
	const char *s;
	size_t len, index;
};

/* Any total order will do: lengths first saves most comparisons. */
static int compare(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->s, y->s, x->len);
}

int pl_names_add(struct pl_names *names, const char *s, size_t len, size_t index)
{
	struct named *entry = malloc(sizeof(*entry));
	struct named *const *found;

	if (!entry)
		return -1;
	*entry = (struct named){.s = s, .len = len, .index = index};
	found = tsearch(entry, &names->root, compare);
	if (found && *found == entry)
		return 0;
	free(entry);
	return found ? 1 : -1;
}

ptrdiff_t pl_names_find(const struct pl_names *names, const char *s, size_t len)
{
	const struct named key = {.s = s, .len = len};
	struct named *const *found = tfind(&key, &names->root, compare);

	return found ? (ptrdiff_t)(*found)->index : -1;
}

void pl_names_fini(struct pl_names *names)
{
	while (names->root) {
		struct named *entry = *(struct named **)names->root;

		tdelete(entry, &names->root, compare);
		free(entry);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - lists of host names in bracket notation: n[1-4],login */
#include "config.h"

#include "topology/told/names.h"

#include "src/hosts.h"

#include <string.h>

void pl_told_names_init(struct pl_told_names *names, const struct pl_word *list)
{
	*names = (struct pl_told_names){.list = *list};
}

/* Where the pattern that starts at @from ends: at a comma outside of brackets. */
static size_t pattern_end(const struct pl_word *list, size_t from)
{
	int depth = 0;
	size_t i;

	for (i = from; i < list->len; i++) {
		const char c = list->s[i];

		depth += (c == '[') - (c == ']');
		if (c == ',' && depth <= 0)
			break;
	}
	return i;
}

/* Begins the next pattern of the list. */
static int begin(struct pl_told_names *names, struct pl_err *err)
{
	const struct pl_word *list = &names->list;
	const size_t end = pattern_end(list, names->pos);

	names->place = list->place;
	names->place.col += (long)names->pos;
	if (pl_hostrange_init(&names->range, list->s + names->pos,
			      end - names->pos, names->place, err))
		return -1;
	names->pos = end + 1;
	return 0;
}

int pl_told_names_next(struct pl_told_names *names,
		       char name[PL_HOSTRANGE_CHARS + 1], struct pl_err *err)
{
	const char *fault;
	size_t at;

	if (names->range.count == 0) {
		if (names->pos > names->list.len)
			return 0;
		if (begin(names, err))
			return -1;
	}
	if (!pl_hostrange_next(&names->range, name))
		return 0;
	fault = pl_host_name_fault(name, strlen(name), &at);
	return fault ? pl_err_at(err, names->place, "%s", fault) : 1;
}

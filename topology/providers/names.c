/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - lists of host names in bracket notation: n[1-4],login */
#include "config.h"

#include "topology/providers/names.h"

#include "base/hosts/hosts.h"

#include <string.h>

void pl_provider_names_init(struct pl_provider_names *names, const struct pl_word *list)
{
	*names = (struct pl_provider_names){.list = *list};
}

/* Where the pattern that starts at @from ends: at a comma outside of
 * brackets. */
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

bool pl_provider_is_address(const char *s, size_t len)
{
	size_t i = 1;

	if (len < 4 || s[0] != '[' || s[len - 1] != ']' || !memchr(s, ':', len))
		return false;
	while (i < len - 1 && strchr("0123456789abcdefABCDEF:.", s[i]))
		i++;
	return i == len - 1;
}

/* Begins the next pattern of the list. */
static int begin(struct pl_provider_names *names, struct pl_err *err)
{
	const struct pl_word *list = &names->list;
	const size_t end = pattern_end(list, names->pos);
	const char *s = list->s + names->pos;
	size_t len = end - names->pos;

	names->place = list->place;
	names->place.col += (long)names->pos;
	if (pl_provider_is_address(s, len)) {
		s++;
		len -= 2;
	}
	if (pl_hostrange_init(&names->range, s, len, names->place, err))
		return -1;
	names->pos = end + 1;
	return 0;
}

int pl_provider_names_next(struct pl_provider_names *names, char name[PL_HOSTRANGE_CHARS + 1],
			   struct pl_err *err)
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* why.c - why a host was not found among places, as far as that can be seen */
#include "config.h"

#include "topology/places.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Passes over the zeros in front of a number that has other digits. */
static const char *skip_zeros(const char *s, const char *start)
{
	const bool in_number = s > start && isdigit((unsigned char)s[-1]) != 0;

	while (!in_number && *s == '0' && isdigit((unsigned char)s[1]))
		s++;
	return s;
}

/* Are they the same but for case, zeros and what follows the first dot? */
static bool is_near(const char *a, const char *b)
{
	const char *const a0 = a, *const b0 = b;

	for (;; a++, b++) {
		a = skip_zeros(a, a0);
		b = skip_zeros(b, b0);
		if (!*a || !*b || *a == '.' || *b == '.')
			return (!*a || *a == '.') && (!*b || *b == '.');
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
	}
}

static bool is_address(const char *s)
{
	return strchr(s, ':') || s[strspn(s, "0123456789.")] == '\0';
}

/* A name of the file like one of the host's; NULL: none. */
static const char *near_name(const struct pl_places *p, const struct pl_host *host)
{
	const char *const name[] = {host->name, host->node};

	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; name[i] && k < p->n_aliases; k++)
			if (!is_address(name[i]) && !is_address(p->alias[k].s) &&
			    is_near(name[i], p->alias[k].s))
				return p->alias[k].s;
	return NULL;
}

/* Does the file know its hosts by one name only, an instance id? */
static bool has_ids_only(const struct pl_places *p)
{
	return strcmp(p->form, "ec2") == 0 && p->n_aliases == p->n;
}

const char *pl_places_why(const struct pl_places *p, const struct pl_host *host, ptrdiff_t found,
			  char *buf, size_t room)
{
	const char *near = found == PL_PLACES_NONE ? near_name(p, host) : NULL;

	if (found == PL_PLACES_SEVERAL)
		snprintf(buf, room, "is the name of several hosts there");
	else if (found == PL_PLACES_UNPLACED)
		snprintf(buf, room, "has no place there (no label that says where it is)");
	else if (near)
		snprintf(buf, room, "is not there, but \"%s\" is", near);
	else if (has_ids_only(p))
		snprintf(buf, room,
			 "is not there: it has instance ids only; append what aws ec2 "
			 "describe-instances prints");
	else
		snprintf(buf, room, "is not among its %zu hosts", p->n);
	return buf;
}

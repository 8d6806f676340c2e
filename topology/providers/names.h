/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - lists of host names in bracket notation: n[1-4],login */
#ifndef PLINK_TOPOLOGY_PROVIDERS_NAMES_H
#define PLINK_TOPOLOGY_PROVIDERS_NAMES_H

#include "base/err.h"
#include "base/hosts/hostrange.h"
#include "base/text/text.h"

#include <stdbool.h>

/* A list being expanded; borrows its text. */
struct pl_provider_names {
	struct pl_word list;
	size_t pos;            /* of the next pattern */
	struct pl_place place; /* of the present pattern, for errors */
	struct pl_hostrange range;
};

/* Is it an IPv6 address in brackets, as host lists have it? */
bool pl_provider_is_address(const char *s, size_t len);

/* Starts at the word @list: patterns separated by commas; commas within brackets do not
 * separate. */
void pl_provider_names_init(struct pl_provider_names *names, const struct pl_word *list);

/* Writes the next name and returns 1; 0 at the end; -1 with @err set (PL_EINPUT with line and
 * column) for a malformed pattern. */
int pl_provider_names_next(struct pl_provider_names *names, char name[PL_HOSTRANGE_CHARS + 1],
			   struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* why.h - explains why a host was not found among the places */
#ifndef PLINK_TOPOLOGY_WHY_H
#define PLINK_TOPOLOGY_WHY_H

#include "topology/places.h"

#include <stddef.h>

/*
 * Explains why pl_places_find_host() returned @found (PL_PLACES_NONE or
 * PL_PLACES_SEVERAL) for that host: a name that differs only in case or in
 * zeros, or a file without names of that kind. Fills buf[room] with the end of
 * a sentence that begins with the host's name, and returns buf.
 */
const char *pl_places_why(const struct pl_places *p, const struct pl_host *host,
			  ptrdiff_t found, char *buf, size_t room);

#endif

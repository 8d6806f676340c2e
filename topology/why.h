/* SPDX-License-Identifier: BSD-3-Clause */
/* why.h - why a host was not found among places, as far as that can be seen */
#ifndef PLINK_TOPOLOGY_WHY_H
#define PLINK_TOPOLOGY_WHY_H

#include "topology/places.h"

#include <stddef.h>

/*
 * Why pl_places_find_host() gave @found (PL_PLACES_NONE, PL_PLACES_SEVERAL) for
 * that host: a name that differs in case or in zeros only, a file without any
 * names of that kind. Fills buf[room] with the end of a sentence that starts
 * with the host and returns it.
 */
const char *pl_places_why(const struct pl_places *p, const struct pl_host *host,
			  ptrdiff_t found, char *buf, size_t room);

#endif

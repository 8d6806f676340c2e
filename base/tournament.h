/* SPDX-License-Identifier: BSD-3-Clause */
/* tournament.h - rounds of disjoint pairs in which every host meets every
 * other */
#ifndef PLINK_BASE_TOURNAMENT_H
#define PLINK_BASE_TOURNAMENT_H

#include <stddef.h>
#include <stdint.h>

#define PL_TOURNAMENT_REST SIZE_MAX

/* The number of rounds for @n hosts: n - 1 if n is even, n if it is odd (one host rests in each
 * round), 0 below two hosts. No tournament is shorter. */
size_t pl_tournament_rounds(size_t n);

/*
 * The host that @host < n meets in @round < pl_tournament_rounds(n), or PL_TOURNAMENT_REST. The
 * circle method: with m = n, or n + 1 for odd n, hosts i and j below m - 1 meet when i + j = round
 * (mod m - 1); the host that would meet itself meets host m - 1, which for odd n does not exist: it
 * rests.
 */
size_t pl_tournament_peer(size_t n, size_t round, size_t host);

/* The round in which hosts @a and @b < n, a != b, meet. */
size_t pl_tournament_round(size_t n, size_t a, size_t b);

#endif

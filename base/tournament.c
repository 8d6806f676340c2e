/* SPDX-License-Identifier: BSD-3-Clause */
/* tournament.c - rounds of disjoint pairs in which everyone meets everyone */
#include "config.h"

#include "base/tournament.h"

size_t pl_tournament_rounds(size_t n)
{
	if (n < 2)
		return 0;
	return n % 2 ? n : n - 1;
}

size_t pl_tournament_peer(size_t n, size_t round, size_t host)
{
	const size_t m = n + n % 2, ring = m - 1;
	size_t peer;

	if (host == ring) /* 2 * (m / 2) = 1 (mod m - 1) */
		return round * (m / 2) % ring;
	peer = (round + ring - host) % ring;
	if (peer == host)
		peer = ring;
	return peer < n ? peer : PL_TOURNAMENT_REST;
}

size_t pl_tournament_round(size_t n, size_t a, size_t b)
{
	const size_t ring = n + n % 2 - 1;

	if (a == ring)
		a = b;
	else if (b == ring)
		b = a;
	return (a + b) % ring;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-tournament.c - rounds of disjoint pairs in which everyone meets
 * everyone */
#include "config.h"

#include "base/tournament.h"
#include "tests/tap.h"

#include <stdlib.h>

#define N_MAX 65

/* Faults of one tournament: meetings that are not mutual, with oneself, out of range, or not
 * exactly once; rests that are not one a round for odd n, none for even. */
static int faults(size_t n)
{
	static int met[N_MAX][N_MAX];
	int wrong = 0;

	memset(met, 0, sizeof(met));
	for (size_t r = 0; r < pl_tournament_rounds(n); r++) {
		size_t rests = 0;

		for (size_t i = 0; i < n; i++) {
			const size_t j = pl_tournament_peer(n, r, i);

			if (j == PL_TOURNAMENT_REST) {
				rests++;
				continue;
			}
			if (j >= n || j == i || pl_tournament_peer(n, r, j) != i)
				return 1;
			met[i][j]++;
			wrong += pl_tournament_round(n, i, j) != r;
		}
		wrong += rests != n % 2;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			wrong += met[i][j] != (i != j);
	return wrong;
}

int main(void)
{
	int wrong = 0;

	is_int((int64_t)pl_tournament_rounds(0), 0, "no host: no round");
	is_int((int64_t)pl_tournament_rounds(1), 0, "one host: no round");
	is_int((int64_t)pl_tournament_rounds(2), 1, "two hosts: one round");
	is_int((int64_t)pl_tournament_rounds(3), 3, "three hosts: three");
	is_int((int64_t)pl_tournament_rounds(16), 15, "sixteen hosts: fifteen");
	for (size_t n = 2; n <= N_MAX; n++)
		wrong += faults(n);
	is_int(wrong, 0, "2 to 65 hosts: disjoint pairs, every pair once");
	/* the largest matrix: multiplication must not overflow */
	is_int((int64_t)pl_tournament_peer(16384, 5, pl_tournament_peer(16384, 5, 16383)), 16383,
	       "16384 hosts: mutual");
	return done_testing();
}

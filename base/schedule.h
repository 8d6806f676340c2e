/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h - rounds of disjoint pairs in which every host meets every
 * other */
#ifndef PLINK_BASE_SCHEDULE_H
#define PLINK_BASE_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#define PL_SCHEDULE_REST SIZE_MAX

/* The number of rounds for @n hosts: n - 1 if n is even, n if it is odd (one
 * host rests in each round), 0 below two hosts. No schedule is shorter. */
size_t pl_schedule_rounds(size_t n);

/*
 * The host that @host < n meets in @round < pl_schedule_rounds(n), or
 * PL_SCHEDULE_REST. The circle method: with m = n, or n + 1 for odd n, hosts i
 * and j below m - 1 meet when i + j = round (mod m - 1); the host that would
 * meet itself meets host m - 1, which for odd n does not exist: it rests.
 */
size_t pl_schedule_peer(size_t n, size_t round, size_t host);

/* The round in which hosts @a and @b < n, a != b, meet. */
size_t pl_schedule_round(size_t n, size_t a, size_t b);

#endif

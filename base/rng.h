/* SPDX-License-Identifier: BSD-3-Clause */
/* rng.h - random numbers from PCG (pcg64), the only source of chance in
 * plink */
#ifndef PLINK_BASE_RNG_H
#define PLINK_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* State of a generator; the caller owns it. A copy continues with the same numbers. Not to be
 * shared between threads. */
struct pl_rng {
	uint64_t state[4];
};

/* Starts sequence number @stream of @seed. The sequences of one seed are distinct and independent:
 * give every restart of a search its own. The same seed and stream give the same numbers on every
 * machine. */
void pl_rng_init(struct pl_rng *rng, uint64_t seed, uint64_t stream);

/* 64 uniform bits. */
uint64_t pl_rng_u64(struct pl_rng *rng);

/* Uniform in [0, bound), without bias; bound > 0. */
uint64_t pl_rng_below(struct pl_rng *rng, uint64_t bound);

/* Uniform in [0, 1), 53 bits. */
double pl_rng_double(struct pl_rng *rng);

/* Uniform random permutation of v[n] in place (Fisher-Yates). */
void pl_rng_shuffle(struct pl_rng *rng, size_t *v, size_t n);

#ifdef __cplusplus
}
#endif

#endif

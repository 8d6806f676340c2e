/* SPDX-License-Identifier: BSD-3-Clause */
/* rng.cc - random numbers from PCG: the bridge from its C++ headers to C */
#include "config.h"

#include "base/rng.h"

#include <pcg_random.hpp>

#include <cstring>
#include <new>

static_assert(sizeof(pcg64) <= sizeof(pl_rng), "pl_rng holds a pcg64");

/* The state lives in plain words, so that C may copy it; memcpy keeps the compiler's rules on
 * alignment and aliasing. */
static pcg64 load(const pl_rng *rng)
{
	pcg64 gen;

	std::memcpy(static_cast<void *>(&gen), rng->state, sizeof(gen));
	return gen;
}

static void store(pl_rng *rng, const pcg64 &gen)
{
	std::memcpy(rng->state, static_cast<const void *>(&gen), sizeof(gen));
}

void pl_rng_init(struct pl_rng *rng, uint64_t seed, uint64_t stream)
{
	std::memset(rng, 0, sizeof(*rng));
	store(rng, pcg64(seed, stream));
}

uint64_t pl_rng_u64(struct pl_rng *rng)
{
	pcg64 gen = load(rng);
	const uint64_t x = gen();

	store(rng, gen);
	return x;
}

uint64_t pl_rng_below(struct pl_rng *rng, uint64_t bound)
{
	pcg64 gen = load(rng);
	/* numbers below 2^64 mod bound would favour small results */
	const uint64_t skip = -bound % bound;
	uint64_t x;

	do
		x = gen();
	while (x < skip);
	store(rng, gen);
	return x % bound;
}

double pl_rng_double(struct pl_rng *rng)
{
	return (double)(pl_rng_u64(rng) >> 11) * 0x1p-53;
}

void pl_rng_shuffle(struct pl_rng *rng, size_t *v, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		const size_t j = pl_rng_below(rng, i);
		const size_t t = v[i - 1];

		v[i - 1] = v[j];
		v[j] = t;
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-deal.c - items dealt out to bins, against the best way of all */
#include "config.h"

#include "engine/deal.h"

#include "base/rng.h"
#include "tests/tap.h"

#define ITEMS_MAX 8
#define BINS_MAX 3

static size_t fullest(const size_t *in, size_t n_bins)
{
	size_t most = 0;

	for (size_t k = 0; k < n_bins; k++)
		most = in[k] > most ? in[k] : most;
	return most;
}

/* Of all ways to deal out items i and on to bins that are not empty. */
static size_t best(const size_t *size, size_t i, size_t n, size_t *in, size_t n_bins)
{
	size_t least = SIZE_MAX;

	if (i == n)
		return fullest(in, n_bins);
	for (size_t k = 0; k < n_bins; k++) {
		size_t most;

		in[k] += size[i];
		most = best(size, i + 1, n, in, n_bins);
		in[k] -= size[i];
		least = most < least ? most : least;
	}
	return least;
}

/* The fullest bin of one group, as dealt out. */
static size_t dealt(const size_t *size, const uint8_t *bin, size_t n, size_t n_bins)
{
	size_t in[BINS_MAX] = {0};

	for (size_t i = 0; i < n; i++)
		in[bin[i]] += size[i];
	return fullest(in, n_bins);
}

/* Two groups at once, the items of which stand between one another. */
static bool is_near_best(struct pl_rng *rng, size_t n_bins)
{
	const size_t n = 1 + pl_rng_below(rng, ITEMS_MAX);
	struct pl_deal_item item[2 * ITEMS_MAX];
	uint8_t bin[2 * ITEMS_MAX], of[ITEMS_MAX];
	size_t size[2][ITEMS_MAX];
	bool good = true;

	for (uint32_t i = 0; i < 2 * n; i++) {
		size[i % 2][i / 2] = 1 + pl_rng_below(rng, 20);
		item[i] = (struct pl_deal_item){
			.group = i % 2, .index = i, .size = size[i % 2][i / 2]};
	}
	pl_deal(item, 2 * n, n_bins, bin);
	for (size_t g = 0; g < 2; g++) {
		size_t in[BINS_MAX] = {0};

		for (size_t i = 0; i < n; i++)
			of[i] = bin[2 * i + g];
		/* d / b <= 4/3 - 1 / (3 n_bins) */
		good &= dealt(size[g], of, n, n_bins) * 3 * n_bins <=
			best(size[g], 0, n, in, n_bins) * (4 * n_bins - 1);
	}
	return good;
}

int main(void)
{
	/* the case in which the bound is reached: 11 for 9 */
	const size_t worst[] = {5, 5, 4, 4, 3, 3, 3};
	struct pl_deal_item item[7];
	uint8_t bin[7];
	struct pl_rng rng;
	bool good = true;

	for (uint32_t i = 0; i < 7; i++)
		item[i] = (struct pl_deal_item){.index = i, .size = worst[i]};
	pl_deal(item, 7, 3, bin);
	is_int((int64_t)dealt(worst, bin, 7, 3), 11, "Graham's worst case");
	pl_rng_init(&rng, 1, 1);
	for (int k = 0; k < 600; k++)
		good &= is_near_best(&rng, 2 + pl_rng_below(&rng, BINS_MAX - 1));
	ok(good, "600 cases (seed 1): within 4/3 of the best way");
	return done_testing();
}

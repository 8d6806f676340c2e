/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-shares.c - how much of the buffer each hub and each rank adds up */
#include "config.h"

#include "engine/hub-shares.h"

#include <math.h>
#include <stdbool.h>

#define HALVINGS 60
/* Weights are whole numbers of this part of the buffer. */
#define PARTS 1048576
/* Smaller shares cost more messages than they save bytes. */
#define LEAST_SHARE (1.0 / 256)
/* Of the smallest share; more make more messages. */
#define PIECES_MAX 4
#define EVEN 1.05 /* how much more even pieces must be to be made smaller */

/* What all can add up in that time; fills the shares, which may sum to more than 1. */
static double fill(size_t n_ranks, size_t n_hubs, const double *rate, double time, double *share)
{
	const double n = (double)n_ranks;
	double sum = 0;

	for (size_t i = 0; i < n_ranks + n_hubs; i++) {
		if (i >= n_ranks)
			share[i] = time * rate[i] / n;
		else if (n_ranks > 2)
			share[i] = fmax(0, (time * rate[i] - 1) / (n - 2));
		else /* a share costs a rank nothing */
			share[i] = 1;
		sum += share[i];
	}
	return sum;
}

double pl_hub_shares(size_t n_ranks, size_t n_hubs, const double *rate, double *share)
{
	double least = 0, most, sum;

	for (size_t r = 0; r < n_ranks; r++)
		least = fmax(least, 1 / rate[r]);
	sum = fill(n_ranks, n_hubs, rate, least, share);
	if (sum < 1) {
		for (most = 2 * least; fill(n_ranks, n_hubs, rate, most, share) < 1; most *= 2)
			;
		for (int i = 0; i < HALVINGS; i++) {
			const double middle = (least + most) / 2;

			if (fill(n_ranks, n_hubs, rate, middle, share) < 1)
				least = middle;
			else
				most = middle;
		}
		least = most;
		sum = fill(n_ranks, n_hubs, rate, least, share);
	}
	for (size_t i = 0; i < n_ranks + n_hubs; i++)
		share[i] /= sum;
	return least;
}

/* Everybody sends to @owner, in the first round, and gets the result from it in the second. Pieces
 * of one owner add up in other orders, and so remain slices of their own. */
static int add_slice(struct pl_slices *slices, size_t n_ranks, uint32_t owner, size_t piece,
		     uint64_t weight)
{
	const size_t first = piece + (owner < n_ranks ? owner + 1 : 0);
	struct pl_slice s = {.weight = weight};
	int rc = 0;

	for (uint32_t round = 0; round < 2; round++)
		for (size_t k = 0; rc == 0 && k < n_ranks; k++) {
			const uint32_t r = (uint32_t)((first + k) % n_ranks);
			const struct pl_slice_transfer t = {.round = round,
							    .src = round == 0 ? r : owner,
							    .dst = round == 0 ? owner : r,
							    .adds = round == 0};

			if (r != owner)
				rc = pl_slice_append(&s, t);
		}
	if (rc == 0)
		rc = pl_slices_add_take(slices, &s, PL_SLICE_ALL);
	if (rc)
		pl_slice_fini(&s);
	return rc;
}

static size_t pieces_of(double share, double piece)
{
	return share < LEAST_SHARE ? 0 : (size_t)fmax(1, round(share / piece));
}

/* How much larger the largest piece is than the smallest one. */
static double unevenness(size_t n, const double *share, double piece)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t pieces = pieces_of(share[i], piece);

		if (pieces > 0) {
			least = fmin(least, share[i] / (double)pieces);
			most = fmax(most, share[i] / (double)pieces);
		}
	}
	return most / least;
}

/* The size of pieces for shares that are taken. Ranks begin chunks of all slices in turn: slices of
 * one size keep all cards busy to the end. */
static double choose_piece(size_t n, const double *share, size_t slices_max)
{
	double least = 1, best = 1;

	for (size_t i = 0; i < n; i++)
		if (share[i] >= LEAST_SHARE)
			least = fmin(least, share[i]);
	for (int parts = 1; parts <= PIECES_MAX; parts++) {
		const double piece = least / parts;

		if (parts > 1 && 1 / piece > (double)slices_max)
			break;
		if (parts == 1 || unevenness(n, share, piece) * EVEN < unevenness(n, share, best))
			best = piece;
	}
	return best;
}

int pl_hub_slices(struct pl_slices *slices, size_t n_ranks, size_t n_hubs, const double *share,
		  size_t slices_max, struct pl_err *err)
{
	const size_t n = n_ranks + n_hubs;
	const double piece = choose_piece(n, share, slices_max);
	bool more = true;

	for (size_t k = 0; more; k++) {
		more = false;
		for (size_t i = n; i-- > 0;) {
			const size_t pieces = pieces_of(share[i], piece);
			const double part = share[i] / (double)pieces;

			if (k >= pieces)
				continue;
			more = true;
			if (add_slice(slices, n_ranks, (uint32_t)i, k,
				      (uint64_t)lround(part * PARTS)) == 0)
				continue;
			pl_slices_fini(slices);
			return pl_err_nomem(err);
		}
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* embed-gradient.c - the loss of an embedding, and its gradient */
#include "config.h"

#include "topology/embed-gradient.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK PL_FIT_BLOCK

/* Added to squared distances: hosts in one place have a direction, too. */
#define SOFT 1e-12

/* The pairs of one host with a block of others. */
struct block {
	double diff[PL_EMBED_DIMENSIONS_MAX][BLOCK];
	double square[BLOCK]; /* of the distance */
	double power[BLOCK];  /* of the distance: alpha */
	double slope[BLOCK];  /* of the loss by height; then by place */
};

/* Sums over a row, one for each place in a block. */
struct lanes {
	double loss[BLOCK];
	double height[BLOCK];
	double at[PL_EMBED_DIMENSIONS_MAX][BLOCK];
};

double pl_fit_power(double square, unsigned eighths)
{
	double root = square, power = 1;

	/* the 16 eighths of alpha 2 are the square itself, 8 its root, ... */
	for (unsigned bit = 16; bit; bit /= 2) {
		if (eighths & bit)
			power *= root;
		if (!(eighths & (bit - 1)))
			break;
		root = sqrt(root);
	}
	return power;
}

/* The same of a block. */
static void raise_block(struct block *k, unsigned eighths)
{
	double root[BLOCK];

	memcpy(root, k->square, sizeof(root));
	for (size_t b = 0; b < BLOCK; b++)
		k->power[b] = 1;
	for (unsigned bit = 16; bit; bit /= 2) {
		if (eighths & bit)
			for (size_t b = 0; b < BLOCK; b++)
				k->power[b] *= root[b];
		if (eighths & (bit - 1))
			for (size_t b = 0; b < BLOCK; b++)
				root[b] = sqrt(root[b]);
	}
}

/* Host a against the block at x. */
static void measure_block(const struct pl_embed_fit *f, const double *x, size_t a, size_t first,
			  struct block *k)
{
	for (size_t b = 0; b < BLOCK; b++)
		k->square[b] = SOFT;
	for (size_t d = 0; d < f->dimensions; d++) {
		const double *at = x + d * f->room;

		for (size_t b = 0; b < BLOCK; b++) {
			k->diff[d][b] = at[a] - at[first + b];
			k->square[b] += k->diff[d][b] * k->diff[d][b];
		}
	}
	raise_block(k, f->eighths);
}

/* The errors in the block, and the gradient of the loss. */
static void judge_block(const struct pl_embed_fit *f, const double *x, size_t a, size_t first,
			struct block *k, struct lanes *sum)
{
	const double *height = x + f->dimensions * f->room;
	const float *want = f->distance + f->row[a] + first;
	const float *weight = f->weight + f->row[a] + first;

	for (size_t b = 0; b < BLOCK; b++) {
		const double off = k->power[b] + height[a] + height[first + b] - (double)want[b];
		const double least = off < f->bend ? off : f->bend;
		const double bent = least > -f->bend ? least : -f->bend;
		const double pull = (double)weight[b] * bent;

		sum->loss[b] += pull * (2 * off - bent);
		sum->height[b] += 2 * pull;
		k->slope[b] = 2 * pull;
	}
}

/* Adds the block's part of the gradient to both ends. */
static void pull_block(const struct pl_embed_fit *f, size_t first, struct block *k,
		       struct lanes *sum, double *gradient)
{
	double *height = gradient + f->dimensions * f->room + first;
	const double alpha = (double)f->eighths / 8;

	for (size_t b = 0; b < BLOCK; b++) {
		height[b] += k->slope[b];
		k->slope[b] *= alpha * k->power[b] / k->square[b];
	}
	for (size_t d = 0; d < f->dimensions; d++) {
		double *there = gradient + d * f->room + first;

		for (size_t b = 0; b < BLOCK; b++) {
			const double pull = k->slope[b] * k->diff[d][b];

			sum->at[d][b] += pull;
			there[b] -= pull;
		}
	}
}

static double add_up(const double *lane)
{
	double sum = 0;

	for (size_t b = 0; b < BLOCK; b++)
		sum += lane[b];
	return sum;
}

static double gradient_rows(const struct pl_embed_fit *f, const double *x, double *gradient)
{
	double loss = 0;

	for (size_t a = 1; a < f->n; a++) {
		struct lanes sum = {0};
		struct block k;

		for (size_t first = 0; first < a; first += BLOCK) {
			measure_block(f, x, a, first, &k);
			judge_block(f, x, a, first, &k, &sum);
			pull_block(f, first, &k, &sum, gradient);
		}
		for (size_t d = 0; d < f->dimensions; d++)
			gradient[d * f->room + a] += add_up(sum.at[d]);
		gradient[f->dimensions * f->room + a] += add_up(sum.height);
		loss += add_up(sum.loss);
	}
	return loss;
}

/* One pair of the list: coordinates and height of a host lie side by side. */
static double pull_pair(const struct pl_embed_fit *f, const struct pl_measured_pair *pair,
			const double *x, double *gradient)
{
	const size_t n_dims = f->dimensions;
	const double *a = x + pair->a * (n_dims + 1);
	const double *b = x + pair->b * (n_dims + 1);
	double *to_a = gradient + pair->a * (n_dims + 1);
	double *to_b = gradient + pair->b * (n_dims + 1);
	double square = SOFT, power, off, bent, pull;

	for (size_t d = 0; d < n_dims; d++)
		square += (a[d] - b[d]) * (a[d] - b[d]);
	power = pl_fit_power(square, f->eighths);
	off = power + a[n_dims] + b[n_dims] - pair->distance;
	bent = off < f->bend ? off : f->bend;
	bent = bent > -f->bend ? bent : -f->bend;
	pull = 2 * pair->weight * bent;
	to_a[n_dims] += pull;
	to_b[n_dims] += pull;
	pull *= (double)f->eighths / 8 * power / square;
	for (size_t d = 0; d < n_dims; d++) {
		to_a[d] += pull * (a[d] - b[d]);
		to_b[d] -= pull * (a[d] - b[d]);
	}
	return pair->weight * bent * (2 * off - bent);
}

static double gradient_list(const struct pl_embed_fit *f, const double *x, double *gradient)
{
	const size_t n_each = f->dimensions + 1;
	double *near = f->by_host, *pulls = f->by_host + f->n * n_each;
	double loss = 0;

	for (size_t h = 0; h < f->n; h++)
		for (size_t d = 0; d < n_each; d++)
			near[h * n_each + d] = x[d * f->room + h];
	memset(pulls, 0, f->n * n_each * sizeof(*pulls));
	for (size_t p = 0; p < f->n_pairs; p++)
		loss += pull_pair(f, &f->pair[p], near, pulls);
	for (size_t h = 0; h < f->n; h++)
		for (size_t d = 0; d < n_each; d++)
			gradient[d * f->room + h] = pulls[h * n_each + d];
	return loss;
}

/* By how much the embedding places hosts a and b too far apart. */
static double off_by(const struct pl_embed_fit *f, const double *x, size_t a, size_t b, double want)
{
	const double *height = x + f->dimensions * f->room;
	double square = SOFT;

	for (size_t d = 0; d < f->dimensions; d++) {
		const double diff = x[d * f->room + a] - x[d * f->room + b];

		square += diff * diff;
	}
	return pl_fit_power(square, f->eighths) + height[a] + height[b] - want;
}

/* Every k-th of the pairs in rows. */
static size_t sample_rows(const struct pl_embed_fit *f, const double *x, double *off)
{
	const size_t step = f->n * (f->n - 1) / 2 / PL_FIT_SAMPLE + 1;
	size_t turn = 0, n = 0;

	for (size_t a = 1; a < f->n; a++)
		for (size_t b = 0; b < a; b++) {
			const size_t cell = f->row[a] + b;

			if (turn++ % step == 0 && f->weight[cell] > 0)
				off[n++] = fabs(off_by(f, x, a, b, f->distance[cell]));
		}
	return n;
}

static size_t sample_list(const struct pl_embed_fit *f, const double *x, double *off)
{
	const size_t step = f->n_pairs / PL_FIT_SAMPLE + 1;
	size_t n = 0;

	for (size_t p = 0; p < f->n_pairs; p += step)
		if (f->pair[p].weight > 0)
			off[n++] =
				fabs(off_by(f, x, f->pair[p].a, f->pair[p].b, f->pair[p].distance));
	return n;
}

double pl_fit_median_off(const struct pl_embed_fit *f, const double *x, double *off)
{
	return pl_median(off, f->row ? sample_rows(f, x, off) : sample_list(f, x, off));
}

double pl_fit_gradient(const struct pl_embed_fit *f, const double *x, double *gradient)
{
	memset(gradient, 0, (f->dimensions + 1) * f->room * sizeof(*gradient));
	return f->row ? gradient_rows(f, x, gradient) : gradient_list(f, x, gradient);
}

/* Mean distance; weights are ignored, because they may depend on it. */
static void scale(struct pl_embed_fit *f, const struct pl_measured_pair *pair, size_t n_pairs)
{
	double sum = 0;

	for (size_t p = 0; p < n_pairs; p++) {
		sum += pair[p].distance;
		f->weight_sum += pair[p].weight;
	}
	f->unit = sum > 0 ? sum / (double)n_pairs : 1;
}

/* Both directions of a pair share a place: their weighted mean, and what they differ by only adds a
 * constant to the loss. */
static void fill_rows(struct pl_embed_fit *f, const struct pl_measured_pair *pair, size_t n_pairs)
{
	for (size_t p = 0; p < n_pairs; p++) {
		const size_t a = pair[p].a > pair[p].b ? pair[p].a : pair[p].b;
		const size_t b = pair[p].a > pair[p].b ? pair[p].b : pair[p].a;
		const size_t cell = f->row[a] + b;

		f->distance[cell] += (float)(pair[p].weight * pair[p].distance / f->unit);
		f->weight[cell] += (float)pair[p].weight;
	}
	for (size_t k = 0; k < f->row[f->n]; k++)
		if (f->weight[k] > 0)
			f->distance[k] /= f->weight[k];
}

static int make_rows(struct pl_embed_fit *f)
{
	f->row = pl_array_create(f->n + 1, sizeof(*f->row));
	if (!f->row)
		return -1;
	for (size_t a = 0; a < f->n; a++)
		f->row[a + 1] = f->row[a] + (a + BLOCK - 1) / BLOCK * BLOCK;
	f->distance = pl_array_create(f->row[f->n], sizeof(*f->distance));
	f->weight = pl_array_create(f->row[f->n], sizeof(*f->weight));
	return f->distance && f->weight ? 0 : -1;
}

static int make_list(struct pl_embed_fit *f, const struct pl_measured_pair *pair, size_t n_pairs)
{
	f->pair = pl_array_create(n_pairs, sizeof(*f->pair));
	f->by_host = pl_array_create(f->n * (f->dimensions + 1), 2 * sizeof(*f->by_host));
	if (!f->pair || !f->by_host)
		return -1;
	f->n_pairs = n_pairs;
	memcpy(f->pair, pair, n_pairs * sizeof(*pair));
	for (size_t p = 0; p < n_pairs; p++)
		f->pair[p].distance /= f->unit;
	return 0;
}

int pl_fit_init(struct pl_embed_fit *f, size_t n, const struct pl_measured_pair *pair,
		size_t n_pairs, struct pl_err *err)
{
	f->n = n;
	f->room = (n + BLOCK - 1) / BLOCK * BLOCK;
	scale(f, pair, n_pairs);
	f->bend = INFINITY;
	if (n_pairs < n * n / 8) { /* a pair in rows takes a quarter as long */
		if (make_list(f, pair, n_pairs))
			return pl_err_nomem(err);
		return 0;
	}
	if (make_rows(f))
		return pl_err_nomem(err);
	fill_rows(f, pair, n_pairs);
	return 0;
}

/* What its weight is multiplied with where the embedding has it at @said. */
static double even(double want, double said)
{
	const double least = 1 / (PL_FIT_UNEVEN * PL_FIT_UNEVEN);
	double square;

	if (!(said > want)) /* also of nothing at all */
		return 1;
	square = want / said * (want / said);
	return square > least ? square : least;
}

void pl_fit_reweigh(struct pl_embed_fit *f, const double *x)
{
	f->weight_sum = 0;
	for (size_t p = 0; p < f->n_pairs; p++) {
		struct pl_measured_pair *pair = &f->pair[p];
		const double off = off_by(f, x, pair->a, pair->b, pair->distance);

		pair->weight *= even(pair->distance, pair->distance + off);
		f->weight_sum += pair->weight;
	}
	for (size_t a = 1; f->row && a < f->n; a++)
		for (size_t b = 0; b < a; b++) {
			const size_t cell = f->row[a] + b;
			const double want = (double)f->distance[cell];
			const double off = off_by(f, x, a, b, want);

			f->weight[cell] *= (float)even(want, want + off);
			f->weight_sum += (double)f->weight[cell];
		}
}

void pl_fit_fini(struct pl_embed_fit *f)
{
	free(f->row);
	free(f->distance);
	free(f->weight);
	free(f->pair);
	free(f->by_host);
	memset(f, 0, sizeof(*f));
}

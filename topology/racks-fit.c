/* SPDX-License-Identifier: BSD-3-Clause */
/* racks-fit.c - means within and between parts, and what each host adds to its own cells */
#include "config.h"

#include "base/mem.h"
#include "base/stats.h"
#include "topology/racks-part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE PL_PARTING_SAMPLE

/* In spreads: larger deviations count as this one; below the mean, as that many times it. */
#define CLIP 3.0
#define CLIPS_BELOW 3.0

/* A median of what is off, of normal numbers, is this much of their spread. */
#define MEDIAN_SPREAD 0.6745

enum { ROUNDS = 3, SHARES_LEAST = 4 };

double pl_parting_clip(const struct pl_parting *t)
{
	return CLIP * t->fit.spread;
}

double pl_parting_square(double off, double clip)
{
	off = fmin(fmax(off, -CLIPS_BELOW * clip), clip);
	return off * off;
}

/* Which mean stands for a cell. */
static size_t which(const struct pl_parting *t, const struct pl_part_fit *f, size_t i, size_t j)
{
	return f->parted ? t->part[i] != t->part[j] : t->whole[i];
}

static void take_shares(struct pl_parting *t)
{
	const size_t m = t->m;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < m; j++)
			t->cell[i * m + j] =
				t->raw[i * m + j] - (float)(t->fit.share[i] + t->fit.share[j]);
}

/* Median of a sample of the cells that mean w stands for, NaN where there are none. */
static double median(struct pl_parting *t, size_t w)
{
	const size_t m = t->m, step = m * (m - 1) / 2 / SAMPLE + 1;
	size_t turn = 0, n = 0;

	for (size_t i = 1; i < m; i++)
		for (size_t j = 0; j < i; j++)
			if (!isnan(t->cell[i * m + j]) && which(t, &t->fit, i, j) == w &&
			    turn++ % step == 0)
				t->sample[n++] = (double)t->cell[i * m + j];
	return pl_median(t->sample, n);
}

/* Median of the deviations of a sample of all cells. */
static double median_off(struct pl_parting *t)
{
	const size_t m = t->m, step = m * (m - 1) / 2 / SAMPLE + 1;
	size_t turn = 0, n = 0;

	for (size_t i = 1; i < m; i++)
		for (size_t j = 0; j < i; j++)
			if (!isnan(t->cell[i * m + j]) && turn++ % step == 0)
				t->sample[n++] = fabs((double)t->cell[i * m + j] -
						      t->fit.mean[which(t, &t->fit, i, j)]);
	return n ? pl_median(t->sample, n) : 0;
}

/* By squares, and by what is expected. */
static double spread(const struct pl_parting *t, double squares, double n)
{
	return sqrt((squares + t->usual_cells * t->usual * t->usual) / (n + t->usual_cells));
}

/* Medians for means. Of several wholes they are known. */
static void begin(struct pl_parting *t)
{
	const double n = (double)t->m * (double)(t->m - 1) / 2;
	double off;

	if (t->fit.parted || t->n_wholes == 1)
		t->fit.mean[0] = median(t, 0);
	if (t->fit.parted) {
		t->fit.mean[1] = median(t, 1);
		if (isnan(t->fit.mean[0]))
			t->fit.mean[0] = t->fit.mean[1];
		if (isnan(t->fit.mean[1]))
			t->fit.mean[1] = t->fit.mean[0];
	}
	off = median_off(t) / MEDIAN_SPREAD;
	t->fit.spread = spread(t, off * off * n, n);
}

/* Means of what lies about the means so far. */
static void move_means(struct pl_parting *t)
{
	const size_t m = t->m, n_means = t->fit.parted ? 2 : t->n_wholes;
	const double clip = pl_parting_clip(t);

	memset(t->off, 0, n_means * sizeof(*t->off));
	memset(t->n_off, 0, n_means * sizeof(*t->n_off));
	for (size_t i = 1; i < m; i++)
		for (size_t j = 0; j < i; j++) {
			const size_t w = which(t, &t->fit, i, j);
			const double off = (double)t->cell[i * m + j] - t->fit.mean[w];

			if (fabs(off) < clip) { /* false for NaN */
				t->off[w] += off;
				t->n_off[w]++;
			}
		}
	for (size_t w = 0; w < n_means; w++)
		if (t->n_off[w] > 0)
			t->fit.mean[w] += t->off[w] / t->n_off[w];
}

/* Squares; and by host what its cells are off by on average. */
static void measure(struct pl_parting *t)
{
	const size_t m = t->m;
	const double clip = pl_parting_clip(t);

	memset(t->off, 0, m * sizeof(*t->off));
	memset(t->n_off, 0, m * sizeof(*t->n_off));
	t->squares = t->n_cells = 0;
	for (size_t i = 1; i < m; i++)
		for (size_t j = 0; j < i; j++) {
			double off = (double)t->cell[i * m + j];

			if (isnan(off))
				continue;
			off -= t->fit.mean[which(t, &t->fit, i, j)];
			off = fmin(fmax(off, -clip), clip);
			t->squares += off * off;
			t->n_cells++;
			t->off[i] += off;
			t->off[j] += off;
			t->n_off[i]++;
			t->n_off[j]++;
		}
	t->fit.spread = spread(t, t->squares, t->n_cells);
}

/*
 * Estimates the share of each host, which all of its cells contain: a random number with mean 0 and
 * a spread of its own. @ratio is how much more the means of hosts differ than the noise of single
 * cells explains; the estimates shrink towards 0 accordingly. All are 0 if describing them costs
 * more than it saves.
 */
static void find_shares(struct pl_parting *t)
{
	const double m = (double)t->m;
	double mean = 0, squares = 0, by_chance = 0, ratio, gain;

	for (size_t i = 0; i < t->m; i++) {
		const double n = t->n_off[i];

		if (n > 0)
			t->fit.share[i] += t->off[i] / (n > 2 ? n - 1 : n);
		mean += t->fit.share[i] / m;
		by_chance += n > 0 ? t->fit.spread * t->fit.spread / n : 0;
	}
	for (size_t i = 0; i < t->m; i++)
		squares += (t->fit.share[i] - mean) * (t->fit.share[i] - mean);
	ratio = by_chance > 0 ? squares / by_chance : 1;
	ratio = fmax(ratio, 1);
	t->fit.share_cost = m / 2 * pl_racks_log(ratio);
	gain = m / 2 * (ratio - 1) - t->fit.share_cost;
	if (gain < t->code.natural[t->m]) {
		t->fit.share_cost = 0;
		ratio = 1;
	}
	for (size_t i = 0; i < t->m; i++)
		t->fit.share[i] = (1 - 1 / ratio) * (t->fit.share[i] - mean);
}

void pl_parting_fit(struct pl_parting *t)
{
	for (int round = 0; round < ROUNDS; round++) {
		take_shares(t);
		if (round == 0)
			begin(t);
		move_means(t);
		measure(t);
		if (t->m >= SHARES_LEAST)
			find_shares(t);
	}
	take_shares(t);
	move_means(t);
	measure(t);
}

void pl_parting_fit_fast(struct pl_parting *t)
{
	take_shares(t);
	begin(t);
	move_means(t);
	measure(t);
}

double pl_parting_squares(const struct pl_parting *t, const struct pl_part_fit *f, size_t g,
			  double clip)
{
	const size_t m = t->m;
	double sum = 0;

	for (size_t i = 1; i < m; i++) {
		if (t->whole[i] != g)
			continue;
		for (size_t j = 0; j < i; j++) {
			double off = (double)t->raw[i * m + j];
			const size_t w = which(t, f, i, j);

			if (isnan(off))
				continue;
			off -= f->share[i] + f->share[j] + f->mean[w];
			sum += pl_parting_square(off, clip);
		}
	}
	return sum;
}

int pl_part_fit_init(struct pl_part_fit *f, size_t m, size_t n_wholes)
{
	f->mean = pl_array_create(n_wholes + 1, sizeof(*f->mean));
	f->share = pl_array_create(m, sizeof(*f->share));
	return f->mean && f->share ? 0 : -1;
}

void pl_part_fit_fini(struct pl_part_fit *f)
{
	free(f->mean);
	free(f->share);
	memset(f, 0, sizeof(*f));
}

void pl_part_fit_copy(struct pl_part_fit *to, const struct pl_part_fit *f, size_t m,
		      size_t n_wholes)
{
	memcpy(to->mean, f->mean, (n_wholes + 1) * sizeof(*f->mean));
	memcpy(to->share, f->share, m * sizeof(*f->share));
	to->parted = f->parted;
	to->share_cost = f->share_cost;
	to->spread = f->spread;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* laws.h - seconds of an iteration, epochs and memory, from measured points */
/*
 * K workers share a batch of B samples, b = B / K each. Signs of fitted numbers are never forced:
 * whether epochs rise or fall with the batch is a property of the model and of its learning rate.
 */
#ifndef PLINK_PLANNER_BATCH_LAWS_H
#define PLINK_PLANNER_BATCH_LAWS_H

#include "planner/batch/points.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * PL_LAW_GOODPUT: epochs = e + c * B, which is e * (1 + B / noise scale): what a gradient of B
 * samples is worth (McCandlish et al. 2018; Pollux, OSDI '21, eq. 2 and 5). PL_LAW_NOISE: noise = a
 * + b / sqrt(B), epochs = e + theta * noise (Scavenger, eq. 6 and 7).
 */
enum pl_epoch_form { PL_LAW_GOODPUT, PL_LAW_NOISE };
extern const char *const pl_epoch_form_name[]; /* and NULL */

/*
 * PL_LAW_SUM: seconds = p0 + p1 * b + p2 * K (Scavenger, eq. 8 to 10). PL_LAW_OVERLAP: seconds =
 * (C^g + S^g)^(1/g), C = p0 + p1 * b, S = p2 + p3 * (K - 2), none for K = 1, g = p4 from 1 to 10
 * (Pollux, eq. 9 to 11).
 */
enum pl_step_form { PL_LAW_SUM, PL_LAW_OVERLAP };

/* How far a law is off at the points that it was fitted to or judged by, relative to what was
 * measured. */
struct pl_law_error {
	size_t n;
	double mean, most; /* NaN for n = 0 */
};

struct pl_step_law {
	enum pl_step_form form;
	bool known;
	size_t only_workers; /* all points have so many: it holds for no other
			      * number; 0: it holds for all */
	double p[5];
	size_t n; /* points that it was fitted to */
	struct pl_law_error error;
};

struct pl_epoch_law {
	enum pl_epoch_form form;
	bool known;
	bool relative;     /* no epochs are known: 1 at the largest batch (noise) or
			    * in the limit of small ones (goodput), or by losses at
			    * that of the point that has 1 */
	bool proportional; /* epochs of one batch are known */
	bool losses;       /* how they change is that of points' relative epochs */
	double e, slope;   /* epochs = e + slope * (B or noise) */
	bool noise_known;  /* or else it is measured by 1 / sqrt(B) itself */
	double a, b;       /* noise = a + b / sqrt(B) */
	double scale;      /* noise scale, samples; NaN: not known */
	size_t n;          /* points with epochs */
	struct pl_law_error error;
};

/* Bytes of a worker = fixed + sample * b. */
struct pl_memory_law {
	bool known;
	double fixed, sample;
};

/* Is it one of the points that have the least or the most workers, and of
 * these the least or the largest batch? What a partial search measures. */
bool pl_points_is_corner(const struct pl_points *points, size_t i);

/* Fits a law to all points, or to the corners alone; its error is that at all
 * points. A law that too few points tell is not known. 0, or -1: out of
 * memory. */
int pl_step_law_fit(struct pl_step_law *law, enum pl_step_form form, const struct pl_points *points,
		    bool corners);
int pl_epoch_law_fit(struct pl_epoch_law *law, enum pl_epoch_form form,
		     const struct pl_points *points, bool corners);
int pl_memory_law_fit(struct pl_memory_law *law, const struct pl_points *points);

/* What a law says; NaN if it is not known. */
double pl_step_law_seconds(const struct pl_step_law *law, double workers, double batch);
double pl_epoch_law_epochs(const struct pl_epoch_law *law, double batch);
double pl_memory_law_bytes(const struct pl_memory_law *law, double workers, double batch);

/* The most samples a worker in so many bytes, and the least workers for a batch. NaN if the law is
 * not known or the memory does not grow with b; 0 (and infinity) if not a sample fits. */
double pl_memory_law_samples(const struct pl_memory_law *law, double bytes);
double pl_memory_law_workers(const struct pl_memory_law *law, double bytes, double batch);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.h - how much the gradients of workers differ */
#ifndef PLINK_PLANNER_BATCH_NOISE_H
#define PLINK_PLANNER_BATCH_NOISE_H

#include "planner/batch/norms.h"

#include <stddef.h>

struct pl_noise_options {
	size_t warmup; /* iterations at the begin that do not count */
	double weight; /* of the newest iteration in moving averages, (0, 1] */
};
#define PL_NOISE_OPTIONS                                                                           \
	{                                                                                          \
		.warmup = 5, .weight = 0.05                                                        \
	}

struct pl_noise {
	size_t n; /* iterations that count */
	/* (mean of the workers' squared norms) / (squared norm of their mean),
	 * of moving averages: 1 for gradients that are the same, the number of
	 * workers for orthogonal ones of one length, more where they oppose one
	 * another (Scavenger, eq. 2); NaN for one worker, or if the mean is
	 * 0 */
	double gamma;
	double normalized; /* gamma / workers */
	/* samples: tr(covariance) / |gradient|^2, from the norms at two batch sizes, that of a
	 * worker and that of all, without bias (McCandlish et al. 2018, appendix A.1); NaN for one
	 * worker, or where the estimate of |gradient|^2 is not positive, or without a batch */
	double scale;
	/* standard error, relative: the larger one of gamma's and of the noise scale's, where that
	 * is known; NaN: the iterations do not tell */
	double error;
	double seconds; /* median of an iteration; NaN: not told */
	double loss[2]; /* means of the first and the last third; NaN: no
			 * loss, or fewer than 6 */
	double risen;   /* of all pairs of a loss in the first third and one in
			 * the last, the share in which the last is higher */
};

/* Noise is stable up to this error. */
#define PL_NOISE_STABLE 0.2

/* 0, or -1 with @err set (PL_EINPUT): no iteration is left after the warmup. */
int pl_noise_of(const struct pl_norms *norms, const struct pl_noise_options *o,
		struct pl_noise *noise, struct pl_err *err);

/* Are the losses of the last third above those of the first, beyond chance? In nine of ten pairs
 * they are; of six and six alike, that is so once in 132. */
bool pl_noise_rises(const struct pl_noise *noise);

#endif

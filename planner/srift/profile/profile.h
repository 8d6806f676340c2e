/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.h - compute times of a model on types of machines
 * (plink-profile(5)) */
#ifndef PLINK_PLANNER_SRIFT_PROFILE_PROFILE_H
#define PLINK_PLANNER_SRIFT_PROFILE_PROFILE_H

#include "base/err.h"
#include "base/text/text.h"
#include "planner/srift/profile/number.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PL_PROFILE_LAYERS_MAX 1000000
#define PL_PROFILE_POINTS_MAX 64
#define PL_PROFILE_INSTANCES_MAX 4096

/* In the order of the file. */
struct pl_profile_layer {
	char *name;
	uint64_t bytes; /* of its gradients; 0: nothing is exchanged */
	/* that a machine runs the layer in an iteration; 1: always */
	double probability;
};

/* Times t_s measured at these batches, in samples. */
struct pl_profile_curve {
	size_t n;
	double *batch; /* [n] ascending */
	double *t_s;   /* [n] more than 0 */
};

/* Measurements on one type of machine. */
struct pl_profile_instance {
	char *name;
	size_t ranks;                              /* accelerators, each a rank */
	struct pl_profile_curve forward, backward; /* at the same batches */
	/* for each sample, of the forward pass: pl_profile_add_data() */
	double prep_s, fetch_s;
	double straggler; /* standard deviation over mean of an iteration */
	/* [n_layers] when the gradients are ready, as a share of the backward time */
	double *finish;
	struct pl_origin origin; /* of its times */
};

/* Start with {0}, end with fini. */
struct pl_profile {
	char *model;
	struct pl_profile_layer *layer;
	size_t n_layers;
	struct pl_profile_instance *instance;
	size_t n_instances;
	struct pl_profile_numbers numbers;
};

/* @p must be empty. 0, or -1 with @p empty: PL_EINPUT with the place, or PL_ESYSTEM. */
int pl_profile_parse(struct pl_profile *p, const struct pl_text *text, struct pl_err *err);
int pl_profile_read(struct pl_profile *p, const char *path, struct pl_err *err);
void pl_profile_fini(struct pl_profile *p);

/* Moves the instances of @more, measured elsewhere, to the end of those of @p; layers stay those of
 * @p, and of numbers that both have, those of @p. 0, or -1 with both as they were and @err set:
 * PL_EINPUT if the models, or names and bytes of their layers, differ, or if both have an instance
 * of one name. */
int pl_profile_merge(struct pl_profile *p, struct pl_profile *more, struct pl_err *err);

/* Where the samples of an iteration are when it begins. */
enum pl_profile_data {
	PL_DATA_MEMORY,  /* they are decoded and transformed: prep_s */
	PL_DATA_STORAGE, /* they are read as well: fetch_s */
	PL_DATA_NONE,    /* they are synthetic */
};

/* Finds prep_s and fetch_s of all instances by the numbers of the profile, 0 where it has none, and
 * adds them to the forward passes, at each batch. Once for a profile. */
void pl_profile_add_data(struct pl_profile *p, enum pl_profile_data data);

/* Writes the profile in the format that pl_profile_read() reads, times with 12 digits: in version
 * 1, if it has no number and no origin. 0, or -1 with @err set: PL_EUSAGE for a name that is not
 * UTF-8, or PL_ESYSTEM. */
int pl_profile_write(const struct pl_profile *p, FILE *out, struct pl_err *err);

/* The instance of that name (@len bytes), or NULL. Borrowed. */
const struct pl_profile_instance *pl_profile_find(const struct pl_profile *p, const char *name,
						  size_t len);

/* Seconds at a batch of @batch samples: linear between the points measured; outside them the outer
 * segments are extended (srift 4.1, eq. (1) for each segment). With a single point, its time. */
double pl_profile_seconds(const struct pl_profile_curve *curve, double batch);

#endif

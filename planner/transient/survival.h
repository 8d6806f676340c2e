/* SPDX-License-Identifier: BSD-3-Clause */
/* survival.h - how likely a machine has been taken away by an age */
#ifndef PLINK_PLANNER_TRANSIENT_SURVIVAL_H
#define PLINK_PLANNER_TRANSIENT_SURVIVAL_H

#include "base/err.h"
#include "base/rng.h"
#include "planner/transient/lifetimes.h"

#include <stddef.h>

/*
 * F(t), the share of machines taken away by age t, as Kaplan and Meier (Nonparametric estimation
 * from incomplete observations, 1958) estimate it from lives of which some were not seen to the
 * end: a step at each age at which machines were lost. Behind the longest life seen, machines are
 * lost at a constant rate, that of all lives: lost machines over the time that all lived. Start
 * with {0}, end with fini.
 */
struct pl_survival {
	double *s, *left; /* [n]: ages ascending, 1 - F from each on */
	double *spread;   /* [n]: standard error of F (Greenwood) */
	size_t n;
	size_t n_lives, n_lost;
	double seen_s;     /* the longest life */
	double rate_per_s; /* behind it; 0: no machine was lost */
	double limit_s;    /* all are taken away at this age; INFINITY: none */
};
void pl_survival_fini(struct pl_survival *c);

/* Of a group with at least one life; @limit_s as in pl_lifetimes. 0, or -1 with @err set: PL_EINPUT
 * without lives, PL_ESYSTEM. */
int pl_survival_make(struct pl_survival *c, const struct pl_life_group *group, double limit_s,
		     struct pl_err *err);

/* Losses at a constant rate: @mean_s > 0 is the mean lifetime. */
void pl_survival_constant(struct pl_survival *c, double mean_s);

/* F(@s), without what the provider takes away at the limit: at this age and beyond, what F is just
 * at it. */
double pl_survival_lost(const struct pl_survival *c, double s);

/* Its standard error at the last step up to @s; 0 before the first one. */
double pl_survival_spread(const struct pl_survival *c, double s);

/* Mean life in seconds, the limit included: the integral of 1 - F. INFINITY if machines live for
 * ever. */
double pl_survival_mean_s(const struct pl_survival *c);

/* The least age by which a share of @p in [0, 1) is taken away; INFINITY: so many never are. */
double pl_survival_age(const struct pl_survival *c, double p);

/* A life drawn at random. */
double pl_survival_draw(const struct pl_survival *c, struct pl_rng *rng);

#endif

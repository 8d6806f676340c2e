/* SPDX-License-Identifier: BSD-3-Clause */
/* racks-part.h - a partition of hosts, and how short it makes the description of the measured
 * values */
#ifndef PLINK_TOPOLOGY_RACKS_PART_H
#define PLINK_TOPOLOGY_RACKS_PART_H

#include <stdbool.h>
#include <stddef.h>

/* Largest number of cells that a median is taken of. */
#define PL_PARTING_SAMPLE 8192

/*
 * The description length, in nats, of the partition: which host is in which part. It is updated as
 * hosts move between parts. It counts the ways to distribute the hosts of each whole over parts of
 * known sizes, where the numbers of the parts do not matter, and the choice of the sizes; racks of
 * equal size cost next to nothing.
 */
struct pl_part_code {
	double *factorial;                /* [m + 1] logarithm of the factorial */
	double *natural;                  /* [m + 1] logarithm */
	size_t m, n_wholes, n_parts;      /* parts: not empty ones */
	size_t n_sizes;                   /* different sizes of parts */
	size_t *n_sized;                  /* [m + 1] number of parts of each size */
	size_t *n_in;                     /* [n_wholes] number of parts of each whole */
	size_t *n_hosts;                  /* [n_wholes] number of hosts of each whole */
	double all, within, alike, names; /* sums of logarithms */
};

/* The model of the measured values, by which their description is short. */
struct pl_part_fit {
	bool parted;       /* false: the model is of wholes that are not parted */
	double *mean;      /* parted: [2], within parts and between parts of a whole;
			    * else [n_wholes], within each whole */
	double *share;     /* [m] what the host adds to the logarithm of each of its
			    * values */
	double share_cost; /* description length of the shares, in nats */
	double spread;     /* of single cells around their means */
};

/* Hosts of one whole or of several, and the parts they are in. Hosts, wholes and parts are each
 * numbered from 0 within this struct. (A whole is a group from the level above that may be
 * parted.) */
struct pl_parting {
	size_t m, n_wholes;
	float *raw;           /* [m * m] logarithms of the measured values; NaN on the
			       * diagonal, where missing, and between wholes */
	float *cell;          /* [m * m] the same minus the shares of both hosts */
	size_t *whole, *part; /* [m] */
	size_t *size, *owner; /* [m + 1] of each part: its number of hosts, its
			       * whole */
	size_t n_parts;       /* numbers in use; the last part may be empty */
	struct pl_part_fit fit;
	double usual, usual_cells; /* expected spread, and the number of cells
				    * that it counts as */
	double squares, n_cells;   /* sum of squared deviations from the means;
				    * number of cells */
	double *off, *n_off;       /* [m] scratch, by host */
	double *sample;            /* scratch */
	float *pull;               /* [m * (n_parts + 1)] gain, in nats, of moving a host to a
				    * part */
	double *merge;             /* [n_parts * n_parts] scratch */
	size_t parts_room;         /* pull and merge have room for these */
	struct pl_part_code code;
};

/* Natural logarithm, x > 0: the same bits on every machine. */
double pl_racks_log(double x);

/* 0, or -1: no memory; call fini in either case. */
int pl_part_fit_init(struct pl_part_fit *f, size_t m, size_t n_wholes);
void pl_part_fit_fini(struct pl_part_fit *f);
/* Copies *f to *to, both initialised with the same m and n_wholes. */
void pl_part_fit_copy(struct pl_part_fit *to, const struct pl_part_fit *f, size_t m,
		      size_t n_wholes);

/* Makes room for m hosts: raw, whole, part and all else. 0, or -1: no memory; call fini in either
 * case. */
int pl_parting_init(struct pl_parting *t, size_t m, size_t n_wholes);
void pl_parting_fini(struct pl_parting *t);

/* Renumbers the parts without gaps and counts their hosts. Parts of two wholes get different
 * numbers. */
void pl_parting_number(struct pl_parting *t);

/* Computes the code of the present parts; returns its description length in nats; changes the size
 * of part @part and updates the code. */
void pl_part_code_begin(struct pl_parting *t);
double pl_part_code_cost(const struct pl_part_code *c);
void pl_parting_resize(struct pl_parting *t, size_t part, size_t size);

/* Description length of the partition of whole g alone, without the choice of sizes; nats. */
double pl_part_code_of(const struct pl_parting *t, size_t g);

/* Fits means, shares and spread of the parts, or of wholes, starting from the present shares. */
void pl_parting_fit(struct pl_parting *t);
/* The same with the present shares left unchanged; takes less time. */
void pl_parting_fit_fast(struct pl_parting *t);

/* The largest deviation above a mean that counts in full; greater ones count as this. */
double pl_parting_clip(const struct pl_parting *t);

/*
 * Square of a cell's deviation, clipped: above the mean at @clip, below it at several times that. A
 * disturbance makes a measurement slower, never faster: a cell far below its mean is a real
 * difference, and the pair may have no other cell that shows it.
 */
double pl_parting_square(double off, double clip);

/* Sum of the clipped squared deviations of the cells of whole g from the means of @f. */
double pl_parting_squares(const struct pl_parting *t, const struct pl_part_fit *f, size_t g,
			  double clip);

/* How many nats shorter the description is with the present parts and means than without parts. */
double pl_parting_worth(const struct pl_parting *t);

/* Moves and swaps hosts and merges parts as long as the description becomes shorter. 0, or -1: no
 * memory. */
int pl_parting_improve(struct pl_parting *t);

#endif

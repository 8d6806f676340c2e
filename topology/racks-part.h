/* SPDX-License-Identifier: BSD-3-Clause */
/* racks-part.h - hosts parted, and how short that makes what was measured */
#ifndef PLINK_TOPOLOGY_RACKS_PART_H
#define PLINK_TOPOLOGY_RACKS_PART_H

#include <stdbool.h>
#include <stddef.h>

/* Cells that a median is taken of at most. */
#define PL_PARTING_SAMPLE 8192

/*
 * What it takes to tell who is in which part, in nats, kept while hosts move:
 * hosts of each whole to parts of known sizes, the names of parts aside; which
 * sizes there are, and which of them each part has: racks all alike cost next
 * to nothing.
 */
struct pl_part_code {
	double *factorial;                /* [m + 1] its logarithm */
	double *natural;                  /* [m + 1] logarithm */
	size_t m, n_wholes, n_parts;      /* hosts; parts that are not empty */
	size_t n_sizes;                   /* different sizes of parts */
	size_t *n_sized;                  /* [m + 1] parts of a size */
	size_t *n_in;                     /* [n_wholes] parts of each whole */
	size_t *n_hosts;                  /* [n_wholes] hosts of each */
	double all, within, alike, names; /* sums of logarithms */
};

/* What was measured, told in short. */
struct pl_part_fit {
	bool parted;   /* else what follows is of wholes that are not */
	double *mean;  /* within a part, and between those of a whole; if not
			* parted [n_wholes] within each */
	double *share; /* [m] of a host in the logarithm of all it measures */
	double share_cost; /* to tell those, in nats */
	double spread;     /* of single cells about their means */
};

/* Hosts of one whole or of several, and the parts they are in; by its number in
 * here a host is known, a whole from 0 on, and a part as well. */
struct pl_parting {
	size_t m, n_wholes;
	float *raw;  /* [m * m] logarithms; NaN on the diagonal, where missing,
		      * and  between wholes */
	float *cell; /* [m * m] those less the shares of both hosts */
	size_t *whole, *part; /* [m] */
	size_t *size, *owner; /* [m + 1] of each part: hosts, and its whole */
	size_t n_parts; /* the numbers in use; the last one may be empty */
	struct pl_part_fit fit;
	double usual, usual_cells; /* the spread that is expected, and as how
				    * many cells that counts */
	double squares, n_cells;   /* from the means; how many cells */
	double *off, *n_off;       /* [m] by host, scratch */
	double *sample;            /* scratch */
	float *pull;       /* [m * (n_parts + 1)] towards a part: nats */
	double *merge;     /* [n_parts * n_parts] scratch */
	size_t parts_room; /* for so many parts the last two have room */
	struct pl_part_code code;
};

/* Natural logarithm, x > 0: the same bits on every machine. */
double pl_racks_log(double x);

/* 0, or -1: no memory; free it anyway. */
int pl_part_fit_init(struct pl_part_fit *f, size_t m, size_t n_wholes);
void pl_part_fit_fini(struct pl_part_fit *f);
/* The same numbers. */
void pl_part_fit_copy(struct pl_part_fit *to, const struct pl_part_fit *f,
		      size_t m, size_t n_wholes);

/* Room for m hosts of raw, whole and part. 0, or -1: no memory; free it
 * anyway. */
int pl_parting_init(struct pl_parting *t, size_t m, size_t n_wholes);
void pl_parting_fini(struct pl_parting *t);

/* Numbers parts anew, without empty ones, and counts their hosts. Parts of two
 * wholes have different numbers. */
void pl_parting_number(struct pl_parting *t);

/* The code of the parts as they are; what it costs; part p becomes so large. */
void pl_part_code_begin(struct pl_parting *t);
double pl_part_code_cost(const struct pl_part_code *c);
void pl_parting_resize(struct pl_parting *t, size_t part, size_t size);

/* Of whole g alone, sizes aside. */
double pl_part_code_of(const struct pl_parting *t, size_t g);

/* Means, shares and spread of the parts, or of wholes; starting from the shares
 * as they are. */
void pl_parting_fit(struct pl_parting *t);
/* The same with these shares left as they are, and in less time. */
void pl_parting_fit_fast(struct pl_parting *t);

/* What lies further than this above its mean is off by no more. */
double pl_parting_clip(const struct pl_parting *t);

/*
 * The square of what a cell is off by, clipped: above at @clip, below at
 * several times as much. What disturbs a measurement makes it slower: a cell
 * far below its mean is of another kind, and a pair of hosts may have no other
 * cell that says so.
 */
double pl_parting_square(double off, double clip);

/* What whole g is off by the means of @f: the sum of squares, clipped. */
double pl_parting_squares(const struct pl_parting *t,
			  const struct pl_part_fit *f, size_t g, double clip);

/* By how many nats it is shorter to have hosts i and j in one part. */
double pl_parting_gain(const struct pl_parting *t, size_t i, size_t j);

/* By how many nats all parts are shorter than none, by the means as they
 * are. */
double pl_parting_worth(const struct pl_parting *t);

/* Moves and swaps hosts, and merges parts, as long as that is shorter. 0, or
 * -1: no memory. */
int pl_parting_improve(struct pl_parting *t);

#endif

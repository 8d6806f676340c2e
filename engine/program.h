/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - what one rank does with each slice of the buffer */
#ifndef PLINK_ENGINE_PROGRAM_H
#define PLINK_ENGINE_PROGRAM_H

#include "base/err.h"
#include "engine/slices.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SendTo and ReceiveFrom of the PLink thesis, section 4.2.2. */
enum pl_action {
	PL_SEND_TO,      /* what the rank has now */
	PL_ADD_FROM,     /* what comes is added to it */
	PL_REPLACE_FROM, /* what comes replaces it */
};

struct pl_program_act {
	enum pl_action action;
	uint32_t round, peer;
};

/* Start with {0}, end with fini. The acts of slice i are act[first[i]] .. act[first[i + 1] - 1], in
 * the order in which the rank does them. */
struct pl_program {
	uint32_t rank;
	bool begins_empty; /* what is added first becomes what it has */
	size_t n_slices;
	uint64_t *before; /* [n_slices + 1] weight of the slices before i */
	struct pl_program_act *act;
	size_t *first; /* [n_slices + 1] */
	/* [n_slices] whom the first transfer goes to: the chunks of all slices of a target share
	 * the connections evenly. NULL: all have the same */
	uint32_t *target;
	/* of programs with halves, [n_slices]: the first act in which a result is sent or comes,
	 * and whether the rank has the sum before; NULL */
	size_t *stores;
	bool *owns;
};

void pl_program_fini(struct pl_program *p);

/*
 * The program of @rank, one of @n_ranks, for slices that pl_slice_check has
 * passed. In each round a rank sends before it receives, and receives in the
 * order of the slice's transfers. *p must be {0}. 0, or -1 with @err set and
 * *p {0}: PL_EINPUT for slices of no weight or of more than 2^63 in all,
 * PL_ESYSTEM for memory.
 */
int pl_program_init(struct pl_program *p, const struct pl_slices *slices, uint32_t rank,
		    struct pl_err *err);

/* Finds the halves of a program of these slices, once: in each, one member must have the whole sum
 * before it or any other sends a result. 0, or -1 with @err set: PL_EUSAGE for a slice in which
 * that is not so, PL_ESYSTEM for memory. */
int pl_program_halve(struct pl_program *p, const struct pl_slices *slices, struct pl_err *err);

/* Of a program with halves, what the rank does with one peer. *of must be {0}. 0, or -1 with @err
 * set and *of {0}: out of memory. */
int pl_program_of_peer(struct pl_program *of, const struct pl_program *p, uint32_t peer,
		       struct pl_err *err);

/* Of a program with halves: has the rank the sum of any slice? */
bool pl_program_owns(const struct pl_program *p);

#endif

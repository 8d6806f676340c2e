/* SPDX-License-Identifier: BSD-3-Clause */
/* play.h - the step of a job played out: seconds */
#ifndef PLINK_ORDER_JOB_PLAY_H
#define PLINK_ORDER_JOB_PLAY_H

#include "base/err.h"
#include "base/stop.h"
#include "job/job.h"
#include "order/input.h"
#include "order/request.h"

#include <stdbool.h>
#include <stddef.h>

/* More messages than this in a call of all groups of a kind are not played. */
#define PL_JOB_PLAYED_MAX 400000

struct pl_job_player;

/*
 * Makes the messages of a call of each kind, of all its groups at once. @in must have its network
 * (order/calls/network.h); seat_of[n_ranks]. The arguments must outlive it. *player is NULL if a
 * kind has too many messages. 0, or -1 with @err set.
 */
int pl_job_player_create(struct pl_job_player **player, const struct pl_job *job,
			 const struct pl_order_input *in, const struct pl_order_request *q,
			 const size_t *seat_of, const struct pl_stop *stop, struct pl_err *err);
void pl_job_player_destroy(struct pl_job_player *p);

/*
 * Fills seconds[n_kinds] with what the kinds take in a step, calls and exposed share included, each
 * by itself, and *step with what the whole step takes, with the hosts host_at[] on the seats. Ranks
 * begin a call when they have left the one before, so that a step may take less than its kinds, or
 * more. Where part of a kind is hidden, or the messages of all calls are too many, *step is the sum
 * of the kinds. 0, or -1 with @err set: PL_EPARTIAL if it was stopped.
 */
int pl_job_play(struct pl_job_player *p, const size_t *host_at, double *seconds, double *step,
		struct pl_err *err);

/* *guessed: does what the whole step takes, @step, with the hosts host_at[], depend on rates that
 * are not known (pl_order_guessed)? 0, or -1 with @err set as above. */
int pl_job_guessed(struct pl_job_player *p, const size_t *host_at, double step, bool *guessed,
		   struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.h - who sends how much to whom in a collective, and what waits for
 * what */
#ifndef PLINK_COSTMODELS_PATTERN_H
#define PLINK_COSTMODELS_PATTERN_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Patterns with more messages are refused (about 1 GiB). */
#define PL_PATTERN_MESSAGES_MAX ((size_t)1 << 23)

/*
 * One message. A rank's program is a row of steps; in each it does its work
 * (struct pl_work), posts its sends and receives, and waits for some of what it
 * has posted so far. So the message depends on all that its source waits for in
 * steps before send_step, and on the receive being posted where the protocol
 * is a rendezvous.
 */
struct pl_message {
	uint64_t bytes;
	uint32_t src, dst; /* positions */
	uint32_t round;    /* of the algorithm as textbooks count, from 0 */
	uint32_t send_step, sent_step; /* of src: posted in, waited for in */
	uint32_t recv_step, received_step; /* of dst */
	bool synchronous; /* sent when its receiver has said that it has it */
};

/* What a position computes at the beginning of a step. */
struct pl_work {
	uint32_t pos, step;
	uint64_t reduce_bytes; /* of each of the two operands */
	uint64_t copy_bytes;
};

/* Start with {0}, end with fini. */
struct pl_pattern {
	size_t n_pos, n_rounds;
	/* by source, and for each in the order it posts them: those of pos are
	 * message[from[pos]] .. message[from[pos + 1] - 1] */
	struct pl_message *message;
	size_t n_messages;
	size_t *from; /* [n_pos + 1] */
	/* indices of messages by destination, in the order it posts the
	 * receives; into[n_pos + 1] as above */
	uint32_t *received;
	size_t *into;
	uint32_t *n_steps;    /* [n_pos] */
	struct pl_work *work; /* by position, then step */
	size_t n_work;
};

void pl_pattern_fini(struct pl_pattern *p);

#endif

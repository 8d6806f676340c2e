/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.h - who sends how much to whom in a collective, and what each message waits for */
#ifndef PLINK_COSTMODELS_PATTERN_H
#define PLINK_COSTMODELS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger patterns are refused; one of this size takes about 1.2 GiB. */
#define PL_PATTERN_MESSAGES_MAX ((size_t)1 << 23)

/* What the receiver of a message does with its bytes. */
enum pl_taking {
	PL_TAKES_NOTHING, /* they are no part of the buffer: a notification */
	PL_STORES,        /* they replace those at the same place */
	PL_ADDS,          /* they are reduced with those at the same place */
};

/*
 * One message. The program of a rank is a sequence of steps. In each step the rank does its work
 * (struct pl_work), posts its sends and receives, and then waits for some of the sends and receives
 * that it has posted so far. A message therefore depends on everything that its source waits for in
 * the steps before send_step and, if the protocol uses a rendezvous, on its receive having been
 * posted.
 *
 * Where a rank has strands, it goes through the steps of each as through a program of its own, on
 * one processor: "before" then means earlier in the same strand.
 */
struct pl_message {
	uint64_t bytes;
	uint64_t at;       /* of its first byte in the buffer (pl_script_data) */
	uint32_t src, dst; /* positions */
	uint32_t round;    /* as textbooks count rounds; from 0 */
	/* of src: where it posts the send, where it waits for it */
	uint32_t send_step, sent_step;
	uint32_t recv_step, received_step; /* the same of dst and its receive */
	enum pl_taking taking;
	/* the send ends when the receiver confirms the receipt */
	bool synchronous;
	uint32_t tag; /* pl_script_tag */
};

/* What a position computes at the beginning of a step. */
struct pl_work {
	uint32_t pos, step;
	uint64_t reduce_bytes; /* of each of the two operands */
	uint64_t copy_bytes;
	double compute_s; /* beside them */
};

/* Consecutive steps of a position, up to the first one of its next strand, where there is one. */
struct pl_strand {
	uint32_t pos, first_step;
	bool held; /* it begins when the pattern's window allows it */
};

/* Start with {0}, end with fini. */
struct pl_pattern {
	size_t n_pos, n_rounds;
	/* of the buffer that messages carry parts of; 0: not known. See pl_script_buffer. */
	uint64_t buffer_bytes;
	bool gathered;
	/* by source, and for each source in the order of its sends: those of pos are
	 * message[from[pos]] .. message[from[pos + 1] - 1] */
	struct pl_message *message;
	size_t n_messages;
	size_t *from; /* [n_pos + 1] */
	/* indices of messages by destination, and for each destination in the order of its
	 * receives; into[n_pos + 1] as from[] */
	uint32_t *received;
	size_t *into;
	uint32_t *n_steps;    /* [n_pos] */
	struct pl_work *work; /* by position, then step */
	size_t n_work;
	/* by position, then step. A position without one goes through all its steps in a row. */
	struct pl_strand *strand;
	size_t n_strands;
	/* held strands of a position that have begun and not ended, at most; they begin in their
	 * order. 0: no limit */
	size_t window;
};

void pl_pattern_fini(struct pl_pattern *p);

/* The first step of the strand that the step of @pos belongs to; 0 without strands. */
uint32_t pl_pattern_strand_step(const struct pl_pattern *p, size_t pos, uint32_t step);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* script.h - a collective written down as its ranks run it, and made a
 * pattern */
/*
 * A generator goes through the ranks and makes for each the calls that the
 * library makes on it, in the same order. Sends and receives are paired as MPI
 * pairs them: in order, for each (source, destination, tag).
 */
#ifndef PLINK_COSTMODELS_SCRIPT_H
#define PLINK_COSTMODELS_SCRIPT_H

#include "base/err.h"
#include "costmodels/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_post {
	uint64_t bytes;
	uint32_t pos, peer, tag, round;
	uint32_t step, end_step; /* posted in, waited for in */
	bool synchronous;        /* a send that ends when it is received */
};

/* Start with init, end with fini. Fields are the module's own. */
struct pl_script {
	size_t n_pos;
	struct pl_post *send, *recv;
	size_t n_sends, sends_room, n_recvs, recvs_room;
	struct pl_work *work;
	size_t n_work, work_room;
	uint32_t *n_steps;             /* [n_pos] */
	size_t pos;                    /* the rank being written */
	size_t first_send, first_recv; /* of it */
	uint32_t step, round, tag;
	bool used; /* the step has posts */
	bool no_memory, too_long;
};

/* A send or a receive that has been posted. */
struct pl_request {
	bool is_send;
	size_t index;
};

/* 0, or -1 with @err set. */
int pl_script_init(struct pl_script *s, size_t n_pos, struct pl_err *err);
void pl_script_fini(struct pl_script *s);

/* What follows is run by that rank; ranks in rising order, each once (left out:
 * it does nothing). Round and tag begin at 0. What the rank before has not
 * waited for, it waits for at its end. */
void pl_script_rank(struct pl_script *s, size_t pos);

/* Is there too much of it already, or no memory left? Then what is still
 * written is dropped, and who has much to write may as well end. */
bool pl_script_is_over(const struct pl_script *s);

/* Of sends posted from now on: their round, and of both ends the tag. */
void pl_script_round(struct pl_script *s, uint32_t round);
void pl_script_tag(struct pl_script *s, uint32_t tag);

/* Errors (memory, too many messages) are kept for pl_script_finish. */
struct pl_request pl_script_isend(struct pl_script *s, size_t dst,
				  uint64_t bytes);
struct pl_request pl_script_irecv(struct pl_script *s, size_t src,
				  uint64_t bytes);
/* The same as isend, but the wait for it ends only when the receiver has told
 * that its receive is there, whatever the size (MPI_Issend). */
struct pl_request pl_script_issend(struct pl_script *s, size_t dst,
				   uint64_t bytes);

/* Waits for one; ends the step. Waiting twice is no wait. */
void pl_script_wait(struct pl_script *s, struct pl_request request);
/* Waits for all this rank has posted and not waited for. */
void pl_script_wait_all(struct pl_script *s);
/* The same for sends alone. */
void pl_script_wait_sends(struct pl_script *s);

/* isend or irecv, and wait. */
void pl_script_send(struct pl_script *s, size_t dst, uint64_t bytes);
void pl_script_recv(struct pl_script *s, size_t src, uint64_t bytes);

struct pl_exchange {
	size_t dst, src;
	uint64_t send_bytes, recv_bytes;
};
/* Receive and send posted, both waited for. */
void pl_script_sendrecv(struct pl_script *s, struct pl_exchange x);

/* The rank adds so many bytes to as many others, or copies them; what is
 * posted later waits for it, what was posted before goes on meanwhile. */
void pl_script_reduce(struct pl_script *s, uint64_t bytes);
void pl_script_copy(struct pl_script *s, uint64_t bytes);

/* Ends the rank being written: what is open is waited for. pl_script_rank and
 * pl_script_finish do it themselves. */
void pl_script_end(struct pl_script *s);

/*
 * Every rank goes on with what it does in @next, once it is done with what it
 * does in @s; the rounds of @next come after those of @s. Takes the posts out
 * of @next, which is over then. Ends both.
 */
void pl_script_append(struct pl_script *s, struct pl_script *next);

/*
 * Pairs sends with receives and fills *p (to be released with pl_pattern_fini).
 * The script is over then: only fini may follow. 0, or -1 with @err set:
 * PL_EUSAGE for a pattern of too many messages, PL_ESYSTEM for memory. Ends
 * that find no partner, or one of other size, are the generator's mistake and
 * end in an assert.
 */
int pl_script_finish(struct pl_script *s, struct pl_pattern *p,
		     struct pl_err *err);

#endif

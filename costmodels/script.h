/* SPDX-License-Identifier: BSD-3-Clause */
/* script.h - a collective as the calls of its ranks, and the pattern made of them */
/*
 * A generator goes through the ranks and makes, for each rank, the calls that the library makes on
 * that rank, in the same order. Sends and receives are paired as MPI pairs them: in order,
 * separately for each (source, destination, tag).
 */
#ifndef PLINK_COSTMODELS_SCRIPT_H
#define PLINK_COSTMODELS_SCRIPT_H

#include "base/err.h"
#include "costmodels/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a rank, at first: what lists are sorted by. */
struct pl_post {
	uint32_t pos, peer, tag, round;
	/* where it is posted, where it is waited for */
	uint32_t step, end_step;
	uint64_t bytes, at;
	enum pl_taking taking;
	/* a send that ends when the message has been received */
	bool synchronous;
};

/* Posts or work. */
struct pl_list {
	void *item;
	size_t n, room;
};

/* Start with init, end with fini. The fields are private. */
struct pl_script {
	size_t n_pos;
	struct pl_list send, recv, work, strand;
	uint32_t *n_steps; /* [n_pos] */
	size_t window;
	size_t pos;                    /* the rank that is being written */
	size_t first, apart, swapped;  /* pl_script_view */
	size_t first_send, first_recv; /* of this rank's strand */
	uint32_t step, round, tag;
	uint64_t send_at, recv_at;
	enum pl_taking taking;
	uint64_t buffer_bytes;
	bool gathered;
	bool used;   /* the step has posts or waits */
	bool joined; /* of groups: not by rank yet */
	bool no_memory, too_long;
};

/* A send or a receive that has been posted. Receives posted in a row, whatever else comes between,
 * are numbered in a row; so are sends. */
struct pl_request {
	bool is_send;
	size_t index;
};

/* 0, or -1 with @err set: PL_EUSAGE for more than PL_PATTERN_MESSAGES_MAX ranks, PL_ESYSTEM for
 * memory. */
int pl_script_init(struct pl_script *s, size_t n_pos, struct pl_err *err);
void pl_script_fini(struct pl_script *s);

/* The calls that follow are those of rank @pos. Ranks come in rising order, each once; a rank that
 * is left out does nothing. Round and tag begin at 0. The rank written before waits at its end for
 * everything that it has not waited for. */
void pl_script_rank(struct pl_script *s, size_t pos);

/* From now on the peer i of sends and receives is position @first + i * @apart; 0 and @swapped have
 * changed places. At first, and with 0, 1, 0, peers are positions. */
void pl_script_view(struct pl_script *s, size_t first, size_t apart, size_t swapped);

/* The rank does what follows beside what it has done so far, and waits for none of that: a strand
 * of its own. @held: it begins when the window allows it. Comes first where a rank has strands. */
void pl_script_strand(struct pl_script *s, bool held);
/* How many held strands a rank has begun and not ended, at most; 0: no limit.
 */
void pl_script_window(struct pl_script *s, size_t window);

/* Has the script too many messages already, or is memory exhausted? Then all further calls are
 * ignored, and a generator may stop early. */
bool pl_script_is_over(const struct pl_script *s);
/* The same, if it will have @times * @messages messages: a generator that knows asks before it
 * writes them. */
bool pl_script_exceeds(struct pl_script *s, uint64_t times, uint64_t messages);

/* Set the round of the sends posted from now on, and the tag of the sends and receives posted from
 * now on. */
void pl_script_round(struct pl_script *s, uint32_t round);
void pl_script_tag(struct pl_script *s, uint32_t tag);

/*
 * What the messages' bytes are. Every rank has a buffer of @bytes bytes with its own contribution,
 * and ends with all contributions to each byte. Or, @gathered: the buffer is n_pos blocks of @bytes
 * bytes, of which each rank has its own, and ends with all of them, to be added up there. A script
 * without this call has messages of unknown content.
 */
void pl_script_buffer(struct pl_script *s, uint64_t bytes, bool gathered);

/*
 * The sends and receives posted from now on carry the bytes of the buffer from @at on; behind its
 * end they go on at its beginning. A send takes them as they are when it is posted. A receive does
 * with them what @taking says, when it has been waited for. Each rank begins with PL_TAKES_NOTHING.
 * The second function changes the place of sends alone, for exchanges.
 */
void pl_script_data(struct pl_script *s, uint64_t at, enum pl_taking taking);
void pl_script_send_at(struct pl_script *s, uint64_t at);

/* Post a send or a receive. Errors (memory, too many messages) are reported by pl_script_finish. */
struct pl_request pl_script_isend(struct pl_script *s, size_t dst, uint64_t bytes);
struct pl_request pl_script_irecv(struct pl_script *s, size_t src, uint64_t bytes);
/* Like pl_script_isend, but the wait for this send ends only when the receiver has confirmed that
 * its receive is posted, whatever the size (MPI_Issend). */
struct pl_request pl_script_issend(struct pl_script *s, size_t dst, uint64_t bytes);

/* What the next send or receive will be. */
struct pl_request pl_script_next(const struct pl_script *s, bool is_send);

/* Waits for one request and ends the step. A second wait for the same request does nothing. */
void pl_script_wait(struct pl_script *s, struct pl_request request);
/* Waits for every send and receive of this rank that has not been waited
 * for. */
void pl_script_wait_all(struct pl_script *s);
/* The same for the sends only. */
void pl_script_wait_sends(struct pl_script *s);

/* A blocking send or receive: isend or irecv, then wait. */
void pl_script_send(struct pl_script *s, size_t dst, uint64_t bytes);
void pl_script_recv(struct pl_script *s, size_t src, uint64_t bytes);

struct pl_exchange {
	size_t dst, src;
	uint64_t send_bytes, recv_bytes;
};
/* Posts the receive and the send, then waits for both. */
void pl_script_sendrecv(struct pl_script *s, struct pl_exchange x);

/* The rank adds @bytes bytes to as many others, or copies them. Later posts wait for this work;
 * messages that were posted before go on meanwhile. */
void pl_script_reduce(struct pl_script *s, uint64_t bytes);
void pl_script_copy(struct pl_script *s, uint64_t bytes);
/* The same for other work, which takes so many seconds. */
void pl_script_compute(struct pl_script *s, double seconds);

/* Ends the rank that is being written: it waits for everything that is still open. pl_script_rank
 * and pl_script_finish call this themselves. */
void pl_script_end(struct pl_script *s);

/*
 * Appends @next to @s: when a rank has done its part in @s, it goes on with its part in @next,
 * which may consist of groups (pl_script_join), @s not. The rounds of @next come after those of @s.
 * Ends both scripts; @next keeps nothing of use, and only pl_script_fini may follow. Both must have
 * the same number of ranks; what a rank does in strands it does one after the other then. Errors
 * are reported by pl_script_finish.
 */
void pl_script_append(struct pl_script *s, struct pl_script *next);

/* The number of messages so far. */
size_t pl_script_messages(const struct pl_script *s);

/* What pl_script_paste adds to the places, rounds and tags of what it copies.
 */
struct pl_paste {
	uint64_t at;
	uint32_t round, tag;
};

/*
 * The rank that is being written goes on with a copy of what it does in @part, a script of as many
 * ranks that was appended to and has no strands. Errors are reported by pl_script_finish.
 */
void pl_script_paste(struct pl_script *s, const struct pl_script *part, struct pl_paste add);

/*
 * Adds what the ranks of a group do, @part, to a script of all ranks: position i of @part is rank
 * rank[i], which must not be in a group before. The groups run at the same time. Ends @part, for
 * which only pl_script_fini may follow; of @s only this function, pl_script_append and
 * pl_script_finish. Strands as in pl_script_append; @s has none. Errors are reported by
 * pl_script_finish.
 */
void pl_script_join(struct pl_script *s, struct pl_script *part, const uint32_t *rank);

/* For pl_script_finish: puts posts and work in the order of the ranks, those of a rank as they are.
 * 0, or -1: out of memory. */
int pl_script_sort(struct pl_script *s);

/*
 * Pairs sends with receives and fills *p, which pl_pattern_fini releases. Of the script only
 * pl_script_fini may be called afterwards. 0, or -1 with @err set: PL_EUSAGE for a pattern of too
 * many messages, PL_ESYSTEM for memory. A send or receive without a partner, or with one of another
 * size, is a mistake of the generator and fails an assertion.
 */
int pl_script_finish(struct pl_script *s, struct pl_pattern *p, struct pl_err *err);

#endif

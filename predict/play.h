/* SPDX-License-Identifier: BSD-3-Clause */
/* play.h - the state of the simulation of a pattern */
#ifndef PLINK_PREDICT_PLAY_H
#define PLINK_PREDICT_PLAY_H

#include "base/rng.h"
#include "predict/bbr.h"
#include "predict/events.h"
#include "predict/links.h"
#include "predict/predict.h"

#include <stdbool.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#define PL_NOBODY UINT32_MAX
#define PL_TCP_SEGMENT_BYTES 1448.0

enum pl_play_event {
	PL_STEP_BEGIN,  /* strand `what` has done the work of a step */
	PL_SEND_POST,   /* message `what` is posted */
	PL_STEP_POSTED, /* strand `what` begins to wait */
	PL_PACKET,      /* packet `what` has come to the head of a queue */
	PL_PACED,       /* connection `what` may send again */
	PL_WORD,        /* connection `what` gets an acknowledgement */
	PL_SENT,        /* message `what` is sent, as the program sees it */
	PL_ARRIVAL,     /* the last byte of parcel `what` has arrived */
	PL_HANDLED,     /* the processor has handled parcel `what` */
};

/* A message of one call: index call * n_messages + its index in the pattern. Times are NAN until
 * they are known. */
struct pl_play_message {
	/* when the source, the destination posted it */
	double posted_s, recv_s;
	double asked_s; /* when the data may be sent */
	double taken_s; /* when it is their turn in the connection */
	/* when the first data enter the network, and the last have entered
	 * it */
	double begin_s, end_s;
	double arrived_s, done_s;
	/* in [0, 1): by chance. Each message brings its own, so that no other time changes it. */
	double chance;
	uint8_t bound; /* enum pl_bound: what set the rate */
	/* a handshake's message has arrived from the other end; the data have arrived */
	bool requested, come;
};

enum pl_parcel_kind {
	PL_REQUEST,
	PL_READY,
	/* the data that must be acknowledged before the rest fits into the send buffer */
	PL_HEAD,
	PL_DATA,
	/* the receipt of a message that was sent synchronously or is PL_ACKNOWLEDGED */
	PL_RECEIPT,
	PL_END, /* the end mark of a PL_ACKNOWLEDGED message */
};

/* Consecutive bytes in a connection that belong to one message. */
struct pl_parcel {
	enum pl_parcel_kind kind;
	uint32_t message;          /* index in pl_play.message[] */
	uint32_t connection, next; /* the parcel behind it */
	double bytes, left_bytes;  /* left: not yet in packets */
	/* the last bytes, which get a packet of their own */
	double end_mark_bytes;
};

/* A part of a parcel that crosses the network as a whole. */
struct pl_played_packet {
	uint32_t connection, parcel;
	uint32_t next; /* in the list of unused, or of arrived packets */
	bool ends;     /* it has the last byte of its parcel */
	bool tells;    /* the program waits for its acknowledgement */
	double bytes, sent_s, known_s;
	struct pl_bbr_sent bbr;
	struct pl_passage passage;
};

/* A connection from one position to another, which sends messages one after the other. */
struct pl_connection {
	uint32_t src, dst;    /* positions */
	uint32_t first, last; /* parcels that are not completely in packets */
	struct pl_route there, back;
	/* a link with the rate between its two hosts */
	struct pl_shared_link own;
	/* packets whose acknowledgement the sender has not yet seen */
	uint32_t arrived, last_arrived;
	uint32_t n_tell;        /* the number of these with `tells` */
	bool is_paced;          /* a PL_PACED is queued */
	bool is_awaited;        /* a PL_WORD is queued */
	bool blocked;           /* the window is full */
	double quiet_s;         /* when the last acknowledgement came */
	double window_bytes;    /* the most that may be unacknowledged */
	double under_way_bytes; /* sent and not acknowledged */
	double round_trip_s;    /* smoothed; 0: none yet */
	double near_bytes;      /* in addition in a burst, as the round trip is short
				 */
};

/* Steps of a rank that follow one another: all of them, or a strand. */
struct pl_play_strand {
	uint32_t pos;
	uint32_t first_step, end_step; /* end: for what it does after its last
					* wait */
	bool held;
	/* the rank's first ones of this strand, in sends, receives, work */
	size_t first_send, first_recv, first_work;
	/* in the rank's present call: the step, and the first ones that are not yet posted or
	 * done */
	uint32_t step;
	size_t next_send, next_recv, next_work;
	/* the one whose end let this one begin; PL_NOBODY: none */
	uint32_t after;
};

struct pl_play_rank {
	uint32_t call;
	size_t n_open; /* strands that have not ended in this call */
	/* of the held ones, how many have begun and not ended, and the first that has not begun */
	size_t n_held, next_held;
	uint32_t last; /* the strand that ended last */
	double busy_s; /* until when the processor is busy */
	/* for each message: processor time, and how long it waits for a processor: so long, and
	 * by chance, in the mean */
	double send_s, recv_s, wait_s, chance_s;
};

struct pl_play {
	const struct pl_pattern *p;
	const size_t *host_at;
	const struct pl_network *net;
	const struct pl_protocol *protocol;
	uint32_t n_calls;
	bool varies; /* by chance ... */
	bool shared; /* ... and by more than messages take, as ranks share processors */
	struct pl_events events;
	struct pl_links links;
	struct pl_rng rng;
	struct pl_play_message *message; /* [n_calls * n_messages] */
	struct pl_play_rank *rank;       /* [n_pos] */
	struct pl_play_strand *strand;   /* by rank, then step */
	size_t *strand_from;             /* [n_pos + 1] */
	/* steps of all ranks; each rank has one more for what it does after its last step */
	size_t *step_from; /* [n_pos + 1] */
	size_t n_steps;
	uint32_t *strand_of; /* [n_steps] */
	/* [n_calls * n_steps] how much the step still waits for */
	uint32_t *open;
	/* [n_calls * n_steps] the last message that the step waited for, or PL_NOBODY */
	uint32_t *cause;
	double *ended_s; /* [n_calls * n_pos] */
	struct pl_connection *connection;
	size_t n_connections;
	struct pl_bbr *bbr; /* [n_connections]; NULL: not in use */
	/* [n_messages] a message's connection, and that of the other way */
	uint32_t *there, *back;
	struct pl_parcel *parcel;
	size_t n_parcels, parcels_room;
	uint32_t free_parcel;
	struct pl_played_packet *packet;
	size_t n_packets, packets_room;
	uint32_t free_packet;
	size_t n_running;                  /* ranks that have not done all calls */
	bool apart;                        /* the ranks begin each call together */
	size_t n_waiting;                  /* ranks that wait for the others to begin */
	const volatile sig_atomic_t *stop; /* NULL: never */
};

/* Prepares a simulation in *y, which need not be initialized. The arguments
 * must outlive it. 0, or -1: out of memory; pl_play_fini releases *y even
 * then. */
int pl_play_init(struct pl_play *y, const struct pl_pattern *p, const size_t *host_at,
		 const struct pl_network *net, const struct pl_protocol *protocol,
		 uint32_t n_calls);
void pl_play_fini(struct pl_play *y);

/* Simulates all calls; @seed: for the random wake-up times and the phases of BBR. 0; 1 if ranks
 * wait for ever; -1: out of memory, or *y->stop is not 0. */
int pl_play_run(struct pl_play *y, uint64_t seed);

/* The index of a step in open[] and cause[]. */
size_t pl_play_step(const struct pl_play *y, uint32_t call, size_t pos, uint32_t step);

/* Queues an event for @what, which has an index of its kind. 0, or -1: out of memory. */
int pl_play_later(struct pl_play *y, double at_s, enum pl_play_event kind, uint32_t what);

/* Puts a handshake's message into a connection, which sends it when its turn comes. 0, or -1: out
 * of memory; the same holds for all functions below that return an int. */
int pl_play_put(struct pl_play *y, enum pl_parcel_kind kind, uint32_t message, double now_s);
/* The same for a message's data. *sent: the program need not wait for
 * PL_SENT. */
int pl_play_put_data(struct pl_play *y, uint32_t message, bool *sent, double now_s);
/* Does the message use the protocol's handshake? */
bool pl_play_has_handshake(const struct pl_play *y, uint32_t message);
/* Does the receiver acknowledge the message (PL_ACKNOWLEDGED)? */
bool pl_play_is_acknowledged(const struct pl_play *y, uint32_t message);
/* Releases a parcel. */
void pl_play_drop(struct pl_play *y, uint32_t parcel);
/* A PL_HEAD is acknowledged, so that the rest of its message fits into the sender's buffer:
 * releases the parcel and queues PL_SENT. */
int pl_play_head_gone(struct pl_play *y, uint32_t parcel, double now_s);

/* Sends as much of the connection's parcels as may be sent now. */
int pl_play_send(struct pl_play *y, uint32_t connection, double now_s);
/* Moves a packet on, up to the next queue that it has to wait in. */
int pl_play_packet(struct pl_play *y, uint32_t packet, double now_s);
/* PL_PACED: a connection that waited for its pace sends again. */
int pl_play_paced(struct pl_play *y, uint32_t connection, double now_s);
/* PL_WORD: the acknowledgements that are due reach the sender. */
int pl_play_word(struct pl_play *y, uint32_t connection, double now_s);

/* Does the protocol limit what is under way? If so, packets are
 * acknowledged. */
bool pl_tcp_has_window(const struct pl_play *y);
/* Call this before sending: after a silence of more than a timeout it makes the window smaller. */
void pl_tcp_wake(struct pl_play *y, uint32_t connection, double now_s);
void pl_tcp_acknowledged(struct pl_play *y, const struct pl_played_packet *packet);
/* Sets what all connections begin with, with BBR if they use it. 0, or -1: out of memory. */
int pl_tcp_init(struct pl_play *y);
/* The bytes that the connection hands to the card at once; the card cuts them up. */
double pl_tcp_burst(const struct pl_play *y, const struct pl_connection *c);

/* Writes the critical path of the last call to *out. 0, or -1: out of
 * memory. */
int pl_play_path(const struct pl_play *y, unsigned path_max, struct pl_prediction *out);

#endif

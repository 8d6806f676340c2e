/* SPDX-License-Identifier: BSD-3-Clause */
/* play.h - the state of a pattern that is being played out */
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
	PL_STEP_BEGIN,  /* of rank `what`, its work done */
	PL_SEND_POST,   /* of message `what` */
	PL_STEP_POSTED, /* rank `what` begins to wait */
	PL_PACKET,      /* packet `what` has come to the end of a line */
	PL_PACED,       /* connection `what` may send again */
	PL_WORD,        /* connection `what` hears of what has arrived */
	PL_SENT,        /* message `what`, as far as the program sees */
	PL_ARRIVAL,     /* of parcel `what`, its last byte */
	PL_HANDLED,     /* parcel `what` has had the processor's attention */
};

/* A message of one call: index call * n_messages + its index. Times are NAN
 * until they are known. */
struct pl_play_message {
	double posted_s, recv_s; /* by source, by destination */
	double asked_s;          /* the data may go */
	double taken_s;          /* it is their turn in the connection */
	double begin_s, end_s;   /* the data enter, have entered the network */
	double arrived_s, done_s;
	uint8_t bound;        /* enum pl_bound: what set the rate */
	bool requested, come; /* the other end has said so; the data are here */
};

enum pl_parcel_kind {
	PL_REQUEST,
	PL_READY,
	PL_HEAD, /* data that are gone before the rest fits into the buffer */
	PL_DATA,
	PL_RECEIPT, /* of what was sent synchronously, or is to be
		     * acknowledged */
	PL_END,     /* of data that were acknowledged */
};

/* Bytes in a connection. */
struct pl_parcel {
	enum pl_parcel_kind kind;
	uint32_t message;          /* of a call */
	uint32_t connection, next; /* in it */
	double bytes, left_bytes;  /* not yet in packets */
	double end_mark_bytes;     /* the last ones, in a packet of their own */
};

/* A part of a parcel that crosses the network in one piece. */
struct pl_played_packet {
	uint32_t connection, parcel;
	uint32_t next; /* of those not in use, or arrived */
	bool ends;     /* its parcel */
	bool tells;    /* its sender waits for its acknowledgement */
	double bytes, sent_s, known_s;
	struct pl_bbr_sent bbr;
	struct pl_passage passage;
};

/* From one position to another; messages go one behind the other. */
struct pl_connection {
	uint32_t src, dst;    /* positions */
	uint32_t first, last; /* parcels not yet all in packets */
	struct pl_route there, back;
	struct pl_shared_link own;      /* of the rate between its two hosts */
	uint32_t arrived, last_arrived; /* packets; the sender does not know */
	uint32_t n_tell;                /* of them, those that tell */
	bool is_paced;                  /* there will be a PL_PACED */
	bool is_awaited;                /* there will be a PL_WORD */
	bool blocked;                   /* by its window */
	double quiet_s;                 /* when it last heard */
	double window_bytes;            /* what may be under way at once */
	double under_way_bytes;         /* sent, and not acknowledged */
	double round_trip_s;            /* smoothed; 0: none seen */
};

struct pl_play_rank {
	uint32_t step, call;
	size_t next_send, next_recv,
		next_work;   /* of this call, not yet posted */
	double busy_s;       /* the processor is, until then */
	uint32_t sends_left; /* to be posted in this step */
};

struct pl_play {
	const struct pl_pattern *p;
	const size_t *host_at;
	const struct pl_network *net;
	const struct pl_protocol *protocol;
	uint32_t n_calls;
	struct pl_events events;
	struct pl_links links;
	struct pl_rng rng;
	struct pl_play_message *message; /* [n_calls * n_messages] */
	struct pl_play_rank *rank;       /* [n_pos] */
	size_t *work_from;               /* [n_pos + 1] in p->work */
	/* steps of all ranks, and one more of each for what comes behind */
	size_t *step_from; /* [n_pos + 1] */
	size_t n_steps;
	uint32_t *open;  /* [n_calls * n_steps] not yet complete in the step */
	uint32_t *cause; /* the message that completed it, or PL_NOBODY */
	double *ended_s; /* [n_calls * n_pos] */
	struct pl_connection *connection;
	size_t n_connections;
	struct pl_bbr *bbr; /* [n_connections]; NULL: not in use */
	uint32_t *there,
		*back; /* [n_messages]: its connection, the other way */
	struct pl_parcel *parcel;
	size_t n_parcels, parcels_room;
	uint32_t free_parcel;
	struct pl_played_packet *packet;
	size_t n_packets, packets_room;
	uint32_t free_packet;
	size_t n_running;                  /* ranks */
	bool apart;                        /* all begin a call together */
	size_t n_waiting;                  /* for the others to do so */
	const volatile sig_atomic_t *stop; /* NULL: never */
};

/* Fills an empty play; with fini to be released even after a failure.
 * 0, or -1: no memory. */
int pl_play_init(struct pl_play *y, const struct pl_pattern *p,
		 const size_t *host_at, const struct pl_network *net,
		 const struct pl_protocol *protocol, uint32_t n_calls);
void pl_play_fini(struct pl_play *y);

/* Plays all calls; @seed is that of the times processes take to wake. 0; 1 when
 * ranks wait for ever; -1: no memory, or told to stop. */
int pl_play_run(struct pl_play *y, uint64_t seed);

/* Index in open[] and cause[]. */
size_t pl_play_step(const struct pl_play *y, uint32_t call, size_t pos,
		    uint32_t step);

/* Puts a message of a handshake into a connection; it goes when it is its
 * turn. */
int pl_play_put(struct pl_play *y, enum pl_parcel_kind kind, uint32_t message,
		double now_s);
/* The same with data. *sent: the program need not wait for PL_SENT. */
int pl_play_put_data(struct pl_play *y, uint32_t message, bool *sent,
		     double now_s);
/* Does it go by the protocol's handshake? */
bool pl_play_has_handshake(const struct pl_play *y, uint32_t message);
/* One that the receiver acknowledges? */
bool pl_play_is_acknowledged(const struct pl_play *y, uint32_t message);
/* Gives a parcel back. */
void pl_play_drop(struct pl_play *y, uint32_t parcel);
/* The last byte of a parcel is in. */
int pl_play_arrive(struct pl_play *y, uint32_t parcel, double at_s);
/* A PL_HEAD is acknowledged: the rest of its message is in the sender's
 * buffer. */
int pl_play_head_gone(struct pl_play *y, uint32_t parcel, double now_s);

/* As much of what waits in a connection as may go enters the network. */
int pl_play_send(struct pl_play *y, uint32_t connection, double now_s);
/* A packet goes on, up to the next line that it has to stand in. */
int pl_play_packet(struct pl_play *y, uint32_t packet, double now_s);
/* A connection that waited for its pace goes on. */
int pl_play_paced(struct pl_play *y, uint32_t connection, double now_s);
/* Word of what has arrived is due. */
int pl_play_word(struct pl_play *y, uint32_t connection, double now_s);

/* Does the protocol limit what is under way? If so, packets are
 * acknowledged. */
bool pl_tcp_has_window(const struct pl_play *y);
/* Something is to be sent again. */
void pl_tcp_wake(struct pl_play *y, uint32_t connection, double now_s);
void pl_tcp_acknowledged(struct pl_play *y,
			 const struct pl_played_packet *packet);
/* Sets the pace of new connections, where they have one. 0, or -1: no
 * memory. */
int pl_tcp_init(struct pl_play *y);
/* What the connection hands to the card at once, to be cut up there. */
double pl_tcp_burst(const struct pl_play *y, const struct pl_connection *c);

/* The critical path of the last call into *out. 0, or -1: no memory. */
int pl_play_path(const struct pl_play *y, unsigned path_max,
		 struct pl_prediction *out);

#endif

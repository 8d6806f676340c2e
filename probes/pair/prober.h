/* SPDX-License-Identifier: BSD-3-Clause */
/* prober.h - measures one directed pair: when to send, what replies tell */
#ifndef PLINK_PROBES_PAIR_PROBER_H
#define PLINK_PROBES_PAIR_PROBER_H

#include "probes/pair/flows.h"
#include "probes/pair/settle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_PROBER_WINDOW 256                   /* probes whose sending time is remembered */
#define PL_PROBER_OPEN 64                      /* probes that may be unanswered at once */
#define PL_PROBER_GAP_NS INT64_C(500000)       /* least gap of such probes */
#define PL_PROBES_LIMIT 1000000                /* probes_max at most */
#define PL_PACKETS_LIMIT (2 * PL_PROBES_LIMIT) /* packets_max at most */

/* How one pair is measured. */
struct pl_prober_options {
	uint32_t probes_min, probes_max; /* replies wanted; probes sent */
	uint32_t packets_max;            /* sent, warm-up included */
	unsigned n_flows;                /* probe k is of flow k % n_flows */
	struct pl_tolerance tolerance;   /* of p10 */
	int64_t gap_ns;                  /* least time from one probe to the next; a random time
					  * of up to as much is added */
	int64_t pair_ns;                 /* stop after this, once probes_min are answered */
	int64_t limit_ns;                /* stop after this in any case */
	int64_t silence_ns;              /* stop after this long without an answer */
};

/* The result. sent = answered + lost; the answered probes, with late ones, are the sample. Times
 * are round trips minus the responder's hold time and the time that the reply waited to be read,
 * except for the raw one; 0 where nothing was answered. The first reply is warm-up and in no
 * figure. */
struct pl_probed_pair {
	uint64_t sent, answered, lost;
	uint64_t late;      /* answered, but after the probe was given up */
	uint64_t duplicate; /* further replies to an answered probe */
	uint64_t packets;   /* sent, with the warm-up */
	struct pl_figures rtt;
};

/*
 * A probe is sent every gap, however long the round trip is. Up to PL_PROBER_OPEN probes may be
 * unanswered, but before the first check of the sample no more are sent than it takes to have
 * probes_min replies. Three kinds of probes are sent one at a time, each when the last one is
 * answered or given up: those of the warm-up; those after a loss, until the next answer in time;
 * and all where the gap is below PL_PROBER_GAP_NS, since they would queue behind one another. A
 * probe is given up, as in TCP (RFC 6298), after the smoothed round trip plus four smoothed
 * deviations (at least 1 ms), doubled by each loss in a row; probes that are open together count as
 * one loss. Uses no socket and no clock: times are the caller's, monotonic, in ns.
 */
struct pl_prober {
	struct pl_prober_options options;
	int64_t begun_ns, heard_ns;
	int64_t next_ns;              /* when the next probe may be sent */
	int64_t mean_ns;              /* smoothed round trip; only when warm */
	int64_t deviation_ns;         /* smoothed deviation from mean_ns */
	uint32_t next_seq, first_seq; /* first_seq: first after the warm-up */
	uint32_t first_open, n_open;  /* oldest open probe; how many */
	uint32_t losses;              /* in a row */
	uint32_t loss_from;           /* losses of earlier probes belong to the last
				       * loss and are not counted again */
	uint32_t check_at;            /* number of replies at the next check */
	bool warm, enough, done;      /* enough: no more are sent */
	/* returns a random number below @bound, so that pairs that probe at the same time get out
	 * of step; NULL: always 0, for tests with simulated time */
	uint32_t (*chance)(uint32_t bound);
	struct pl_probed_pair pair;
	int64_t *rtt_ns, *sorted_ns; /* [probes_max] */
	int64_t *raw_ns;             /* [probes_max] nothing subtracted */
	uint8_t *flow;               /* [probes_max] flow of each */
	struct {
		int64_t sent_ns, timeout_ns; /* timeout_ns: when to give up */
		bool open, answered;
	} window[PL_PROBER_WINDOW]; /* by seq % PL_PROBER_WINDOW */
};

/* 0, or -1: out of memory. @options must have 1 <= min <= max <= LIMIT. */
int pl_prober_init(struct pl_prober *p, const struct pl_prober_options *options, int64_t now_ns);
void pl_prober_fini(struct pl_prober *p);

/* True when a probe must be sent now: *seq is its number, and it counts as sent at @now_ns. False:
 * nothing to do before pl_prober_wake(), or done. */
bool pl_prober_step(struct pl_prober *p, int64_t now_ns, uint32_t *seq);

/* When to call step() again if nothing arrives; INT64_MAX when done. */
int64_t pl_prober_wake(const struct pl_prober *p);

/* A valid reply. */
struct pl_prober_heard {
	uint32_t seq;      /* of the probe */
	uint32_t hold_ns;  /* how long the responder held it */
	int64_t at_ns;     /* when it arrived */
	int64_t waited_ns; /* from at_ns to when it was read */
};

/* Takes a reply. 0, or -1 where no such probe was sent. */
int pl_prober_hear(struct pl_prober *p, const struct pl_prober_heard *reply);

/* The same for a reply to @seq that was read when it arrived. */
int pl_prober_reply(struct pl_prober *p, uint32_t seq, uint32_t hold_ns, int64_t now_ns);

/* The result so far. Sorts: O(n log n). */
void pl_prober_result(struct pl_prober *p, struct pl_probed_pair *pair);

#endif

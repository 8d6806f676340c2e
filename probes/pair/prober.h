/* SPDX-License-Identifier: BSD-3-Clause */
/* prober.h - one directed pair measured: when to send, what replies tell */
#ifndef PLINK_PROBES_PAIR_PROBER_H
#define PLINK_PROBES_PAIR_PROBER_H

#include "probes/pair/flows.h"
#include "probes/pair/settle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_PROBER_WINDOW 256 /* probes whose time of sending is remembered */
#define PL_PROBER_OPEN 64    /* probes that may be unanswered at once */
#define PL_PROBER_GAP_NS INT64_C(500000)       /* least gap of such probes */
#define PL_PROBES_LIMIT 1000000                /* probes_max at most */
#define PL_PACKETS_LIMIT (2 * PL_PROBES_LIMIT) /* packets_max at most */

/* How one pair is measured. */
struct pl_prober_options {
	uint32_t probes_min, probes_max; /* replies wanted; probes sent */
	uint32_t packets_max;            /* sent, the warm-up's included */
	unsigned n_flows;                /* probe k is of flow k % n_flows */
	struct pl_tolerance tolerance;   /* of p10 */
	int64_t gap_ns;     /* least time from one probe to the next; up to as
			     * much is added at random */
	int64_t pair_ns;    /* enough time, once probes_min are answered */
	int64_t limit_ns;   /* the end, whatever has been answered */
	int64_t silence_ns; /* the end, when so long nothing was answered */
};

/* What came out. sent = answered + lost; the answered ones are the sample, late
 * ones among them. Times are round trips without the responder's hold time and
 * without what the reply waited to be read, but for the raw one; 0 where
 * nothing was answered. The first reply is warm-up and in no figure. */
struct pl_probed_pair {
	uint64_t sent, answered, lost;
	uint64_t late;      /* answered, but after the probe was given up */
	uint64_t duplicate; /* further replies to an answered probe */
	uint64_t packets;   /* sent in all, those of the warm-up included */
	struct pl_figures rtt;
	int64_t step_ns; /* in which p10 was told; 0: to the ns */
};

/*
 * A probe leaves every gap, however long the round trip is: up to
 * PL_PROBER_OPEN may be unanswered, but never more than the replies that are
 * wanted before the sample is looked at. One at a time, each when the last is
 * answered or given up, leave: the warm-up's; all after a loss, until the next
 * answer in time; and all where the gap is below PL_PROBER_GAP_NS, since they
 * would meet one another in queues. A probe is given up, as TCP does (RFC
 * 6298), after the running round trip and four running deviations from it, but
 * these at least 1 ms; doubled by each loss in a row.
 * Knows no socket and no clock: times are the caller's, monotonic, in ns.
 */
struct pl_prober {
	struct pl_prober_options options;
	int64_t begun_ns, heard_ns;
	int64_t next_ns;      /* when the next probe may leave */
	int64_t mean_ns;      /* running round trip; none before it is warm */
	int64_t deviation_ns; /* running deviation from it */
	uint32_t next_seq, first_seq; /* first_seq: first one that counts */
	uint32_t first_open, n_open;  /* the oldest one on its way; how many */
	uint32_t losses;              /* in a row */
	uint32_t check_at;            /* replies at which to look again */
	bool warm, done;
	/* a random number below @bound, so that pairs that probe at the same
	 * time fall out of step; NULL: none, for tests in invented time */
	uint32_t (*chance)(uint32_t bound);
	struct pl_probed_pair pair;
	int64_t *rtt_ns, *sorted_ns; /* [probes_max] */
	int64_t *raw_ns;             /* [probes_max] with nothing subtracted */
	uint8_t *flow;               /* [probes_max] of each round trip */
	struct {
		int64_t sent_ns, timeout_ns; /* when it is given up */
		bool open, answered;
	} window[PL_PROBER_WINDOW]; /* by seq % PL_PROBER_WINDOW */
};

/* 0, or -1: out of memory. @options must have 1 <= min <= max <= LIMIT. */
int pl_prober_init(struct pl_prober *p, const struct pl_prober_options *options,
		   int64_t now_ns);
void pl_prober_fini(struct pl_prober *p);

/* True when a probe must leave now: *seq is its number, and it counts as sent
 * at @now_ns. False: nothing to do before pl_prober_wake(), or done. */
bool pl_prober_step(struct pl_prober *p, int64_t now_ns, uint32_t *seq);

/* When to step again if nothing arrives; INT64_MAX when done. */
int64_t pl_prober_wake(const struct pl_prober *p);

/* A valid reply. */
struct pl_prober_heard {
	uint32_t seq;      /* of the probe */
	uint32_t hold_ns;  /* that the responder held it */
	int64_t at_ns;     /* when it arrived */
	int64_t waited_ns; /* from then to when it was read */
};

/* 0, or -1 when no such probe was ever sent. */
int pl_prober_hear(struct pl_prober *p, const struct pl_prober_heard *reply);

/* The same of a reply to @seq that was read as it arrived. */
int pl_prober_reply(struct pl_prober *p, uint32_t seq, uint32_t hold_ns,
		    int64_t now_ns);

/* The result so far. Sorts, so that it costs n log n. */
void pl_prober_result(struct pl_prober *p, struct pl_probed_pair *pair);

#endif

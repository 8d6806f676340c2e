/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - measure a list of hosts: agents started, all pairs probed, a
 * matrix */
#ifndef PLINK_PROBES_RUN_PROBE_H
#define PLINK_PROBES_RUN_PROBE_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_probe_progress {
	size_t n_done, n_pairs; /* pairs done, of so many in this pass */
	size_t n_alive, n_hosts;
	uint64_t n_probes;
};

enum pl_probe_method {
	PL_PROBE_UDP,   /* agents probe one another */
	PL_PROBE_FPING, /* fping, on hosts where plink is not installed */
};

/* Two hosts, by their numbers among the distinct names. */
struct pl_probe_pair {
	size_t a, b;
};

/* Who says which pairs are measured, where not all are: in steps, the next ones
 * when the last are done. */
struct pl_probe_chooser {
	/*
	 * The next pairs, borrowed until the next call; *n = 0: that was all.
	 * @m has what was measured by now; lost[i]: host i is out. What @m has
	 * is not measured a second time. 0, or -1 with @err set.
	 */
	int (*next)(void *arg, const struct pl_matrix *m, const bool *lost,
		    const struct pl_probe_pair **pair, size_t *n,
		    struct pl_err *err);
	/* Back to the start, as if next had never been called; for choosers of
	 * several steps. */
	void (*rewind)(void *arg);
	void *arg;
	size_t most;     /* pairs in all; 0: all come in the first step */
	const char *how; /* for the matrix: one line; borrowed */
};

#define PL_PROBE_TREE_EVEN 1

/* How TCP is measured: each pair with nobody else on the way, and with all
 * other pairs that it shares a round with; or by few flows, which somebody
 * chooses. */
enum pl_bandwidth_way {
	PL_BANDWIDTH_ALONE = 1,
	PL_BANDWIDTH_TOGETHER = 2,
	PL_BANDWIDTH_FEW = 4
};

/* Bytes from one host to another, among others. */
struct pl_probe_flow {
	size_t src, dst;
	double bytes_per_s; /* out: as they arrive; NaN: none did */
	bool doubted;       /* out: losses have set the rate */
};

/* Who says which flows are measured, where that is few of them: in sets, each
 * of flows that are under way at once, the next one when the last is done. */
struct pl_probe_flow_chooser {
	/*
	 * The next set: *flow, whose rates are filled in before the next call,
	 * borrowed until then. No host is in two pairs of it; of a pair there
	 * is one direction or both. *n = 0: that was all. @m has the round
	 * trips; lost[i]: host i is out. Where *apart is true links are not
	 * shared, and a flow ends when its rate has settled; else all have the
	 * same time. 0, or -1 with @err set.
	 */
	int (*next)(void *arg, const struct pl_matrix *m, const bool *lost,
		    struct pl_probe_flow **flow, size_t *n, bool *apart,
		    struct pl_err *err);
	void *arg;
	/* for a forecast: sets, and flows of all of them */
	size_t sets_least, sets_most, flows_least, flows_most;
};

/* Start from pl_probe_defaults. Strings are borrowed for the call. */
struct pl_probe_options {
	enum pl_probe_method method; /* FPING: agent, push, ports, flows are
				      * not looked at */
	const char *launch;          /* template, %h is the host */
	const char *agent; /* command that starts plink-agent on a host */
	const char *push;  /* a program to send there and start instead; NULL:
			    * none */
	const char *iface; /* interface name or CIDR; NULL: chosen */
	int port_min, port_max; /* UDP and TCP ports of the agents; 0, 0: any */
	uint32_t probes_min, probes_max; /* per directed pair */
	double precision; /* settled when p10 is known within this share ... */
	int64_t precision_ns; /* ... plus this many ns */
	int64_t gap_ns;       /* least time from a pair's probe to its next */
	int64_t pair_ns;      /* enough for a pair, once it has probes_min */
	int64_t silence_ns;   /* a pair is given up when so long unanswered */
	int64_t start_ns;     /* how long an agent may take to start */
	size_t fanout;        /* agents that may be starting at once, from one
			       * machine */
	/* hosts that are started and carried by one of them, a relay; 0: all
	 * are from here; PL_PROBE_TREE_EVEN: as many as there will be relays */
	size_t tree;
	int insecure_4byte; /* the thesis' packet (plink-probe(1)) */
	/* pairs of ports a pair is measured over; 1 to 16, and no more than
	 * there are ports */
	unsigned flows;
	double pps; /* packets that a host may send per second; 0: any */
	/* the end, whatever has been measured; 0: none. ns from the first pair
	 * on; requests in all, those of the warm-up included */
	int64_t budget_ns;
	uint64_t budget_probes;
	double again_share; /* of all pairs, that may be measured again */
	size_t drift_pairs; /* measured first, and again at the end */
	/* sum of enum pl_bandwidth_way: after the round trips; 0: not at all */
	unsigned bandwidth;
	const struct pl_probe_flow_chooser *flow_chooser; /* of FEW; borrowed */
	unsigned streams;    /* TCP connections of a flow; 1 to 16 */
	int64_t flow_ns;     /* a flow ends then, ... */
	uint64_t flow_bytes; /* ... or after so many bytes */
	/* only what this one lacks is measured; borrowed; NULL: everything */
	const struct pl_matrix *resume;
	const struct pl_probe_chooser *chooser; /* borrowed; NULL: all pairs */
	const volatile sig_atomic_t
		*stop; /* non-zero: end early; NULL: never */
	void (*progress)(void *arg, const struct pl_probe_progress *now);
	void *progress_arg;
	/* is given now and then what is measured so far, so that it is not lost
	 * should the process be killed; NULL: it is not */
	void (*save)(void *arg, const struct pl_matrix *m);
	void *save_arg;
	/* what a host's launcher or agent wrote to its stderr; NULL: dropped */
	void (*log)(void *arg, const char *host, const char *line);
	void *log_arg;
};

/* What a run did, beside the matrix. */
struct pl_probe_report {
	size_t n_hosts;      /* distinct ones */
	size_t n_lost_hosts; /* could not be reached, or died */
	size_t n_rounds;     /* that the pairs would take, one after another */
	size_t n_steps;      /* of the chooser */
	size_t pairs_measured, pairs_missing; /* directed */
	size_t pairs_left_out; /* directed, not chosen: not among the missing */
	size_t pairs_kept;     /* directed, from options->resume */
	size_t pairs_again;    /* undirected, suspected and measured again */
	size_t ways_replaced;  /* directed, by the second value */
	/* measured at the start and again at the end, directed: how many, by
	 * what share of the first value they have shifted (median), and how
	 * many by more than twice the precision asked for */
	size_t drift_ways, drift_beyond;
	double drift_share;
	uint64_t packets_sent; /* requests in all, also of the warm-up and of
				* what was measured again */
	uint64_t probes_sent, probes_lost, probes_late, probes_duplicate;
	uint64_t replies_refused; /* wrong tag, wrong peer, not a packet */
	uint64_t packets_stale;   /* authentic, but out of their round */
	int64_t gap_ns;           /* that was kept: as asked, or longer */
	unsigned flows;           /* of a pair: as asked, or as ports allow */
	size_t tree;              /* hosts of a relay; 0: there were none */
	int64_t elapsed_ns;
	int64_t start_ns; /* of elapsed_ns: until all agents were ready */
	/* directed, of all ways of measuring TCP together: how many have got a
	 * value now, are still missing, and did not settle */
	size_t flows_measured, flows_missing, flows_unsettled;
	/* by few flows: sets; of flows_missing, those that failed, or 1 where
	 * sets are left */
	size_t flow_sets, few_missing;
	uint64_t flow_bytes, flow_resent; /* received; segments sent again */
	int64_t flows_ns;                 /* of elapsed_ns */
	int interrupted;                  /* ended by *stop */
	int budget_spent;                 /* ended by the budget */
	int again_cut; /* so was only what is measured again */
};

/* Fills in every default. */
void pl_probe_defaults(struct pl_probe_options *options);

/* What a run is going to take. */
struct pl_probe_forecast {
	size_t n_hosts, n_pairs, n_rounds; /* pairs: undirected */
	/* beyond that where a chooser finds its pairs as it goes: least and
	 * most of some networks that are made up (forecast-chosen.h); and where
	 * a budget lasts for the fewer the more each takes */
	size_t n_pairs_most, n_rounds_most;
	size_t n_ways, n_ways_most; /* directed pairs */
	uint64_t probes_least, probes_most;
	unsigned packet_bytes; /* with the headers of UDP and IPv4 */
	double seconds_least, seconds_most;
	/* of TCP, beside that: where nothing is lost, and where all lose
	 * much */
	size_t n_flows, n_flows_most;
	double flow_bytes_most, flow_seconds_least, flow_seconds_most;
};

/*
 * Without starting anything: probes and seconds of the first pass, if every
 * pair is settled by its least number of probes, and if none ever is
 * (plink-probe(1) has the formula). A chooser is asked for its pairs, for those
 * of several steps on made-up networks; after that it has been used. 0, or -1
 * with @err set as pl_probe_run would.
 */
int pl_probe_forecast(const struct pl_hosts *hosts,
		      const struct pl_probe_options *options,
		      struct pl_probe_forecast *forecast, struct pl_err *err);

/*
 * Starts an agent on every host, measures every ordered pair and stops the
 * agents. A name that comes again in @hosts is one host: the matrix is over the
 * distinct names, in the order of their first coming. Layers: p10 (layer 0),
 * min, p50, p90, p99, flow-spread, raw-p10 in ns, and the counts sent, lost,
 * late, duplicate; where it is asked for, alone and together, bytes per second
 * by TCP. Hosts get node and addr as their agents said. A host that cannot be
 * reached, or dies, leaves its cells missing with a reason. NULL with @err set
 * when no pair at all could be measured for a reason that concerns all (bad
 * template, no agent starts, ...). Fills @report in either case. Meanwhile
 * SIGPIPE is blocked in the calling thread; the process' soft limit of open
 * files is raised where it must be and stays so. Every process that was started
 * has ended and is reaped.
 */
struct pl_matrix *pl_probe_run(const struct pl_hosts *hosts,
			       const struct pl_probe_options *options,
			       struct pl_probe_report *report,
			       struct pl_err *err);

#endif

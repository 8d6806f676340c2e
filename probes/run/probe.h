/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - measures a list of hosts: starts agents, probes all pairs, makes a matrix */
#ifndef PLINK_PROBES_RUN_PROBE_H
#define PLINK_PROBES_RUN_PROBE_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"
#include "probes/launch/fault.h"
#include "probes/protocol/address.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_probe_progress {
	const char *phase, *unit; /* "measuring", "pairs": what is counted */
	size_t n_done, n_all;     /* done, and all of this phase */
	size_t n_alive, n_hosts;
	uint64_t n_probes;
	const char *waiting_for; /* while starting, a host that is not ready;
				  * NULL: none, or not starting */
};

/* Two hosts, by their index among the distinct names. */
struct pl_probe_pair {
	size_t a, b;
};

/* Chooses which pairs are measured, where not all are. It works in steps: the next pairs when the
 * last ones are done. */
struct pl_probe_chooser {
	/*
	 * Names the next pairs, borrowed until the next call; *n = 0: there are no more. @m holds
	 * what is measured so far; lost[i]: host i is lost. Pairs that @m already has are not
	 * measured again. 0, or -1 with @err set.
	 */
	int (*next)(void *arg, const struct pl_matrix *m, const bool *lost,
		    const struct pl_probe_pair **pair, size_t *n, struct pl_err *err);
	void *arg;
	size_t most;     /* pairs in all; 0: all come in the first step */
	const char *how; /* one line for the matrix; borrowed */
};

/* How TCP is measured. ALONE: each pair while no other sends. TOGETHER: all pairs of a round at
 * once. FEW: few flows, which a chooser names. */
enum pl_bandwidth_way { PL_BANDWIDTH_ALONE = 1, PL_BANDWIDTH_TOGETHER = 2, PL_BANDWIDTH_FEW = 4 };

/* One flow from a host to another within a set. */
struct pl_probe_flow {
	size_t src, dst;
	double bytes_per_s; /* out: rate received; NaN: the flow failed */
	bool doubted;       /* out: losses determined the rate */
};

/* Chooses which flows are measured by FEW. It works in sets of flows that run at the same time: the
 * next set when the last is done. */
struct pl_probe_flow_chooser {
	/*
	 * Names the next set, *flow, borrowed until the next call, before which its rates are
	 * filled in. No host is in two pairs of the set; a pair has one direction or both. *n = 0:
	 * there are no more sets. @m has the round trips; lost[i]: host i is lost. *apart true: the
	 * flows share no links, and each ends when its rate has settled; else all have the same
	 * time. 0, or -1 with @err set.
	 */
	int (*next)(void *arg, const struct pl_matrix *m, const bool *lost,
		    struct pl_probe_flow **flow, size_t *n, bool *apart, struct pl_err *err);
	void *arg;
	size_t flows_most; /* in all sets, usually */
};

/* What a p10 may be off beside its share: clocks, and how hosts wake up, are no better. */
#define PL_PROBE_PRECISION_NS 10000

/* Start from pl_probe_defaults. Strings are borrowed for the call. */
struct pl_probe_options {
	const char *launch;              /* launch template; %h is the host */
	const char *agent;               /* command that starts plink-agent on a host */
	const char *push;                /* a program to send to hosts and start instead; NULL:
					  * none */
	const char *iface;               /* interface name or CIDR; NULL: chosen */
	struct pl_ports ports;           /* of the agents */
	uint32_t probes_min, probes_max; /* per directed pair */
	double precision;                /* settled when p10 is known within this share, and
					  * PL_PROBE_PRECISION_NS */
	int64_t gap_ns;                  /* least time between probes of a pair */
	int64_t pair_ns;                 /* a pair ends after this, once it has probes_min */
	int64_t silence_ns;              /* a pair is given up after this long without an
					  * answer */
	int64_t start_ns;                /* how long an agent may take to start */
	size_t fanout;                   /* agents that may be starting at once */
	/* port pairs that a pair is measured over; 1 to 16, at most the number of ports */
	unsigned flows;
	double pps; /* packets per second that a host may send; 0: any */
	/* budgets that end the run; 0: none. budget_ns from the first pair on; budget_probes: all
	 * requests, warm-up included */
	int64_t budget_ns;
	uint64_t budget_probes;
	double again_share; /* share of all pairs that may be measured again */
	size_t drift_pairs; /* measured first, and again at the end */
	/* sum of enum pl_bandwidth_way, measured after the round trips; 0:
	 * none */
	unsigned bandwidth;
	const struct pl_probe_flow_chooser *flow_chooser; /* of FEW; borrowed */
	unsigned streams;                                 /* TCP connections of a flow; 1 to 16 */
	int64_t flow_ns;                                  /* a flow ends after this time ... */
	uint64_t flow_bytes;                              /* ... or after this many bytes */
	/* only cells missing in this matrix are measured; borrowed; NULL:
	 * all */
	const struct pl_matrix *resume;
	const struct pl_probe_chooser *chooser; /* borrowed; NULL: all pairs */
	const volatile sig_atomic_t *stop;      /* non-zero: end early; NULL: never */
	void (*progress)(void *arg, const struct pl_probe_progress *now);
	void *progress_arg;
	/* receives from time to time what is measured so far, so that it is not lost if the process
	 * is killed; NULL: not wanted */
	void (*save)(void *arg, const struct pl_matrix *m);
	void *save_arg;
	/* what a host's launcher or agent wrote to its stderr; NULL: dropped */
	void (*log)(void *arg, const char *host, const char *line);
	void *log_arg;
	/* host[n] could not be started for this reason; called once for each known reason, when all
	 * starts are over; NULL: not wanted */
	void (*fault)(void *arg, const struct pl_launch_fault *fault, const char *const *host,
		      size_t n);
	void *fault_arg;
};

/* Statistics of a run, besides the matrix. */
struct pl_probe_report {
	size_t n_hosts;                       /* distinct ones */
	size_t n_lost_hosts;                  /* not reached, or failed during the run */
	size_t n_rounds;                      /* rounds that the pairs need, one after another */
	size_t n_steps;                       /* of the chooser */
	size_t pairs_measured, pairs_missing; /* directed */
	size_t pairs_left_out;                /* directed, not chosen; not in missing */
	size_t pairs_kept;                    /* directed, from options->resume */
	size_t pairs_again;                   /* undirected, suspected and measured again */
	size_t ways_replaced;                 /* directed: replaced by the second value */
	/* measured at the start and again at the end, directed: how many; by what share of the
	 * first value they shifted (median); how many shifted by more than twice the precision
	 * asked for */
	size_t drift_ways, drift_beyond;
	double drift_share;
	uint64_t packets_sent; /* all requests, with the warm-up and the second
				* pass */
	uint64_t probes_sent, probes_lost, probes_late, probes_duplicate;
	uint64_t replies_refused; /* wrong tag, wrong peer, not a packet */
	uint64_t packets_stale;   /* authentic, but of another round */
	int64_t gap_ns;           /* gap used: as asked for, or longer */
	unsigned flows;           /* flows of a pair: as asked for, or as ports allow */
	int64_t elapsed_ns;
	int64_t start_ns; /* part of elapsed_ns: until all agents were ready */
	/* directed, of all ways of measuring TCP together: flows that got a value in this run, are
	 * still missing, did not settle */
	size_t flows_measured, flows_missing, flows_unsettled;
	/* of FEW: sets measured; flows (counted in flows_missing) that failed, or 1 where sets are
	 * left */
	size_t flow_sets, few_missing;
	uint64_t flow_bytes, flow_resent; /* received; segments sent again */
	int64_t flows_ns;                 /* part of elapsed_ns */
	int interrupted;                  /* ended by *stop */
	int budget_spent;                 /* ended by the budget */
	int again_cut;                    /* the budget ended only the second pass */
};

/* Fills in every default. */
void pl_probe_defaults(struct pl_probe_options *options);

/* What a run is to measure: pairs, undirected and directed; flows of TCP. */
struct pl_probe_count {
	size_t n_hosts, n_pairs, n_ways;
	bool is_most; /* pairs and ways: at most, since a chooser names them in steps */
	size_t n_flows, n_flows_few; /* alone and together; few, at most */
};

/* Counts without starting anything. A chooser of one step is asked for its pairs, and is used up
 * then. 0, or -1 with @err set as pl_probe_run would. */
int pl_probe_count(const struct pl_hosts *hosts, const struct pl_probe_options *options,
		   struct pl_probe_count *count, struct pl_err *err);

/*
 * Starts an agent on every host, measures every ordered pair and stops the
 * agents. A repeated name in @hosts is one host: the matrix is over the
 * distinct names, in the order of their first occurrence. Layers: p10 (layer
 * 0), min, p50, p90, p99, flow-spread, raw-p10 in ns, and the counts sent,
 * lost, late, duplicate; where asked for, alone and together, bytes per second
 * by TCP. Hosts get node and addr as their agents report them. The cells of a
 * host that cannot be reached, or fails, are missing with a reason.
 * Returns the matrix, which the caller destroys; NULL with @err set when no
 * pair could be measured for a reason that concerns all (bad template, no agent
 * starts, ...). Fills @report in either case. During the call SIGPIPE is
 * blocked in the calling thread. The process' soft limit of open files is
 * raised if necessary and stays raised. On return every process that was
 * started has ended and is reaped.
 */
struct pl_matrix *pl_probe_run(const struct pl_hosts *hosts, const struct pl_probe_options *options,
			       struct pl_probe_report *report, struct pl_err *err);

/*
 * Sets o->agent or, if @push, o->push where both are NULL: the command that runs plink-agent on a
 * host, from the directory of the program running here if the host has one there, else from PATH;
 * or the program to send, which is beside this program or in PATH. *own is that text, for the
 * caller to free. 0, or -1 with @err set: out of memory, or PL_EUSAGE: there is no such program.
 */
int pl_probe_agent_choose(struct pl_probe_options *o, bool push, char **own, struct pl_err *err);

#endif

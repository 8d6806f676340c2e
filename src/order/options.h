/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-order */
#ifndef PLINK_SRC_ORDER_OPTIONS_H
#define PLINK_SRC_ORDER_OPTIONS_H

#include "solver/ring/ring-bound.h"
#include "src/hosts.h"
#include "src/launcher.h"
#include "src/matrix.h"
#include "src/order/algorithm.h"
#include "src/terminal.h"

#include <stdbool.h>
#include <stdint.h>

enum pl_order_format {
	PL_FORMAT_HOSTFILE, /* a line per rank, for Open MPI's --map-by seq */
	PL_FORMAT_SEQ,
	PL_FORMAT_RANKFILE,
	PL_FORMAT_NAMES, /* a line per host */
	PL_FORMAT_PLAN,
	PL_FORMAT_JSON,
	PL_FORMAT_OMPI_RULES, /* no order: which algorithm for which size */
	PL_FORMAT_MPICH,      /* from here on for other launchers (format.h) */
	PL_FORMAT_SLURM,
	PL_FORMAT_LIGHTGBM,
	PL_FORMAT_DEEPSPEED,
	PL_FORMAT_TORCHRUN,
	PL_FORMAT_HOROVOD,
	PL_FORMAT_PDSH,
};

enum pl_order_method {
	PL_METHOD_SEARCH,
	PL_METHOD_EXACT,  /* and proofs, as far as they go */
	PL_METHOD_THESIS, /* its two stages: annealing, and Z3 */
};

enum pl_order_missing {
	PL_MISSING_REFUSE,
	PL_MISSING_WORST,    /* as dear as the dearest pair measured */
	PL_MISSING_DROP,     /* leave out the fewest hosts that do */
	PL_MISSING_ESTIMATE, /* by an embedding of the others */
};

#define PL_ORDER_SIZES_MAX 16

/* Strings are borrowed from argv; NULL: not given. */
struct pl_order_options {
	char *const *argv;  /* the whole command line, borrowed */
	struct pl_mpi mpi;  /* what is started by */
	const char *mpirun; /* this command; NULL: not asked for yet */
	const char *hosts, *matrix, *pin, *not_first, *cost_of, *plan, *output;
	const char *launch, *agent, *iface; /* for probing */
	bool push;                          /* send the agent to the hosts */
	const char *push_file;              /* NULL: the own one */
	const char *save_matrix;            /* what was measured goes there */
	const char *topology;               /* what somebody tells of places */
	double topology_ratio;  /* of levels' distances; 0: 1 more a level */
	int port_min, port_max; /* 0, 0: any */
	size_t fanout;          /* agents starting at once; 0: the default */
	size_t tree;            /* as in probes/run/probe.h */
	const char *bandwidth_layer; /* of the matrix; NULL: the first one */
	struct pl_order_names names;
	struct pl_order_algorithm what;
	uint64_t size_bytes[PL_ORDER_SIZES_MAX]; /* of the calls it is for */
	double size_weight[PL_ORDER_SIZES_MAX];
	size_t n_sizes;
	bool usual_sizes;   /* none were stated */
	bool guessed_impl;  /* by the launcher: nobody named a library */
	const char *stats;  /* the calls are those that a job has made */
	double accept_loss; /* percent that a call may lose */
	bool predict;
	const char *report; /* a page or a picture goes there */
	enum pl_color color;
	struct pl_terminal terminal; /* standard error */
	const char *rules;           /* Open MPI's rules go there as well */
	double nic_bps, uplink_bps;  /* 0: no limit */
	enum pl_hosts_form hosts_form;
	enum pl_unit unit; /* of matrices that do not say */
	bool has_symmetrize;
	enum pl_symmetrize symmetrize;
	enum pl_order_missing missing;
	enum pl_order_format format;
	bool has_format;
	int job_port; /* the job's processes listen there; 0: their default */
	enum pl_order_method method;
	enum pl_bound_effort bound;
	size_t choose; /* so many of the hosts; 0: all */
	bool has_bound;
	bool has_min_gain;
	double min_gain; /* percent */
	int64_t time_ns; /* 0: a budget of moves */
	bool has_moves;
	uint64_t moves;
	unsigned threads;
	uint64_t seed;
	bool verify, verbose;
	bool doctor;   /* ask hosts what a run needs, order nothing */
	bool progress; /* of a search, on stderr: that is a terminal */
};

/* What is to be done after the command line was read. */
enum pl_order_action { PL_ORDER_RUN, PL_ORDER_END };

/*
 * Fills @o, defaults included. PL_ORDER_RUN; or PL_ORDER_END with *status, the
 * exit status, after --help, --version or an error that has been told.
 */
enum pl_order_action pl_order_options_parse(struct pl_order_options *o,
					    int argc, char **argv, int *status);

/* Bandwidths say little of the time of messages that are no larger, whatever the
 * library. */
#define PL_ORDER_SMALL_BYTES 16384

/* The sizes of calls where none is stated. */
void pl_order_usual_sizes(struct pl_order_options *o);

/* Finds the algorithm; what contradicts each other? 0, or -1 once it has been told. */
int pl_order_options_check(struct pl_order_options *o);

/* Is the order for calls as a library runs them, judged by predicted seconds? */
bool pl_order_promises(const struct pl_order_options *o);

/* Are bandwidths to be measured where hosts are? */
bool pl_order_wants_rates(const struct pl_order_options *o);

/* Are tables of predictions to be made, of whatever kind? Are rules to be written? */
bool pl_order_predicts(const struct pl_order_options *o);
bool pl_order_writes_rules(const struct pl_order_options *o);

/* Is a report of @n hosts to be made, for a file or for the terminal? */
bool pl_order_draws(const struct pl_order_options *o, size_t n);

/* "search", ... */
const char *pl_order_method_name(enum pl_order_method method);

/* "hostfile", "seq", ... */
const char *pl_order_format_name(enum pl_order_format format);

#define PL_ORDER_TOOL "plink-order"

#endif

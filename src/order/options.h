/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-order */
#ifndef PLINK_SRC_ORDER_OPTIONS_H
#define PLINK_SRC_ORDER_OPTIONS_H

#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"
#include "base/terminal.h"
#include "order/request.h"
#include "src/common/launcher.h"

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
	PL_FORMAT_MPICH,
	PL_FORMAT_SLURM,
	PL_FORMAT_LIGHTGBM,
	PL_FORMAT_DEEPSPEED,
	PL_FORMAT_TORCHRUN,
	PL_FORMAT_HOROVOD,
	PL_FORMAT_PDSH,
	PL_ORDER_FORMATS /* how many */
};

enum pl_order_missing {
	PL_MISSING_REFUSE,
	PL_MISSING_WORST,    /* as dear as the dearest pair measured */
	PL_MISSING_DROP,     /* leave out the fewest hosts that do */
	PL_MISSING_ESTIMATE, /* by an embedding of the others */
};

/* Strings are borrowed from argv; NULL: not given. */
struct pl_order_options {
	char *const *argv;  /* the whole command line, borrowed */
	struct pl_mpi mpi;  /* what is started by */
	const char *mpirun; /* this command; NULL: not asked for yet */
	struct pl_order_request request;
	const char *hosts, *matrix, *cost_of, *plan, *output;
	const char *launch, *agent, *iface; /* for probing */
	bool push;                          /* send the agent to the hosts */
	const char *push_file;              /* NULL: the own one */
	const char *save_matrix;            /* what was measured goes there */
	const char *topology;               /* what somebody tells of places */
	double topology_ratio;  /* of levels' distances; 0: 1 more a level */
	int port_min, port_max; /* 0, 0: any */
	size_t fanout;          /* agents starting at once; 0: the default */
	size_t tree;            /* as in probes/run/probe.h */
	bool guessed_impl;      /* by the launcher: nobody named a library */
	bool predict;
	const char *report; /* a page or a picture goes there */
	enum pl_color color;
	struct pl_terminal terminal; /* standard error */
	const char *rules;           /* Open MPI's rules go there as well */
	enum pl_hosts_form hosts_form;
	enum pl_unit unit; /* of matrices that do not say */
	enum pl_order_missing missing;
	enum pl_order_format format;
	bool has_format;
	int job_port; /* the job's processes listen there; 0: their default */
	bool has_min_gain;
	bool verify, verbose;
	bool doctor; /* ask hosts what a run needs, order nothing */
};

/* What is to be done after the command line was read. */
enum pl_order_action { PL_ORDER_RUN, PL_ORDER_END };

/*
 * Fills @o, defaults included. PL_ORDER_RUN; or PL_ORDER_END with *status, the
 * exit status, after --help, --version or an error that has been told.
 */
enum pl_order_action pl_order_options_parse(struct pl_order_options *o,
					    int argc, char **argv, int *status);

/* Finds the algorithm; what contradicts each other? 0, or -1 once it has been
 * told. */
int pl_order_options_check(struct pl_order_options *o);

/* Are bandwidths to be measured where hosts are? */
bool pl_order_wants_rates(const struct pl_order_options *o);

/* Are tables of predictions to be made, of whatever kind? Are rules to be
 * written? */
bool pl_order_predicts(const struct pl_order_options *o);
bool pl_order_writes_rules(const struct pl_order_options *o);

/* Is a report of @n hosts to be made, for a file or for the terminal? */
bool pl_order_draws(const struct pl_order_options *o, size_t n);

#define PL_ORDER_TOOL "plink-order"

#endif

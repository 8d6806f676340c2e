/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-order */
#ifndef PLINK_SRC_ORDER_OPTIONS_H
#define PLINK_SRC_ORDER_OPTIONS_H

#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"
#include "base/terminal.h"
#include "order/request.h"
#include "probes/protocol/address.h"
#include "src/common/launcher.h"
#include "src/common/next.h"
#include "src/common/tool.h"

#include <stdbool.h>
#include <stdint.h>

enum pl_reorder_format {
	PL_FORMAT_HOSTFILE, /* a line per rank, for Open MPI's --map-by seq */
	PL_FORMAT_SEQ,
	PL_FORMAT_RANKFILE,
	PL_FORMAT_NAMES, /* a line per host */
	PL_FORMAT_PLAN,
	PL_FORMAT_JSON,
	PL_FORMAT_OMPI_RULES, /* no order, but algorithms by size */
	PL_FORMAT_MPICH,
	PL_FORMAT_INTELMPI,
	PL_FORMAT_SLURM,
	PL_FORMAT_LIGHTGBM,
	PL_FORMAT_DEEPSPEED,
	PL_FORMAT_TORCHRUN,
	PL_FORMAT_HOROVOD,
	PL_FORMAT_PDSH,
	PL_FORMAT_SCHEDULE, /* for libplink-mpi's engine mode */
	PL_REORDER_FORMATS  /* how many */
};

enum pl_reorder_missing {
	PL_MISSING_REFUSE,
	PL_MISSING_WORST,    /* the cost of the most expensive pair measured */
	PL_MISSING_DROP,     /* leave out as few hosts as possible */
	PL_MISSING_ESTIMATE, /* estimate from the other pairs */
};

/* Strings are borrowed from argv; NULL: not given. */
struct pl_reorder_options {
	char *const *argv; /* the whole command line, borrowed */
	struct pl_next next;
	struct pl_mpi mpi;  /* the MPI whose mpirun starts the job */
	const char *mpirun; /* its command; NULL: not looked for yet */
	struct pl_order_request request;
	const char *hosts, *matrix, *cost_of, *plan, *output;
	const char *job;                    /* file with the communicators of a job */
	const char *launch, *agent, *iface; /* for probing */
	bool push;                          /* send the agent to the hosts */
	/* NULL: the one beside plink-order */
	const char *push_file;
	const char *save_matrix; /* file for the measurements */
	const char *resume;      /* file with earlier ones */
	/* file with the location of hosts */
	const char *topology, *topology_label;
	struct pl_ports ports;
	size_t fanout;     /* agents starting at once; 0: the default */
	bool guessed_impl; /* the library follows from the launcher */
	bool predict;
	const char *schedule; /* --predict=FILE */
	const char *report;   /* file for a page or a picture */
	enum pl_color color;
	struct pl_terminal terminal; /* standard error */
	bool plan_costs;             /* plans have the costs between hosts */
	const char *rules;           /* file for Open MPI's rules */
	enum pl_hosts_form hosts_form;
	enum pl_unit unit; /* of matrices that state none */
	enum pl_reorder_missing missing;
	enum pl_reorder_format format;
	bool has_format;
	/* of schedules: --algorithm, if it names one of the engine's own; a file of groups */
	const char *own_schedule, *groups;
	/* hosts beside the ranks, separated by commas; NULL: none */
	const char *aggregators;
	bool tune;            /* schedules change while the job runs */
	int64_t tune_percent; /* a change of speed that has them do so; 0: the
			       * tuner's */
	size_t connections;   /* of schedules, between two processes; 0: 1 */
	int job_port;         /* port of the job's processes; 0: their default */
	bool has_min_gain;
	bool rtt_only; /* measure no bandwidths, whatever the sizes */
	bool verify, verbose;
	bool list_algorithms;
	bool done; /* help or the like was printed: exit with the status */
};

/* Fills @o, with defaults. Returns the exit status. If it is not PL_EXIT_DONE or @o->done is set,
 * there is nothing more to do. */
int pl_reorder_options_parse(struct pl_reorder_options *o, int argc, char **argv);

/* Finds the algorithm and checks that the options go together. 0, or -1 with @err set. */
int pl_reorder_options_check(struct pl_reorder_options *o, struct pl_err *err);

/* If hosts are measured, are bandwidths measured, too? */
bool pl_reorder_wants_rates(const struct pl_reorder_options *o);

/* Are tables of predictions of any kind to be made; are rules to be written? */
bool pl_reorder_predicts(const struct pl_reorder_options *o);
bool pl_reorder_writes_rules(const struct pl_reorder_options *o);

/* Is a report of @n hosts to be drawn, for a file or for the terminal? */
bool pl_reorder_draws(const struct pl_reorder_options *o, size_t n);

/* What --help prints. */
extern const char pl_reorder_help[];

/* Prints the list to stdout and flushes it; returns the exit status. */
int pl_reorder_list_algorithms(void);

#define PL_REORDER_TOOL "plink-order"
#define pl_reorder_say(...) pl_tool_say(PL_REORDER_TOOL, __VA_ARGS__)
#define pl_reorder_warn(...) pl_tool_warn(PL_REORDER_TOOL, __VA_ARGS__)
#define pl_reorder_usage(...) pl_tool_usage(PL_REORDER_TOOL, __VA_ARGS__)

/* A pl_order_progress_fn that writes a line to standard error; @arg is not used. */
void pl_reorder_progress_show(void *arg, const struct pl_order_progress *now);

#endif

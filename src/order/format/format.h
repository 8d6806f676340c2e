/* SPDX-License-Identifier: BSD-3-Clause */
/* format.h - the formats of the output, and the launchers that read them */
#ifndef PLINK_SRC_ORDER_FORMAT_FORMAT_H
#define PLINK_SRC_ORDER_FORMAT_FORMAT_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/text/words.h"
#include "src/order/launch.h"
#include "src/order/output.h"

#include <stdbool.h>
#include <stdio.h>

enum {
	/* what its launcher cannot express */
	PL_FORM_NO_REPEAT = 1, /* a host that appears again */
	PL_FORM_NO_IPV6 = 2,   /* a colon in a name */
	PL_FORM_EVEN = 4,      /* different numbers of slots */
	/* what it accepts */
	PL_FORM_JOB_PORT = 8,    /* --job-port */
	PL_FORM_HOST_PORTS = 16, /* ports of the host list */
	PL_FORM_VERIFIED = 32,   /* --verify, which starts mpirun or srun */
	PL_FORM_MPIRUN = 64,     /* mpirun reads it, or a host file beside it */
};

/* A format of the output, with everything known about it except its description in the manual. */
struct pl_reorder_form {
	const char *name;     /* of --format */
	const char *launcher; /* that reads it, if not mpirun; NULL: none */
	const char *library;  /* of its jobs, as for --impl; NULL: an MPI */
	const char *file;     /* its name in commands if it has none */
	unsigned flags;       /* PL_FORM_... */
	/* 0, or -1 with @err set: it needs addresses that are not known. NULL: it needs none */
	int (*check)(const struct pl_hosts *hosts, const struct pl_reorder_options *o,
		     struct pl_err *err);
	/* 0, or -1 with @err set */
	int (*write)(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err);
	/* The command that starts the job with the file, which the caller frees, and in *who whom
	 * it is for; NULL: out of memory. If this member is NULL, launch.h makes the command */
	char *(*command)(const struct pl_reorder_answer *a, const char *file, const char **who);
};

const struct pl_reorder_form *pl_reorder_form(enum pl_reorder_format format);

/* Can the format in @o express these hosts; and, for the second function, are the addresses known
 * that it needs, which a measurement may provide? 0, or -1 with @err set (PL_EINPUT, or out of
 * memory). */
int pl_reorder_form_check(const struct pl_hosts *hosts, const struct pl_reorder_options *o,
			  struct pl_err *err);
int pl_reorder_form_check_addresses(const struct pl_hosts *hosts,
				    const struct pl_reorder_options *o, struct pl_err *err);

/* The host at position @pos of the order that was found. */
const struct pl_host *pl_reorder_host(const struct pl_reorder_answer *a, size_t pos);

/* For the member write: a line per rank, those of a host together, or with a forecast its table;
 * and a line per host. */
int pl_reorder_write_ranks(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err);
int pl_reorder_write_names(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err);

/* Makes the command of these words and releases them; the caller frees it. NULL: out of memory. */
char *pl_reorder_command(struct pl_words *words);

/* Adds the variable that makes NCCL use the named algorithm, after "env" if @env. Adds nothing if
 * none was named or it is of another library. */
void pl_reorder_add_nccl(struct pl_words *words, const struct pl_reorder_answer *a, bool env);

/* "a,b,b": the hosts in the order found, each as often as it has slots; the caller frees it. NULL:
 * out of memory. */
char *pl_reorder_list_hosts(const struct pl_reorder_answer *a);

/* The command that runs a job by the schedules in @file, with its ranks in the order found; the
 * caller frees it. NULL: there is none, or out of memory. */
char *pl_reorder_schedule_command(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
				  const char *mpirun, const char *file);

extern const struct pl_reorder_form pl_form_hostfile, pl_form_seq;
extern const struct pl_reorder_form pl_form_rankfile, pl_form_names;
extern const struct pl_reorder_form pl_form_plan, pl_form_json;
extern const struct pl_reorder_form pl_form_ompi_rules;
extern const struct pl_reorder_form pl_form_mpich, pl_form_intelmpi;
extern const struct pl_reorder_form pl_form_slurm;
extern const struct pl_reorder_form pl_form_lightgbm, pl_form_deepspeed;
extern const struct pl_reorder_form pl_form_torchrun, pl_form_horovod;
extern const struct pl_reorder_form pl_form_pdsh, pl_form_schedule;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* turns.h - rounds in which two hosts of an MPI job measure one another */
#ifndef PLINK_PROBES_MPI_TURNS_H
#define PLINK_PROBES_MPI_TURNS_H

#include "probes/run/probe.h"
#include "probes/run/rounds.h"

#include <mpi.h>
#include <stdbool.h>

struct pl_mpi_options {
	/* what a prober takes, the second look and the budget count; the rest
	 * is of agents */
	const struct pl_probe_options *probe;
	int ping_bytes; /* of the messages whose round trip is measured, both
			 * ways */
	int transfer_bytes; /* of those that bandwidth is made of; 0: none */
};

/* What is known of one way of a pair; times in ns, of pings but for the
 * last. */
enum {
	PL_MPI_SENT,
	PL_MPI_MIN,
	PL_MPI_P10,
	PL_MPI_P50,
	PL_MPI_P90,
	PL_MPI_P99,
	PL_MPI_TRANSFERS,
	PL_MPI_TRANSFER_P10,
	PL_MPI_FIGURES
};

/* Rounds of disjoint pairs, as one process sees them. Start with {0}. */
struct pl_mpi_pass {
	size_t n_rounds;
	uint32_t *peer;    /* [n_rounds] UINT32_MAX: it rests */
	uint32_t *n_pairs; /* [n_rounds] of a round, in all */
};

/* All pairs of @n processes; or v[m], which must be in order of their rounds.
 * 0, or -1: out of memory. */
int pl_mpi_pass_all(struct pl_mpi_pass *pass, size_t n, size_t self);
int pl_mpi_pass_of(struct pl_mpi_pass *pass, const struct pl_meet *v, size_t m,
		   size_t self);
void pl_mpi_pass_fini(struct pl_mpi_pass *pass);

/* One process' part in all passes; "then" is when all last agreed.  Start with
 * pl_mpi_turns_init; fini. */
struct pl_mpi_turns {
	MPI_Comm comm;
	const struct pl_mpi_options *options;
	size_t n, self;
	int64_t *row; /* [n * PL_MPI_FIGURES] from this host to each */
	char *buffer;
	int64_t begun_ns;  /* process 0's time when the budget began */
	uint64_t n_before; /* messages of all, warm-up included, by then */
	/* of this process since then: messages, and how often it had to end
	 * with fewer than the least */
	uint64_t n_sent, n_cut;
	int64_t left_ns, until_ns; /* of the budget by then; its end here */
	bool spent;                /* it is, so that something was left out */
};

/* 0, or -1: out of memory. */
int pl_mpi_turns_init(struct pl_mpi_turns *t, MPI_Comm comm,
		      const struct pl_mpi_options *options);
void pl_mpi_turns_fini(struct pl_mpi_turns *t);

/*
 * Measures the pairs of @pass into t->row, which is cleared: every process
 * calls it with its own part of the same rounds. Between rounds all wait for
 * one another and agree on what is left of the budget: rounds for which there
 * is not enough are left out, and from the moment its time is over nothing is
 * begun. Transfers are sent where @transfers. 0, or -1: out of memory, and the
 * others are left waiting.
 */
int pl_mpi_turns_run(struct pl_mpi_turns *t, const struct pl_mpi_pass *pass,
		     bool transfers);

#endif

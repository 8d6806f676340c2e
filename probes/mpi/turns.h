/* SPDX-License-Identifier: BSD-3-Clause */
/* turns.h - rounds in which the hosts of an MPI job measure one another */
#ifndef PLINK_PROBES_MPI_TURNS_H
#define PLINK_PROBES_MPI_TURNS_H

#include "probes/run/probe.h"
#include "probes/run/rounds.h"

#include <mpi.h>
#include <stdbool.h>

struct pl_mpi_options {
	/* used: the settings of the prober, the second pass and the budget; the others are for
	 * agents */
	const struct pl_probe_options *probe;
	int ping_bytes;     /* of a ping, both ways */
	int transfer_bytes; /* of a transfer, for bandwidth; 0: none */
};

/* The figures of one direction of a pair; times in ns, of pings but for the last. */
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

/* The rounds of disjoint pairs as one process sees them. Start with {0}. */
struct pl_mpi_pass {
	size_t n_rounds;
	uint32_t *peer;    /* [n_rounds] UINT32_MAX: this process rests */
	uint32_t *n_pairs; /* [n_rounds] pairs of each round */
};

/* Fills @pass with the rounds of all pairs of @n processes, or of v[m], which must be sorted by
 * round. 0, or -1: out of memory. */
int pl_mpi_pass_all(struct pl_mpi_pass *pass, size_t n, size_t self);
int pl_mpi_pass_of(struct pl_mpi_pass *pass, const struct pl_meet *v, size_t m, size_t self);
void pl_mpi_pass_fini(struct pl_mpi_pass *pass);

/* One process' part in all passes. "agreed" is when all processes last agreed on the budget. Start
 * with pl_mpi_turns_init; end with fini. */
struct pl_mpi_turns {
	MPI_Comm comm;
	const struct pl_mpi_options *options;
	size_t n, self;
	int64_t *row; /* [n * PL_MPI_FIGURES] from this host to each */
	char *buffer;
	int64_t begun_ns;  /* when the budget began, by process 0 */
	uint64_t n_before; /* messages of all when agreed, with the warm-up */
	/* of this process since agreed: messages, and pairs it ended with fewer than the least */
	uint64_t n_sent, n_cut;
	int64_t left_ns, until_ns; /* of the budget when agreed; its end here */
	bool spent;                /* the budget is spent, and pairs were left out */
};

/* 0, or -1: out of memory. */
int pl_mpi_turns_init(struct pl_mpi_turns *t, MPI_Comm comm, const struct pl_mpi_options *options);
void pl_mpi_turns_fini(struct pl_mpi_turns *t);

/*
 * Measures the pairs of @pass into t->row, which is cleared first; every process calls it with its
 * own part of the same rounds. Between rounds all wait for one another and agree on what is left of
 * the budget. Rounds for which it does not last are left out, and once its time is over no pair is
 * begun. Transfers are sent where @transfers is true. 0, or -1: out of memory, and the others are
 * left waiting.
 */
int pl_mpi_turns_run(struct pl_mpi_turns *t, const struct pl_mpi_pass *pass, bool transfers);

#endif

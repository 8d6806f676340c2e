/* SPDX-License-Identifier: BSD-3-Clause */
/* check.h - checks what a process finds on each host */
/*
 * plink-mpi-check, started in place of the program, prints lines of this form:
 *
 *     plink-check RANK KEY TEXT
 *
 * with the rank that the launcher gave, and the keys
 *
 *     start N            it is one of N
 *     node NAME          the host's own name
 *     named NAME         PLINK_HOST, if it is set
 *     address ADDRESS    each of the host's, IPv4 as ::ffff:a.b.c.d
 *     plan DIGEST        of the plan there, 16 hexadecimal digits
 *     plan-fault TEXT    why there is none
 *     made-for TEXT      the MPI that the library is for, "Open MPI 4"
 *     mpi TEXT           the MPI library that it is loaded with there
 *     library-fault TEXT why it cannot be loaded there
 *     end                the answer is complete
 */
#ifndef PLINK_SRC_MPIRUN_CHECK_H
#define PLINK_SRC_MPIRUN_CHECK_H

#include "base/err.h"
#include "shim/self.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One process. */
struct pl_checked {
	bool ended; /* all of its lines have come */
	struct pl_self self;
	char *named;       /* what self.named points to */
	size_t addrs_room; /* of self.addr */
	/* NULL: not stated */
	char *plan_fault, *library_fault, *made_for, *mpi;
	uint64_t plan; /* digest, if there is no fault */
};

/* Indexed by the rank that the launcher gives. Start with {0}, end with
 * fini. */
struct pl_check {
	struct pl_checked *rank;
	size_t n;
	char *other; /* other output, such as messages of mpirun */
	size_t other_len;
};

/* Runs the command and reads what it prints. 0, even if something is missing; or -1 with @err set
 * and @check empty. An mpirun that a signal ends before all have answered is run a second time:
 * under load MPICH's dies of SIGPIPE in 1 of 100 runs whose processes end at once. */
int pl_check_run(struct pl_check *check, char *const *command, const volatile sig_atomic_t *stop,
		 struct pl_err *err);

/* The same from the output alone. */
int pl_check_parse(struct pl_check *check, const char *out, size_t len, struct pl_err *err);

void pl_check_fini(struct pl_check *check);

#endif

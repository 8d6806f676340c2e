/* SPDX-License-Identifier: BSD-3-Clause */
/* refuse.c - why the ranks stay as they are */
#include "config.h"

#include "shim/mpi/refuse.h"

#include "shim/mpi/world.h"
#include "shim/say.h"
#include "shim/self.h"

#include <stdlib.h>
#include <sys/utsname.h>

void pl_mpi_refuse(const struct pl_mpi_shared *shared, const struct pl_err *reason)
{
	if (reason)
		pl_shim_say_err(reason, shared->strict ? "ending the job (PLINK_STRICT)"
						       : "ranks stay as they are");
	if (!shared->strict)
		return;
	if (reason)
		PMPI_Abort(MPI_COMM_WORLD, 1);
	PMPI_Barrier(MPI_COMM_WORLD); /* which the speaker does not enter */
}

static void not_found(const struct pl_mpi_shared *shared, int rank, const char *node,
		      struct pl_err *reason)
{
	const char *named = getenv("PLINK_HOST");

	if (named && *named)
		pl_err_set(reason, PL_EPARTIAL,
			   "rank %d (%s): PLINK_HOST is \"%s\", and %s has no host of that name",
			   rank, node, named, shared->path);
	else
		pl_err_set(reason, PL_EPARTIAL,
			   "rank %d: %s has no host with the name %s or an address of it: name one "
			   "in PLINK_HOST",
			   rank, shared->path, node);
}

/* What pl_mpi_find_host() has found, for the words. */
static void replaced(const struct pl_plan *plan, struct pl_err *reason)
{
	struct pl_self self = {0};
	int host;

	if (pl_self_init(&self, reason))
		return;
	host = pl_self_find(&self, &plan->hosts);
	if (host >= 0)
		pl_self_check_same(&self, &plan->hosts.v[host], reason);
	pl_self_fini(&self);
}

void pl_mpi_host_fault(const struct pl_mpi_shared *shared, const struct pl_plan *plan, int rank,
		       int code, struct pl_err *reason)
{
	struct utsname self = {0};

	uname(&self);
	switch (code) {
	case PL_MPI_UNKNOWN:
		not_found(shared, rank, self.nodename, reason);
		break;
	case PL_MPI_AMBIGUOUS:
		pl_err_set(reason, PL_EPARTIAL,
			   "rank %d: several hosts of %s could be %s, name one in PLINK_HOST", rank,
			   shared->path, self.nodename);
		break;
	case PL_MPI_DIFFERS:
		pl_err_set(reason, PL_EPARTIAL,
			   "rank %d: PLINK_PLAN on %s differs from the plan of rank 0: copy rank "
			   "0's plan there",
			   rank, self.nodename);
		break;
	case PL_MPI_SHMEM:
		pl_err_set(
			reason, PL_EPARTIAL,
			"rank %d (%s): the program also uses OpenSHMEM, which cannot follow a plan",
			rank, self.nodename);
		break;
	case PL_MPI_REPLACED:
		replaced(plan, reason);
		break;
	case PL_MPI_NO_MEMORY:
		pl_err_set(reason, PL_ESYSTEM, "rank %d (%s): out of memory", rank, self.nodename);
	}
}

void pl_mpi_no_memory(void)
{
	pl_shim_say("out of memory; ending the job");
	PMPI_Abort(MPI_COMM_WORLD, 1);
	abort();
}

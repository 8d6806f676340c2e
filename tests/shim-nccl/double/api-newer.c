/* SPDX-License-Identifier: BSD-3-Clause */
/* api-newer.c - the public functions that came with 2.29 and later */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMORY (1 << 20) /* that every communicator has */

/* Of what is made of @comm by its call of that number. */
static void grow_name(char name[BOARD_NAME], const struct ncclComm *comm, int number)
{
	snprintf(name, BOARD_NAME, "%.80s_g%d", comm->name, number);
}

/* By one of the members, before they grow. */
NCCL_FUNCTION(ncclResult_t, ncclCommGetUniqueId, ncclComm_t comm, ncclUniqueId *id)
{
	ncclResult_t rc = comm_ready(comm, __func__);
	char name[BOARD_NAME];

	if (!rc && (!id || getenv("NCCL_COMM_ID") || comm->has_grow_id))
		rc = log_fault(ncclInvalidUsage, "%s: %s", __func__, comm->name);
	if (rc)
		return rc;
	grow_name(name, comm, comm->n_children + 1);
	id_put(id, name);
	comm->has_grow_id = true;
	return ncclSuccess;
}

static bool can_grow(const struct ncclComm *comm, int n, const ncclUniqueId *id, int rank)
{
	if (n < 1 || n > BOARD_SEATS)
		return false;
	if (comm)
		return rank == -1 && n > comm->n;
	return id && rank >= 0 && rank < n;
}

/* Who is a member already knows the name by itself. */
static ncclResult_t begin_grow(struct job *job, struct ncclComm *comm, const ncclUniqueId *id,
			       int rank)
{
	job->rank = rank;
	if (!comm)
		return id_name(job->id, id, 1);
	job->rank = comm->rank;
	comm->has_grow_id = false;
	grow_name(job->id, comm, ++comm->n_children);
	return ncclSuccess;
}

/* Its handle is there at once, and it is itself what tells how far it is. */
NCCL_FUNCTION(ncclResult_t, ncclCommGrow, ncclComm_t comm, int n_ranks, const ncclUniqueId *id,
	      int rank, ncclComm_t *child, ncclConfig_t *config)
{
	ncclResult_t rc = comm ? comm_ready(comm, __func__) : ncclSuccess;
	struct job *job;

	if (!rc && (!child || !can_grow(comm, n_ranks, id, rank)))
		rc = log_fault(ncclInvalidArgument, "%s: rank %d of %d", __func__, rank, n_ranks);
	job = rc ? NULL : calloc(1, sizeof(*job));
	if (!job)
		return group_fail(rc ? rc : ncclSystemError);
	job->func = FUNC_GROW;
	job->n = n_ranks;
	rc = begin_grow(job, comm, id, rank);
	if (!rc)
		job->comm = comm_create(config, comm);
	*child = job->comm;
	if (!job->comm) {
		free(job);
		return group_fail(rc ? rc : ncclInvalidArgument);
	}
	log_line("grow %s %d", job->id, job->rank);
	return group_add_child(job, __func__);
}

static ncclResult_t change(struct ncclComm *comm, enum func func, const char *caller)
{
	ncclResult_t rc = comm_ready(comm, caller);
	struct job *job;

	if (!rc && *comm->n_sharing > 1)
		rc = log_fault(ncclInvalidUsage, "%s: %s shares its memory", caller, comm->name);
	if (!rc && comm->suspended == (func == FUNC_SUSPEND))
		rc = log_fault(ncclInvalidUsage, "%s: %s was before", caller, comm->name);
	job = rc ? NULL : calloc(1, sizeof(*job));
	if (!job)
		return group_fail(rc ? rc : ncclSystemError);
	job->func = func;
	job->comm = comm;
	job->call.func = (int)func;
	log_line("%s %s %d", func_name((int)func), comm->name, comm->rank);
	return group_add(job, caller);
}

NCCL_FUNCTION(ncclResult_t, ncclCommSuspend, ncclComm_t comm, int flags)
{
	return flags & 1 ? change(comm, FUNC_SUSPEND, __func__) : comm_ready(comm, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclCommResume, ncclComm_t comm)
{
	return change(comm, FUNC_RESUME, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclCommMemStats, ncclComm_t comm, ncclCommMemStat_t stat,
	      uint64_t *value)
{
	ncclResult_t rc = comm_ready(comm, __func__);

	if (!rc && (!value || stat > ncclStatGpuMemTotal))
		rc = log_fault(ncclInvalidArgument, "%s", __func__);
	if (rc)
		return rc;
	*value = stat == ncclStatGpuMemSuspended ? comm->suspended
		 : stat == ncclStatGpuMemPersist ? 0
						 : MEMORY;
	return ncclSuccess;
}

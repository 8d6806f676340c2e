/* SPDX-License-Identifier: BSD-3-Clause */
/* api-comm.c - the public functions that make communicators */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ID_MARK "plink-double:"

/* Of "host:port": one name for all who are given the same. */
static ncclResult_t id_of_address(char name[BOARD_NAME], const char *address)
{
	const char *colon = strrchr(address, ':');
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
	char host[BOARD_NAME];

	if (!colon)
		return log_fault(ncclInvalidArgument, "NCCL_COMM_ID=%s: no port", address);
	snprintf(host, sizeof(host), "%.*s", (int)(colon - address), address);
	if (getaddrinfo(host, colon + 1, &hints, &found))
		return log_fault(ncclInvalidArgument, "NCCL_COMM_ID=%s: not an address", address);
	freeaddrinfo(found);
	snprintf(name, BOARD_NAME, "a%s", address);
	return ncclSuccess;
}

void id_put(ncclUniqueId *id, const char *name)
{
	memset(id, 0, sizeof(*id));
	snprintf(id->internal, sizeof(id->internal), ID_MARK "%.100s", name);
	log_line("id %s", name);
}

NCCL_FUNCTION(ncclResult_t, ncclGetUniqueId, ncclUniqueId *id)
{
	static atomic_int n_ids;
	const char *address = getenv("NCCL_COMM_ID");
	char name[BOARD_NAME];
	struct timespec now;

	if (!id)
		return log_fault(ncclInvalidArgument, "%s", __func__);
	if (address && *address) {
		const ncclResult_t rc = id_of_address(name, address);

		if (rc)
			return rc;
	} else {
		clock_gettime(CLOCK_REALTIME, &now);
		snprintf(name, sizeof(name), "u%ld.%d.%lx", (long)getpid(),
			 atomic_fetch_add(&n_ids, 1), (unsigned long)now.tv_nsec);
	}
	id_put(id, name);
	return ncclSuccess;
}

static uint64_t sum_of(const void *data, size_t len)
{
	const unsigned char *at = data;
	uint64_t sum = 14695981039346656037u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ at[i]) * 1099511628211u;
	return sum;
}

ncclResult_t id_name(char name[BOARD_NAME], const ncclUniqueId *ids, int n_ids)
{
	for (int i = 0; i < n_ids; i++)
		if (memcmp(ids[i].internal, ID_MARK, strlen(ID_MARK)) ||
		    ids[i].internal[sizeof(ids[i].internal) - 1])
			return log_fault(ncclInvalidArgument, "not an id of ncclGetUniqueId");
	snprintf(name, BOARD_NAME, "%s", ids[0].internal + strlen(ID_MARK));
	if (n_ids > 1)
		snprintf(name + strlen(name), BOARD_NAME - strlen(name), "x%llx",
			 (unsigned long long)sum_of(ids, (size_t)n_ids * sizeof(*ids)));
	return ncclSuccess;
}

static ncclResult_t init(ncclComm_t *comm, int n, const ncclUniqueId *ids, int n_ids, int rank,
			 const ncclConfig_t *config, const char *caller)
{
	struct job *job;
	ncclResult_t rc;

	if (!comm || !ids || n < 1 || n > BOARD_SEATS || rank < 0 || rank >= n || n_ids < 1 ||
	    n_ids > n)
		return group_fail(
			log_fault(ncclInvalidArgument, "%s: rank %d of %d", caller, rank, n));
	job = calloc(1, sizeof(*job));
	if (!job)
		return group_fail(ncclSystemError);
	rc = id_name(job->id, ids, n_ids);
	if (!rc)
		job->comm = comm_create(config, NULL);
	if (!job->comm) {
		free(job);
		*comm = NULL;
		return group_fail(rc ? rc : ncclInvalidArgument);
	}
	job->func = FUNC_INIT;
	job->n = n;
	job->rank = rank;
	*comm = job->comm; /* at once, though not yet of use */
	log_line("init %s %d %s", job->id, rank, caller);
	return group_add(job, caller);
}

NCCL_FUNCTION(ncclResult_t, ncclCommInitRank, ncclComm_t *comm, int n_ranks, ncclUniqueId id,
	      int rank)
{
	return init(comm, n_ranks, &id, 1, rank, NULL, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclCommInitRankConfig, ncclComm_t *comm, int n_ranks, ncclUniqueId id,
	      int rank, ncclConfig_t *config)
{
	ncclResult_t rc, state;

	rc = init(comm, n_ranks, &id, 1, rank, config, __func__);
	if (!rc && *comm && !(*comm)->blocking && !ncclCommGetAsyncError(*comm, &state))
		rc = state;
	return rc;
}

NCCL_FUNCTION(ncclResult_t, ncclCommInitRankScalable, ncclComm_t *comm, int n_ranks, int rank,
	      int n_ids, ncclUniqueId *ids, ncclConfig_t *config)
{
	return init(comm, n_ranks, ids, n_ids, rank, config, __func__);
}

NCCL_FUNCTION(ncclResult_t, ncclCommInitAll, ncclComm_t *comms, int n_devices, const int *devices)
{
	ncclUniqueId id;
	ncclResult_t rc;

	if (!comms || n_devices < 1)
		return log_fault(ncclInvalidArgument, "%s", __func__);
	rc = ncclGetUniqueId(&id);
	if (rc)
		return rc;
	group_start();
	for (int i = 0; i < n_devices && !rc; i++) {
		rc = init(&comms[i], n_devices, &id, 1, i, NULL, __func__);
		if (!rc)
			comms[i]->device = devices ? devices[i] : i;
	}
	return group_end();
}

NCCL_FUNCTION(ncclResult_t, ncclCommSplit, ncclComm_t comm, int color, int key, ncclComm_t *child,
	      ncclConfig_t *config)
{
	ncclResult_t rc = comm_ready(comm, __func__);
	struct job *job;

	if (!rc && (!child || color < NCCL_SPLIT_NOCOLOR))
		rc = log_fault(ncclInvalidArgument, "%s: color %d", __func__, color);
	job = rc ? NULL : calloc(1, sizeof(*job));
	if (!job)
		return group_fail(rc ? rc : ncclSystemError);
	job->func = FUNC_SPLIT;
	job->parent = comm;
	job->result = child;
	job->color = color;
	job->key = key;
	job->call = (struct board_call){.func = FUNC_SPLIT, .color = color, .key = key};
	*child = NULL;
	comm->n_children++;
	if (color != NCCL_SPLIT_NOCOLOR) {
		job->comm = comm_create(config, comm);
		if (!job->comm) {
			free(job);
			return group_fail(ncclInvalidArgument);
		}
		if (comm->split_share && !comm->revoked)
			comm_share(job->comm, comm);
		snprintf(job->id, sizeof(job->id), "%.150s/%d.%d", comm->name, comm->n_children,
			 color);
		for (char *c = job->id; *c; c++)
			if (*c == '/')
				*c = '_';
	}
	log_line("split %s %d color=%d key=%d config=%d", comm->name, comm->rank, color, key,
		 config != NULL);
	return group_add_child(job, __func__);
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Where the member stands among those that stay. */
static ncclResult_t place_in_shrink(struct job *job, int *excluded, int n_excluded)
{
	const struct ncclComm *parent = job->parent;

	qsort(excluded, (size_t)n_excluded, sizeof(*excluded), by_number);
	job->n = parent->n - n_excluded;
	job->rank = parent->rank;
	for (int i = 0; i < n_excluded; i++) {
		if (excluded[i] < 0 || excluded[i] >= parent->n || excluded[i] == parent->rank)
			return log_fault(ncclInvalidArgument, "ncclCommShrink: excludes rank %d",
					 excluded[i]);
		job->rank -= excluded[i] < parent->rank;
	}
	snprintf(job->id, sizeof(job->id), "%.140s_s%d.%llx", parent->name, parent->n_children,
		 (unsigned long long)sum_of(excluded, (size_t)n_excluded * sizeof(int)));
	return ncclSuccess;
}

NCCL_FUNCTION(ncclResult_t, ncclCommShrink, ncclComm_t comm, int *excluded, int n_excluded,
	      ncclComm_t *child, ncclConfig_t *config, int flags)
{
	ncclResult_t rc = comm_check(comm, __func__);
	struct job *job;

	if (!rc && !(flags & 1)) /* else: whatever became of it */
		rc = comm_ready(comm, __func__);
	if (!rc && (!child || !excluded || n_excluded < 1))
		rc = log_fault(ncclInvalidArgument, "%s", __func__);
	job = rc ? NULL : calloc(1, sizeof(*job));
	if (!job)
		return group_fail(rc ? rc : ncclSystemError);
	job->func = FUNC_SHRINK;
	job->parent = comm;
	job->result = child;
	comm->n_children++;
	rc = place_in_shrink(job, excluded, n_excluded);
	if (!rc)
		job->comm = comm_create(config, comm);
	if (!job->comm) {
		free(job);
		return group_fail(rc ? rc : ncclInvalidArgument);
	}
	if (flags & 1) {
		atomic_store(&comm->stop, true);
		comm_idle(comm);
		atomic_store(&comm->stop, false);
		atomic_store(&comm->state, ncclSuccess);
	}
	*child = NULL;
	log_line("shrink %s %d", comm->name, comm->rank);
	return group_add_child(job, __func__);
}

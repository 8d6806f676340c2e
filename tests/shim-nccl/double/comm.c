/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.c - the communicators of a process: who they are and whether
 * they live */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t process_changed = PTHREAD_COND_INITIALIZER;
static struct ncclComm *first_comm;

struct ncclComm *comm_first(void)
{
	return first_comm;
}

/* The device that the thread has chosen, where the program says by which cudaGetDevice of its
 * own. */
static int current_device(void)
{
	int (*get)(int *) = (int (*)(int *))dlsym(RTLD_DEFAULT, "cudaGetDevice");
	int device = 0;

	return get && !get(&device) ? device : 0;
}

static bool is_set(const ncclConfig_t *config, size_t end, int value)
{
	return config && config->size >= end && value != NCCL_CONFIG_UNDEF_INT;
}

#define CONFIG_END(member) (offsetof(ncclConfig_t, member) + sizeof(((ncclConfig_t *)NULL)->member))

struct ncclComm *comm_create(const ncclConfig_t *config, const struct ncclComm *parent)
{
	const char *blocking = getenv("NCCL_COMM_BLOCKING");
	struct ncclComm *comm;

	if (config && config->magic != NCCL_API_MAGIC) {
		log_fault(ncclInvalidArgument, "a config without its magic");
		return NULL;
	}
	comm = calloc(1, sizeof(*comm));
	if (!comm)
		return NULL;
	comm->n_sharing = malloc(sizeof(*comm->n_sharing));
	if (!comm->n_sharing) {
		free(comm);
		return NULL;
	}
	*comm->n_sharing = 1;
	comm->rank = -1;
	comm->blocking = !config && parent ? parent->blocking : true;
	comm->split_share = !config && parent && parent->split_share;
	if (is_set(config, CONFIG_END(blocking), config ? config->blocking : 0))
		comm->blocking = config->blocking;
	if (is_set(config, CONFIG_END(split_share), config ? config->split_share : 0))
		comm->split_share = config->split_share;
	if (blocking && *blocking)
		comm->blocking = strcmp(blocking, "0") != 0;
	comm->device = parent ? parent->device : current_device();
	comm->place.stop = &comm->stop;
	atomic_store(&comm->state, ncclInProgress);
	pthread_mutex_lock(&process_lock);
	comm->live = true;
	comm->serial = first_comm ? first_comm->serial + 1 : 0;
	comm->next = first_comm;
	first_comm = comm;
	pthread_mutex_unlock(&process_lock);
	return comm;
}

void comm_share(struct ncclComm *child, struct ncclComm *parent)
{
	pthread_mutex_lock(&process_lock);
	free(child->n_sharing);
	child->n_sharing = parent->n_sharing;
	++*child->n_sharing;
	pthread_mutex_unlock(&process_lock);
}

ncclResult_t comm_check(const struct ncclComm *comm, const char *caller)
{
	const struct ncclComm *c;
	bool live;

	if (!comm)
		return log_fault(ncclInvalidArgument, "%s: no communicator", caller);
	pthread_mutex_lock(&process_lock);
	for (c = first_comm; c && c != comm; c = c->next)
		;
	live = c && c->live;
	pthread_mutex_unlock(&process_lock);
	if (!live)
		return log_fault(ncclInvalidArgument, "%s: %s", caller,
				 c ? "the communicator was destroyed" : "not a communicator");
	return ncclSuccess;
}

ncclResult_t comm_ready(struct ncclComm *comm, const char *caller)
{
	ncclResult_t rc = comm_check(comm, caller), state;

	if (rc)
		return rc;
	/* as the real one: by the public name */
	rc = ncclCommGetAsyncError(comm, &state);
	if (rc)
		return rc;
	if (state == ncclInProgress)
		return log_fault(ncclInvalidArgument, "%s: %s is still in progress", caller,
				 comm->name);
	return state;
}

/* "h1:0,h0:0": the members in the order of their ranks. */
static void say_members(const struct ncclComm *comm, const char *how)
{
	char who[BOARD_SEATS * (BOARD_WHO + 1)] = "";
	size_t len = 0;

	for (int r = 0; r < comm->n && len < sizeof(who); r++)
		len += (size_t)snprintf(who + len, sizeof(who) - len, "%s%s", r ? "," : "",
					board_who(&comm->place, r));
	log_line("comm %s n=%d share=%d blocking=%d by=%s order=%s", comm->name, comm->n,
		 comm->split_share, comm->blocking, how, who);
}

ncclResult_t comm_seat(struct ncclComm *comm, const char *name, int n, int rank, const char *how)
{
	ncclResult_t rc;

	snprintf(comm->name, sizeof(comm->name), "%s", name);
	rc = board_join(&comm->place, name, n, rank);
	if (rc)
		return rc;
	comm->n = n;
	comm->rank = rank;
	if (rank == 0)
		say_members(comm, how);
	return ncclSuccess;
}

void comm_idle(struct ncclComm *comm)
{
	pthread_mutex_lock(&process_lock);
	while (comm->n_running)
		pthread_cond_wait(&process_changed, &process_lock);
	pthread_mutex_unlock(&process_lock);
}

void comm_release(struct ncclComm *comm, const char *how)
{
	comm_idle(comm);
	pthread_mutex_lock(&process_lock);
	comm->live = false;
	if (--*comm->n_sharing == 0)
		free(comm->n_sharing);
	comm->n_sharing = NULL;
	pthread_mutex_unlock(&process_lock);
	log_line("end %s %d %s", comm->name, comm->rank, how);
	if (!comm->place.board)
		return;
	if (!strcmp(how, "destroy") && !atomic_load(&comm->stop)) {
		if (board_unread(&comm->place))
			log_fault(ncclInvalidUsage, "%s %d: messages were never received",
				  comm->name, comm->rank);
		held_report(comm);
	}
	board_leave(&comm->place);
}

/* What a program leaves behind when it ends. */
__attribute__((destructor)) static void report_left(void)
{
	for (const struct ncclComm *c = first_comm; c; c = c->next)
		if (c->live)
			log_line("left %s %d", c->name, c->rank);
}

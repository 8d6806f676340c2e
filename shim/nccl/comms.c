/* SPDX-License-Identifier: BSD-3-Clause */
/* comms.c - the program's communicators and the hidden ones beside them */
#include "config.h"

#include "shim/nccl/comms.h"

#include "base/mem.h"

#include <stdlib.h>

struct pl_handles pl_nccl_comms;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pl_nccl_comm *unused;

static struct pl_nccl_comm *take_unused(void)
{
	struct pl_nccl_comm *comm = unused;

	if (comm) {
		unused = comm->next;
		comm->next = NULL;
		return comm;
	}
	comm = pl_array_create(1, sizeof(*comm));
	if (comm)
		pthread_mutex_init(&comm->lock, NULL);
	return comm;
}

struct pl_nccl_comm *pl_comms_add(ncclComm_t app, struct pl_showing *showing)
{
	struct pl_nccl_comm *comm;

	pthread_mutex_lock(&lock);
	comm = take_unused();
	if (comm) {
		comm->app = app;
		comm->making = PL_MAKING_WAITS;
		comm->showing = *showing;
		if (pl_handles_put(&pl_nccl_comms, app, comm)) {
			comm->next = unused;
			unused = comm;
			comm = NULL;
		}
	}
	pthread_mutex_unlock(&lock);
	if (comm)
		showing->fd = -1;
	else
		pl_same_host_hide(showing);
	return comm;
}

void pl_comms_forget(struct pl_nccl_comm *comm)
{
	pthread_mutex_lock(&lock);
	pl_handles_remove(&pl_nccl_comms, comm->app);
	pthread_mutex_unlock(&lock);
}

void pl_comms_release(struct pl_nccl_comm *comm)
{
	pthread_mutex_lock(&lock);
	comm->app = NULL;
	__atomic_store_n(&comm->shadow, NULL, __ATOMIC_RELEASE);
	free(comm->rank_in);
	free(comm->ops.v);
	free(comm->registered.v);
	comm->rank_in = NULL;
	comm->ops = comm->registered = (struct pl_twins){0};
	comm->voted = NULL;
	comm->levels = (struct pl_nccl_levels){0};
	comm->is_nonblocking = false;
	comm->n = comm->round = 0;
	comm->n_calls = 0;
	comm->since_s = 0;
	comm->on_one_host = false;
	pl_same_host_hide(&comm->showing);
	comm->next = unused;
	unused = comm;
	pthread_mutex_unlock(&lock);
}

size_t pl_comm_hidden(const struct pl_nccl_comm *comm, ncclComm_t hidden[PL_HIDDEN_MAX])
{
	size_t n = 0;

	if (__atomic_load_n(&comm->making, __ATOMIC_ACQUIRE) != PL_MAKING_DONE)
		return 0;
	if (pl_comm_shadow(comm))
		hidden[n++] = pl_comm_shadow(comm);
	if (comm->levels.group)
		hidden[n++] = comm->levels.group;
	if (comm->levels.across)
		hidden[n++] = comm->levels.across;
	return n;
}

struct pl_twin *pl_twins_find(struct pl_twins *twins, const void *of_app)
{
	for (size_t i = 0; i < twins->n; i++)
		if (twins->v[i].of_app == of_app)
			return &twins->v[i];
	return NULL;
}

int pl_twins_add(struct pl_twins *twins, void *of_app, void *of_shadow)
{
	if (pl_array_grow((void **)&twins->v, &twins->room, twins->n, sizeof(*twins->v)))
		return -1;
	twins->v[twins->n++] = (struct pl_twin){of_app, of_shadow};
	return 0;
}

void pl_twins_remove(struct pl_twins *twins, struct pl_twin *twin)
{
	*twin = twins->v[--twins->n];
}

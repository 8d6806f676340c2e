/* SPDX-License-Identifier: BSD-3-Clause */
/* comms.c - the program's communicators and the hidden ones beside them */
#include "config.h"

#include "shim/nccl/comms.h"

#include "src/mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64

struct pl_nccl_table *pl_nccl_comms;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t n_taken; /* slots of the table that were ever used */
static struct pl_nccl_comm *unused;

/* For the table of keys: a slot whose record was removed. */
static char removed_key;
#define REMOVED ((ncclComm_t)(void *)&removed_key)

static void put(struct pl_nccl_table *table, struct pl_nccl_comm *comm)
{
	size_t i = pl_comms_hash(comm->app);
	struct pl_nccl_slot *slot;

	do
		slot = &table->slot[i++ & table->mask];
	while (slot->app && slot->app != REMOVED);
	if (!slot->app)
		n_taken++;
	__atomic_store_n(&slot->comm, comm, __ATOMIC_RELEASE);
	__atomic_store_n(&slot->app, comm->app, __ATOMIC_RELEASE);
}

/* The records that are there, in a table with room for as many again. The old one
 * stays for those that are reading it. */
static struct pl_nccl_table *grown(const struct pl_nccl_table *old)
{
	struct pl_nccl_table *table;
	size_t n = 0, slots = FIRST_SLOTS;

	for (size_t i = 0; old && i <= old->mask; i++)
		n += old->slot[i].app && old->slot[i].app != REMOVED;
	while (slots < 4 * (n + 1))
		slots *= 2;
	table = calloc(1, sizeof(*table) + slots * sizeof(table->slot[0]));
	if (!table)
		return NULL;
	table->older = old;
	table->mask = slots - 1;
	n_taken = 0;
	for (size_t i = 0; old && i <= old->mask; i++)
		if (old->slot[i].app && old->slot[i].app != REMOVED)
			put(table, old->slot[i].comm);
	return table;
}

static int insert(struct pl_nccl_comm *comm)
{
	struct pl_nccl_table *table = pl_nccl_comms;

	if (!table || 2 * (n_taken + 1) > table->mask + 1) {
		table = grown(table);
		if (!table)
			return -1;
		__atomic_store_n(&pl_nccl_comms, table, __ATOMIC_RELEASE);
	}
	put(table, comm);
	return 0;
}

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
		if (insert(comm)) {
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
	struct pl_nccl_slot *slot;
	size_t i = pl_comms_hash(comm->app);

	pthread_mutex_lock(&lock);
	do
		slot = &pl_nccl_comms->slot[i++ & pl_nccl_comms->mask];
	while (slot->app && slot->app != comm->app);
	if (slot->app)
		__atomic_store_n(&slot->app, REMOVED, __ATOMIC_RELEASE);
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
	comm->n = comm->round = 0;
	comm->n_calls = 0;
	comm->on_one_host = false;
	pl_same_host_hide(&comm->showing);
	comm->next = unused;
	unused = comm;
	pthread_mutex_unlock(&lock);
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
	if (pl_array_grow((void **)&twins->v, &twins->room, twins->n,
			  sizeof(*twins->v)))
		return -1;
	twins->v[twins->n++] = (struct pl_twin){of_app, of_shadow};
	return 0;
}

void pl_twins_remove(struct pl_twins *twins, struct pl_twin *twin)
{
	*twin = twins->v[--twins->n];
}

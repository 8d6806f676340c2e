/* SPDX-License-Identifier: BSD-3-Clause */
/* handles.c - a table of what belongs to NCCL's handles */
#include "config.h"

#include "shim/nccl/handles.h"

#include <stdbool.h>
#include <stdlib.h>

#define FIRST_SLOTS 64

/* In the place of a handle that was removed. */
static const char removed_handle;
#define REMOVED ((const void *)&removed_handle)

static bool is_used(const struct pl_handle_slot *slot)
{
	return slot->handle && slot->handle != REMOVED;
}

/* The slot of @handle, or the empty one behind all that it may be in. */
static struct pl_handle_slot *find_slot(struct pl_handle_table *table, const void *handle)
{
	size_t i = pl_handles_hash(handle);
	struct pl_handle_slot *slot;

	do
		slot = &table->slot[i++ & table->mask];
	while (slot->handle && slot->handle != handle);
	return slot;
}

/* One that is not there yet: where another was removed, if one was. */
static void add(struct pl_handles *handles, const void *handle, void *value)
{
	struct pl_handle_table *table = handles->table;
	size_t i = pl_handles_hash(handle);
	struct pl_handle_slot *slot;

	do
		slot = &table->slot[i++ & table->mask];
	while (is_used(slot));
	if (!slot->handle)
		handles->n_taken++;
	__atomic_store_n(&slot->value, value, __ATOMIC_RELEASE);
	__atomic_store_n(&slot->handle, handle, __ATOMIC_RELEASE);
}

/* What is there, in a table with room for as many again. The old one stays for those that are
 * reading it. */
static int grow(struct pl_handles *handles)
{
	const struct pl_handle_table *old = handles->table;
	struct pl_handles grown = {0};
	size_t n = 0, slots = FIRST_SLOTS;

	for (size_t i = 0; old && i <= old->mask; i++)
		n += is_used(&old->slot[i]);
	while (slots < 4 * (n + 1))
		slots *= 2;
	grown.table = calloc(1, sizeof(*old) + slots * sizeof(old->slot[0]));
	if (!grown.table)
		return -1;
	grown.table->older = old;
	grown.table->mask = slots - 1;
	for (size_t i = 0; old && i <= old->mask; i++)
		if (is_used(&old->slot[i]))
			add(&grown, old->slot[i].handle, old->slot[i].value);
	handles->n_taken = grown.n_taken;
	__atomic_store_n(&handles->table, grown.table, __ATOMIC_RELEASE);
	return 0;
}

int pl_handles_put(struct pl_handles *handles, const void *handle, void *value)
{
	struct pl_handle_slot *slot = handles->table ? find_slot(handles->table, handle) : NULL;

	if (slot && slot->handle) {
		__atomic_store_n(&slot->value, value, __ATOMIC_RELEASE);
		return 0;
	}
	if ((!slot || 2 * (handles->n_taken + 1) > handles->table->mask + 1) && grow(handles))
		return -1;
	add(handles, handle, value);
	return 0;
}

void *pl_handles_remove(struct pl_handles *handles, const void *handle)
{
	struct pl_handle_slot *slot = handles->table ? find_slot(handles->table, handle) : NULL;

	if (!slot || !slot->handle)
		return NULL;
	__atomic_store_n(&slot->handle, REMOVED, __ATOMIC_RELEASE);
	return slot->value;
}

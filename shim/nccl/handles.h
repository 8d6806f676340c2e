/* SPDX-License-Identifier: BSD-3-Clause */
/* handles.h - a table of values by NCCL's handles */
/*
 * Readers take no lock; writers must exclude one another. A full table is replaced as a whole and
 * never freed, because a thread may still be reading it. Handles are addresses, which NCCL uses
 * again: remove a handle before NCCL can give the same one to another object.
 */
#ifndef PLINK_SHIM_NCCL_HANDLES_H
#define PLINK_SHIM_NCCL_HANDLES_H

#include <stddef.h>
#include <stdint.h>

struct pl_handle_slot {
	const void *handle;
	void *value;
};
struct pl_handle_table {
	const struct pl_handle_table *older; /* the table before this one */
	size_t mask;                         /* number of slots - 1; some slots are always empty */
	struct pl_handle_slot slot[];
};

/* {0} is an empty table. */
struct pl_handles {
	struct pl_handle_table *table;
	size_t n_taken; /* slots of the table that were ever used */
};

/* Sets the value of @handle. 0, or -1: no memory, and nothing has changed. */
int pl_handles_put(struct pl_handles *handles, const void *handle, void *value);

/* Removes @handle. Its value, or NULL if it was not in the table. */
void *pl_handles_remove(struct pl_handles *handles, const void *handle);

static inline size_t pl_handles_hash(const void *handle)
{
	const uint64_t x = (uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(x >> 32);
}

/* The value of @handle, or NULL. */
static inline void *pl_handles_find(const struct pl_handles *handles, const void *handle)
{
	const struct pl_handle_table *table = __atomic_load_n(&handles->table, __ATOMIC_ACQUIRE);

	if (!table || !handle)
		return NULL;
	for (size_t i = pl_handles_hash(handle);; i++) {
		const struct pl_handle_slot *slot = &table->slot[i & table->mask];
		const void *found = __atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE);

		if (found == handle)
			return __atomic_load_n(&slot->value, __ATOMIC_ACQUIRE);
		if (!found)
			return NULL;
	}
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* handles.h - a table of what belongs to NCCL's handles */
/*
 * Read without a lock; who changes it must be alone in that. A table is
 * replaced as a whole when it is full, and never freed. Handles are addresses,
 * which NCCL uses again: what is gone has to be removed before the next one can
 * come.
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
	const struct pl_handle_table *older; /* the one before */
	size_t mask; /* slots - 1, of which some are always empty */
	struct pl_handle_slot slot[];
};

/* {0}: nothing is in it. */
struct pl_handles {
	struct pl_handle_table *table;
	size_t n_taken; /* slots of it that were ever used */
};

/* What belongs to @handle from now on. 0, or -1: no memory. */
int pl_handles_put(struct pl_handles *handles, const void *handle, void *value);

/* Nothing does any more; what did, or NULL. */
void *pl_handles_remove(struct pl_handles *handles, const void *handle);

static inline size_t pl_handles_hash(const void *handle)
{
	const uint64_t x =
		(uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(x >> 32);
}

/* What belongs to @handle, or NULL. */
static inline void *pl_handles_find(const struct pl_handles *handles,
				    const void *handle)
{
	const struct pl_handle_table *table =
		__atomic_load_n(&handles->table, __ATOMIC_ACQUIRE);

	if (!table || !handle)
		return NULL;
	for (size_t i = pl_handles_hash(handle);; i++) {
		const struct pl_handle_slot *slot =
			&table->slot[i & table->mask];
		const void *found =
			__atomic_load_n(&slot->handle, __ATOMIC_ACQUIRE);

		if (found == handle)
			return __atomic_load_n(&slot->value, __ATOMIC_ACQUIRE);
		if (!found)
			return NULL;
	}
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* keys.h - the parameters of a job, by key, and calls that push and pull them
 */
/*
 * In each schedule whose slices are added up by one member before any result is sent, that member,
 * a hub mostly, has the parameters of the slice: a push goes as far as the sum, of which it makes
 * new parameters; a pull is the rest.
 */
#ifndef PLINK_ENGINE_KEYS_H
#define PLINK_ENGINE_KEYS_H

#include "base/err.h"
#include "engine/allreduce.h"
#include "engine/hub.h"
#include "engine/update.h"

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}, end with fini. */
struct pl_keys {
	struct pl_parameters *v; /* [room] by key; n of them may be known */
	size_t n, room;
};

#define PL_KEYS_MAX 65536

void pl_keys_fini(struct pl_keys *keys);

/*
 * Prepares a call for what @told says, which is no all-reduce; *p are the
 * parameters of its key. A sum makes parameters that are not known; @keeps:
 * this member may have some of them. 0, or -1 with @err set and nothing
 * changed: PL_EUSAGE for a key without parameters, with another number of
 * them, or too high; PL_EINPUT for a rule that does not exist; PL_ESYSTEM for
 * memory.
 */
int pl_keys_prepare(struct pl_keys *keys, const struct pl_hub_call *told, bool keeps,
		    struct pl_allreduce_call *call, struct pl_parameters **p, struct pl_err *err);

#endif

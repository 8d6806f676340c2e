/* SPDX-License-Identifier: BSD-3-Clause */
/* keys.c - the parameters of a job, by key, and calls that push and pull them
 */
#include "config.h"

#include "engine/keys.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void pl_keys_fini(struct pl_keys *keys)
{
	for (size_t i = 0; i < keys->n; i++)
		pl_parameters_fini(&keys->v[i]);
	free(keys->v);
	memset(keys, 0, sizeof(*keys));
}

static int make_room(struct pl_keys *keys, uint32_t key, struct pl_err *err)
{
	if (key >= PL_KEYS_MAX)
		return pl_err_set(err, PL_EUSAGE, "key %" PRIu32 ": the highest one is %d", key,
				  PL_KEYS_MAX - 1);
	while (keys->n <= key) {
		void *array = keys->v;

		if (pl_array_grow(&array, &keys->room, keys->n, sizeof(*keys->v)))
			return pl_err_nomem(err);
		keys->v = array;
		keys->v[keys->n++] = (struct pl_parameters){.count = 0};
	}
	return 0;
}

/* Makes parameters that are to be stored first. */
static int find(struct pl_keys *keys, const struct pl_hub_call *told, bool keeps,
		struct pl_parameters **p, struct pl_err *err)
{
	if (make_room(keys, told->key, err))
		return -1;
	*p = &keys->v[told->key];
	if ((*p)->count == told->count)
		return 0;
	if ((*p)->count > 0)
		return pl_err_set(err, PL_EUSAGE,
				  "key %" PRIu32 " has %zu parameters, not %" PRIu64, told->key,
				  (*p)->count, told->count);
	if (told->what != PL_HUB_PUSH_PULL || told->update.rule != PL_UPDATE_SUM)
		return pl_err_set(err, PL_EUSAGE, "key %" PRIu32 " has no parameters yet",
				  told->key);
	if (keeps && pl_parameters_init(*p, told->count))
		return pl_err_nomem(err);
	(*p)->count = told->count;
	return 0;
}

int pl_keys_prepare(struct pl_keys *keys, const struct pl_hub_call *told, bool keeps,
		    struct pl_allreduce_call *call, struct pl_parameters **p, struct pl_err *err)
{
	static const enum pl_allreduce_half half[PL_HUB_WHATS] = {[PL_HUB_PUSH] = PL_PUSH_HALF,
								  [PL_HUB_PULL] = PL_PULL_HALF,
								  [PL_HUB_PUSH_PULL] =
									  PL_BOTH_HALVES};

	if (find(keys, told, keeps, p, err))
		return -1;
	call->half = half[told->what];
	if (told->what == PL_HUB_PULL || !keeps)
		return 0;
	call->finish = pl_parameters_update;
	call->finish_with = *p;
	return pl_parameters_begin(*p, &told->update, err);
}

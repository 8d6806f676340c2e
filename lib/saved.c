/* SPDX-License-Identifier: BSD-3-Clause */
/* saved.c - a plan's orders as programs see them */
#include "config.h"

#include "lib/parts.h"

#include <stdlib.h>
#include <string.h>

struct pl_saved {
	struct pl_plan plan;
};

struct pl_saved *pl_saved_read(const char *path, struct pl_error *error)
{
	struct pl_saved *saved = calloc(1, sizeof(*saved));
	struct pl_err err;

	if (!saved) {
		pl_lib_nomem(error);
	} else if (pl_plan_read(&saved->plan, path, &err)) {
		pl_lib_fail(error, &err);
		free(saved);
		saved = NULL;
	}
	return saved;
}

size_t pl_saved_hosts(const struct pl_saved *saved)
{
	return saved->plan.hosts.n;
}

const char *pl_saved_name(const struct pl_saved *saved, size_t host)
{
	return host < saved->plan.hosts.n ? saved->plan.hosts.v[host].name : NULL;
}

const size_t *pl_saved_order(const struct pl_saved *saved, const char *collective, uint64_t bytes)
{
	for (size_t i = 0; i < saved->plan.n_orders; i++) {
		const struct pl_order *order = &saved->plan.order[i];

		if (!collective)
			return order->host_at;
		if (strcmp(order->collective, collective) == 0 && bytes >= order->size_min &&
		    bytes <= order->size_max)
			return order->host_at;
	}
	return NULL;
}

void pl_saved_destroy(struct pl_saved *saved)
{
	if (saved)
		pl_plan_fini(&saved->plan);
	free(saved);
}

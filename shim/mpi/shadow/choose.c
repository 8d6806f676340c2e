/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.c - which order of a plan a collective call takes */
#include "config.h"

#include "shim/mpi/shadow/choose.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[PL_SHADOW_KINDS] = {
	[PL_SHADOW_ALLREDUCE] = "allreduce", [PL_SHADOW_BROADCAST] = "broadcast",
	[PL_SHADOW_REDUCE] = "reduce",       [PL_SHADOW_BARRIER] = "barrier",
	[PL_SHADOW_ALLGATHER] = "allgather",
};

const char *pl_shadow_kind_name(enum pl_shadow_kind kind)
{
	return kind_names[kind];
}

/* Calls of MPI run by what was made for MPI or for no library at all. */
static bool is_for_mpi(const struct pl_order *order)
{
	static const char *const others[] = {"gloo", "nccl", "lightgbm"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(order->impl, others[i]) == 0)
			return false;
	return true;
}

static bool is_for(const struct pl_order *order, enum pl_shadow_kind kind)
{
	return is_for_mpi(order) && strcmp(order->collective, kind_names[kind]) == 0;
}

/* The first order that places the hosts as that one does. */
static size_t first_like(const struct pl_plan *plan, size_t order)
{
	const size_t bytes = plan->hosts.n * sizeof(*plan->order->host_at);
	size_t i = 0;

	while (memcmp(plan->order[i].host_at, plan->order[order].host_at, bytes) != 0)
		i++;
	return i;
}

static void add_line(struct pl_shadow_lines *lines, const struct pl_plan *plan, size_t at)
{
	const struct pl_order *order = &plan->order[at];

	lines->line[lines->n++] = (struct pl_shadow_line){
		.size_min = order->size_min,
		.size_max = order->size_max,
		.root = order->root,
		.order = first_like(plan, at),
		.at = at,
	};
}

/* Would calls of other sizes take another order? */
static bool depends_on_size(const struct pl_shadow_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->line[i].size_min > 0 || lines->line[i].size_max < UINT64_MAX)
			return true;
	return false;
}

static int lines_init(struct pl_shadow_lines *lines, const struct pl_plan *plan,
		      enum pl_shadow_kind kind)
{
	lines->line = pl_array_create(plan->n_orders, sizeof(*lines->line));
	if (!lines->line)
		return -1;
	for (size_t at = 0; at < plan->n_orders; at++)
		if (is_for(&plan->order[at], kind))
			add_line(lines, plan, at);
	lines->otherwise = 0;
	lines->sized = depends_on_size(lines);
	return 0;
}

int pl_shadow_choice_init(struct pl_shadow_choice *choice, const struct pl_plan *plan,
			  struct pl_err *err)
{
	for (enum pl_shadow_kind kind = 0; kind < PL_SHADOW_KINDS; kind++)
		if (lines_init(&choice->of[kind], plan, kind)) {
			pl_shadow_choice_fini(choice);
			return pl_err_nomem(err);
		}
	return 0;
}

void pl_shadow_choice_fini(struct pl_shadow_choice *choice)
{
	for (enum pl_shadow_kind kind = 0; kind < PL_SHADOW_KINDS; kind++)
		free(choice->of[kind].line);
	memset(choice, 0, sizeof(*choice));
}

bool pl_shadow_is_used(const struct pl_shadow_choice *choice, size_t order)
{
	for (enum pl_shadow_kind kind = 0; kind < PL_SHADOW_KINDS; kind++) {
		const struct pl_shadow_lines *lines = &choice->of[kind];

		if (lines->otherwise == order)
			return true;
		for (size_t i = 0; i < lines->n; i++)
			if (lines->line[i].order == order)
				return true;
	}
	return false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* begin.c - shadow mode's life: from MPI_Init to MPI_Finalize */
#include "config.h"

#include "shim/mpi/shadow/shadow.h"

#include "shim/mpi/refuse.h"
#include "shim/plan.h"
#include "shim/say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool pl_shadow_is_on;
struct pl_shadow_choice pl_shadow_choice;
struct pl_plan pl_shadow_plan;
int *pl_shadow_host_of;
MPI_Group pl_shadow_world = MPI_GROUP_NULL;

/* The names of the hosts by position, as far as there is room. */
static void list_hosts(const struct pl_order *order, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t pos = 0; pos < pl_shadow_plan.hosts.n && len < size; pos++)
		len += (size_t)snprintf(buf + len, size - len, " %s",
					pl_shadow_plan.hosts.v[order->host_at[pos]].name);
}

/* "WHAT: broadcast binomial openmpi: h1 h0" */
static void say_order(const char *what, size_t at)
{
	const struct pl_order *order = &pl_shadow_plan.order[at];
	char hosts[1024], gain[PL_GAIN_CHARS];

	list_hosts(order, hosts, sizeof(hosts));
	pl_shim_say("%s: %s %s %s%s:%s", what, order->collective, order->algorithm, order->impl,
		    pl_shim_gain(gain, order), hosts);
}

static void say_line(const char *kind, const struct pl_shadow_line *line)
{
	char what[128], last[24] = "", root[32] = "";

	if (line->size_max < UINT64_MAX)
		snprintf(last, sizeof(last), "%" PRIu64, line->size_max);
	if (line->root)
		snprintf(root, sizeof(root), ", root at %" PRIu64, line->root);
	snprintf(what, sizeof(what), "%s %" PRIu64 "-%s%s", kind, line->size_min, last, root);
	say_order(what, line->at);
}

/* Is a line for all sizes? */
static bool covers_all(const struct pl_shadow_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		if (lines->line[i].size_min == 0 && lines->line[i].size_max == UINT64_MAX)
			return true;
	return false;
}

static void say_kind(enum pl_shadow_kind kind)
{
	const struct pl_shadow_lines *lines = &pl_shadow_choice.of[kind];
	const char *name = pl_shadow_kind_name(kind);
	char what[64];

	for (size_t i = 0; i < lines->n; i++)
		say_line(name, &lines->line[i]);
	if (covers_all(lines))
		return;
	snprintf(what, sizeof(what), "%s%s", name, lines->n ? " of other sizes" : "");
	say_order(what, lines->otherwise);
}

static bool is_line(size_t at)
{
	for (enum pl_shadow_kind kind = 0; kind < PL_SHADOW_KINDS; kind++)
		for (size_t i = 0; i < pl_shadow_choice.of[kind].n; i++)
			if (pl_shadow_choice.of[kind].line[i].at == at)
				return true;
	return false;
}

static void say_orders(const char *path)
{
	pl_shim_say("mode shadow, %s: ranks stay; collective, bytes: order: hosts", path);
	for (enum pl_shadow_kind kind = 0; kind < PL_SHADOW_KINDS; kind++)
		say_kind(kind);
	for (size_t at = 1; at < pl_shadow_plan.n_orders; at++)
		if (!is_line(at))
			say_order("none", at);
}

static void end(void)
{
	pl_shadow_is_on = false;
	pl_shadow_records_fini();
	pl_shadow_handler_fini();
	PMPI_Group_free(&pl_shadow_world);
	pl_shadow_choice_fini(&pl_shadow_choice);
	pl_plan_fini(&pl_shadow_plan);
	free(pl_shadow_host_of);
	pl_shadow_host_of = NULL;
}

/* The world's shadows. How many of them cannot be made. */
static size_t make_shadows(const struct pl_shadow_record *world)
{
	size_t n_failed = 0;

	for (size_t i = 0; i < world->n_own; i++)
		if (!pl_shadow_make(world, &world->own[i]))
			n_failed++;
	return n_failed;
}

bool pl_shadow_begin_take(struct pl_plan *plan, int **host_of, const char *path)
{
	const struct pl_shadow_record *world;
	size_t n_failed;

	pl_shadow_plan = *plan;
	*plan = (struct pl_plan){0};
	pl_shadow_host_of = *host_of;
	*host_of = NULL;
	if (pl_shadow_choice_init(&pl_shadow_choice, &pl_shadow_plan, NULL))
		pl_mpi_no_memory();
	PMPI_Comm_group(MPI_COMM_WORLD, &pl_shadow_world);
	pl_shadow_handler_init();
	if (path)
		say_orders(path);
	world = pl_shadow_find(MPI_COMM_WORLD);
	if (world->n_own == 0) {
		if (path)
			pl_shim_say("no order changes any rank: standing aside");
		end();
		return false;
	}
	n_failed = make_shadows(world);
	if (path && n_failed)
		pl_shim_say("no communicator can be made for %zu of %zu orders: their calls stay "
			    "on MPI_COMM_WORLD",
			    n_failed, world->n_own);
	pl_mpi_at_finalize(end);
	pl_shadow_is_on = true;
	return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c - the order or schedule that this process is to follow */
#include "config.h"

#include "shim/nccl/order.h"

#include "base/mem.h"
#include "base/text/text.h"
#include "shim/plan.h"
#include "shim/say.h"
#include "shim/self.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)256 << 20) /* bytes in a file */
#define DIGEST_BITS 28

#define VERSION_ORDER 22600 /* NCCL_LAUNCH_ORDER_IMPLICIT */

static const char implicit[] = "NCCL_LAUNCH_ORDER_IMPLICIT";

static struct pl_nccl_order the_order;
static int *host_given, *host_planned; /* [n_slots] */

/* FNV-1a of the file's text. */
static uint32_t digest_of(const struct pl_text *text)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < text->len; i++)
		hash = (hash ^ (unsigned char)text->data[i]) * 16777619u;
	return (hash ^ hash >> DIGEST_BITS) & ((1u << DIGEST_BITS) - 1);
}

static const struct pl_order *choose(const struct pl_plan *plan)
{
	for (size_t i = 0; i < plan->n_orders; i++)
		if (strcmp(plan->order[i].collective, "allreduce") == 0 &&
		    strcmp(plan->order[i].impl, "nccl") == 0)
			return &plan->order[i];
	return &plan->order[0];
}

static int find_host(struct pl_nccl_order *order, struct pl_err *err)
{
	struct pl_self self = {0};
	int host;

	if (pl_self_init(&self, err))
		return -1;
	host = pl_self_find(&self, &order->plan.hosts);
	order->host = (size_t)host;
	order->is_own_fault = host < 0;
	if (host < 0)
		pl_err_set(err, PL_EPARTIAL,
			   "%s: %s host of the %s is \"%s\": name one in PLINK_HOST", order->path,
			   host == PL_SELF_AMBIGUOUS ? "more than one" : "no",
			   order->two_level ? "schedule" : "plan",
			   self.named ? self.named : self.node);
	else if (pl_self_check_same(&self, &order->plan.hosts.v[host], err))
		order->is_own_fault = true;
	pl_self_fini(&self);
	return order->is_own_fault ? -1 : 0;
}

/* The hosts of n_slots ranks, block by block; NULL: no memory. */
static int *blocks(const struct pl_nccl_order *order, bool planned)
{
	const struct pl_hosts *hosts = &order->plan.hosts;
	int *host_of = pl_array_create((size_t)order->n_slots, sizeof(int));
	size_t rank = 0;

	for (size_t pos = 0; host_of && pos < hosts->n; pos++) {
		const size_t host = planned ? order->order->host_at[pos] : pos;

		for (int i = 0; i < hosts->v[host].slots; i++)
			host_of[rank++] = (int)host;
	}
	return host_of;
}

static int place(struct pl_nccl_order *order, struct pl_err *err)
{
	if (find_host(order, err))
		return -1;
	order->n_slots = (int)pl_hosts_ranks(&order->plan.hosts);
	while (order->order->host_at[order->pos] != order->host)
		order->pos++;
	host_given = blocks(order, false);
	host_planned = blocks(order, true);
	return host_given && host_planned ? 0 : pl_err_nomem(err);
}

/* Does its first line say so? */
static bool is_schedule(const struct pl_text *text)
{
	static const char type[] = "plink-schedule";

	return memmem(text->data, strcspn(text->data, "\r\n"), type, sizeof(type) - 1) != NULL;
}

/* Once the groups are known, slices only take memory. */
static void drop_slices(struct pl_schedules *schedules)
{
	for (size_t i = 0; i < schedules->n; i++)
		pl_slices_fini(&schedules->schedule[i].slices);
}

/* The first of two levels. */
static int take_schedule(struct pl_nccl_order *order, struct pl_err *err)
{
	const struct pl_schedules *all = &order->schedules;
	size_t i = 0;

	while (i < all->n && strcmp(all->schedule[i].algorithm, "two-level"))
		i++;
	if (i == all->n)
		return pl_err_at(err, (struct pl_place){.file = order->path},
				 "no schedule is two-level, as those are that NCCL can run");
	order->two_level = &all->schedule[i];
	if (find_host(order, err))
		return -1;
	order->pos = order->host;
	order->n_slots = (int)pl_hosts_ranks(&order->plan.hosts);
	return pl_nccl_groups_find(&order->groups, &order->plan.hosts, order->host,
				   order->two_level->slices.slice, order->path, err);
}

static int read_schedule(struct pl_nccl_order *order, struct pl_text *text, struct pl_err *err)
{
	int rc = pl_schedules_parse(&order->schedules, text, err);

	if (rc || pl_schedules_without_aggregators(&order->schedules, err))
		return -1;
	order->plan = order->schedules.job;
	order->schedules.job = (struct pl_plan){0};
	rc = pl_shim_check_age(&order->plan, order->path, err);
	if (rc == 0)
		rc = take_schedule(order, err);
	drop_slices(&order->schedules);
	order->follows = rc == 0;
	return rc;
}

/* 0 also where there is nothing to follow, and nothing wrong with that. */
static int read_plan(struct pl_nccl_order *order, struct pl_text *text, struct pl_err *err)
{
	if (pl_plan_parse(&order->plan, text, err) ||
	    pl_shim_check_age(&order->plan, order->path, err))
		return -1;
	order->order = choose(&order->plan);
	if (pl_order_is_identity(order->order, order->plan.hosts.n))
		return 0;
	order->serves_rings = strcmp(order->order->algorithm, "ring") == 0;
	if (place(order, err))
		return -1;
	order->follows = true;
	return 0;
}

static void read_file(struct pl_nccl_order *order, struct pl_err *err)
{
	struct pl_text text;

	if (pl_text_load_file(&text, order->path, TEXT_MAX, err))
		return;
	order->digest = digest_of(&text);
	if (is_schedule(&text))
		read_schedule(order, &text, err);
	else
		read_plan(order, &text, err);
	pl_text_fini(&text);
}

static void read_once(void)
{
	struct pl_nccl_order *order = &the_order;

	order->strict = pl_shim_flag("PLINK_STRICT");
	order->verbose = pl_shim_flag("PLINK_VERBOSE");
	order->path = getenv("PLINK_PLAN");
	order->path = order->path ? strdup(order->path) : NULL;
	if (order->path && *order->path)
		read_file(order, &order->why);
	else if (order->strict)
		pl_err_set(&order->why, PL_EUSAGE, "PLINK_PLAN names no plan");
}

const struct pl_nccl_order *pl_order(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_once);
	return &the_order;
}

bool pl_order_refuses(void)
{
	return pl_order()->strict && (pl_order()->follows || pl_order()->why.code);
}

const int *pl_order_host_of(bool planned)
{
	if (!pl_order()->follows)
		return NULL;
	/* both NULL, too, with a schedule */
	return planned ? host_planned : host_given;
}

/* An empty variable is none for NCCL, too. */
void pl_order_before_open(void)
{
	const char *is = getenv(implicit);

	if (pl_order()->follows && !(is && *is))
		setenv(implicit, "1", 1);
}

/* As NCCL reads it: a word is 0, what is too large is none. */
static bool launches_in_order(void)
{
	const char *s = getenv(implicit);
	long long value;

	if (!s)
		return false;
	errno = 0;
	value = strtoll(s, NULL, 0);
	return value != 0 && errno == 0;
}

const char *pl_order_obstacle(int version)
{
	if (version < PL_VERSION_SPLIT)
		return "it has no ncclCommSplit, which came with 2.18";
	if (pl_shim_flag("PLINK_NCCL_ONE_STREAM"))
		return NULL;
	if (version < VERSION_ORDER)
		return "it cannot order the operations of two communicators (2.26 can): set "
		       "PLINK_NCCL_ONE_STREAM=1 if the program uses each communicator on one "
		       "stream only";
	if (!launches_in_order())
		return "NCCL_LAUNCH_ORDER_IMPLICIT is 0: unset it, or set PLINK_NCCL_ONE_STREAM=1 "
		       "if the program uses each communicator on one stream only";
	return NULL;
}

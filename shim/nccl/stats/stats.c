/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - PLINK_STATS: what this process calls, and how long that takes */
#include "config.h"

#include "shim/nccl/stats/stats.h"

#include "shim/nccl/order.h"
#include "shim/nccl/stats/seen.h"
#include "shim/nccl/types.h"
#include "shim/say.h"
#include "shim/stats/clock.h"
#include "shim/stats/path.h"
#include "shim/stats/table.h"
#include "shim/stats/write.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* between a file and the next, but for the last */
#define AGAIN_NS 1000000000

static bool is_on;
static char named[PATH_MAX]; /* as PLINK_STATS had it */
static char path[PATH_MAX];  /* of this process; "": there is to be none */
static struct pl_stats_process process;
static struct pl_stats_moment start;
static time_t started;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static bool is_left;                                     /* there is a file */
static bool has_failed;                                  /* there cannot be */
static int64_t left_ns;                                  /* since then */

static const char *const functions[PL_COUNTED] = {
	"allreduce", "broadcast", "reduce",  "allgather", "reduce-scatter",
	"alltoall",  "gather",    "scatter", "send",      "group"};

/* What a call's number in a key is made of. */
static unsigned int number_of(enum pl_counted what, enum pl_nccl_route route)
{
	return (unsigned int)what * PL_ROUTES + (unsigned int)route;
}

static const char *order_of(unsigned int number)
{
	return pl_route_order((enum pl_nccl_route)(number % PL_ROUTES));
}

static const char *why_of(unsigned int number)
{
	return pl_route_why((enum pl_nccl_route)(number % PL_ROUTES));
}

static const struct pl_stats_column added[] = {{"order", order_of},
					       {"why", why_of}};

static struct pl_stats_call calls[PL_COUNTED * PL_ROUTES];

static void name_calls(void)
{
	for (unsigned int i = 0; i < PL_COUNTED * PL_ROUTES; i++)
		calls[i] = (struct pl_stats_call){functions[i / PL_ROUTES],
						  "nonblocking"};
}

static enum pl_nccl_route route_of(enum pl_counted what,
				   enum pl_nccl_route route)
{
	if (what != PL_COUNTED_ALL_REDUCE && pl_order()->two_level)
		return PL_ROUTE_FUNCTION;
	switch (what) {
	case PL_COUNTED_ALL_REDUCE:
		return route;
	case PL_COUNTED_BROADCAST:
	case PL_COUNTED_REDUCE:
		return route == PL_ROUTE_OPERATOR ? PL_ROUTE_ROOT : route;
	default:
		return PL_ROUTE_FUNCTION;
	}
}

void pl_nccl_stats_note(enum pl_counted what, ncclComm_t comm, size_t count,
			ncclDataType_t type, uint64_t ticks)
{
	const struct pl_seen seen = pl_seen_find(comm);
	uint64_t bytes = (uint64_t)count * pl_nccl_type_bytes(type);

	if (what == PL_COUNTED_REDUCE_SCATTER || what == PL_COUNTED_ALL_TO_ALL)
		bytes *= (uint64_t)seen.n_ranks;
	pl_stats_count(pl_stats_key(number_of(what, route_of(what, seen.route)),
				    seen.n_ranks, 0, bytes),
		       bytes, ticks);
}

void pl_nccl_stats_note_two_level(const struct pl_nccl_comm *comm, size_t count,
				  ncclDataType_t type, uint64_t ticks)
{
	const uint64_t bytes = (uint64_t)count * pl_nccl_type_bytes(type);

	if (is_on)
		pl_stats_count(pl_stats_key(number_of(PL_COUNTED_ALL_REDUCE,
						      PL_ROUTE_TWO_LEVEL),
					    comm->n, 0, bytes),
			       bytes, ticks);
}

/* Their bytes are in the rows of the calls. */
void pl_nccl_stats_note_group(uint64_t ticks)
{
	pl_stats_count(pl_stats_key(number_of(PL_COUNTED_GROUP, PL_ROUTE_ANY),
				    0, 0, 0),
		       0, ticks);
}

void pl_nccl_stats_made(const struct pl_nccl_comm *comm, ncclComm_t shadow)
{
	if (is_on)
		pl_seen_made(comm, shadow);
}

void pl_nccl_stats_aside(const struct pl_nccl_comm *comm, enum pl_aside why)
{
	if (is_on)
		pl_seen_aside(comm, why);
}

/* Whose file it is, and which. */
static void find_path(void)
{
	const char *host = getenv("PLINK_HOST");
	struct utsname machine;
	char file[PATH_MAX];

	if ((!host || !*host) && uname(&machine) == 0)
		host = machine.nodename;
	snprintf(process.host, sizeof(process.host), "%s", host ? host : "");
	process.pid = (int)getpid();
	if (pl_stats_name(file, named,
			  &(struct pl_stats_who){process.host, process.pid}) ||
	    pl_stats_path(path, file))
		path[0] = '\0';
}

/* What the process was forked from has counted for itself. */
static void begin_anew(void)
{
	pthread_mutex_init(&lock, NULL);
	is_left = has_failed = false;
	pl_stats_forget();
	pl_seen_forget();
	find_path();
	started = time(NULL);
	start.ns = pl_clock_ns();
	start.ticks = pl_stats_clock();
}

/* The directory in which the process starts is that of a relative name. */
__attribute__((constructor)) static void read_name(void)
{
	const char *name = getenv("PLINK_STATS");

	if (named[0] || !name || strlen(name) >= sizeof(named))
		return;
	strcpy(named, name);
	if (*named)
		find_path();
}

void pl_nccl_stats_start(void)
{
	if (!pl_stats_is_wanted())
		return;
	read_name(); /* this may come first */
	if (!path[0]) {
		pl_shim_say("PLINK_STATS: the name is too long; no statistics");
		return;
	}
	name_calls();
	started = time(NULL);
	start = pl_stats_clock_start(true);
	pthread_atfork(NULL, NULL, begin_anew);
	is_on = true;
	pl_counted_insert();
}

/* Of the order that all-reduces follow. */
static void describe_order(struct pl_stats_job *job)
{
	const struct pl_nccl_order *order = pl_order();

	job->mode = "aside";
	if (!order->follows || pl_order_obstacle(pl_nccl_version()))
		return;
	snprintf(job->plan, sizeof(job->plan), "%s", order->path);
	if (order->two_level) {
		job->mode = "two-level";
		snprintf(job->order, sizeof(job->order),
			 "allreduce two-level nccl");
		return;
	}
	job->mode = "shadow";
	snprintf(job->order, sizeof(job->order), "%s %s %s",
		 order->order->collective, order->order->algorithm,
		 order->order->impl);
}

static void describe(struct pl_stats_job *job)
{
	const struct pl_seen_largest largest = pl_seen_largest();

	*job = (struct pl_stats_job){
		.n_ranks = largest.n_ranks,
		.started = started,
		.ended = time(NULL),
		.seconds = 1e-9 * (double)(pl_clock_ns() - start.ns),
		.clock = pl_stats_has_counter ? "tsc" : "monotonic",
		.calls = calls,
		.process = &process,
		.time = "host",
		.added = added,
		.n_added = sizeof(added) / sizeof(*added),
	};
	process.rank = largest.n_ranks ? largest.rank : -1;
	describe_order(job);
}

/* Under the lock. Who has called nothing has no file. */
static void leave(void)
{
	struct pl_stats_sums sums = {0};
	struct pl_stats_job job;

	if (has_failed || !path[0])
		return;
	if (pl_stats_sums_own(&sums, pl_stats_clock_tick_s(&start))) {
		pl_shim_say("out of memory; no statistics (PLINK_STATS)");
	} else if (sums.n > 0) {
		describe(&job);
		has_failed = pl_stats_leave(path, &job, &sums) != 0;
		is_left = true;
		left_ns = pl_clock_ns();
	}
	pl_stats_sums_fini(&sums);
}

void pl_nccl_stats_end(ncclComm_t comm)
{
	if (!is_on || !pl_seen_end(comm) || strcmp(path, "-") == 0)
		return;
	pthread_mutex_lock(&lock);
	if (!is_left || pl_clock_ns() - left_ns > AGAIN_NS)
		leave();
	pthread_mutex_unlock(&lock);
}

/* A process that was made without fork() has the file's name of another one. */
__attribute__((destructor)) static void leave_at_exit(void)
{
	if (!is_on || process.pid != (int)getpid())
		return;
	pthread_mutex_lock(&lock);
	leave();
	pthread_mutex_unlock(&lock);
}

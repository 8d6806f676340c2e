/* SPDX-License-Identifier: BSD-3-Clause */
/* own.c - the file of statistics that each process writes of itself */
#include "config.h"

#include "shim/nccl/stats/own.h"

#include "shim/say.h"
#include "shim/stats/clock.h"
#include "shim/stats/path.h"
#include "shim/stats/table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* between a file and the next, but for the last */
#define AGAIN_NS 1000000000

static const struct pl_own *own; /* NULL: nothing is counted */
static char named[PATH_MAX];     /* as PLINK_STATS had it */
static char path[PATH_MAX];      /* of this process; "": there is to be none */
static struct pl_stats_process process;
static struct pl_stats_moment start;
static time_t started;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static bool is_left;                                     /* there is a file */
static bool has_failed;                                  /* there cannot be */
static int64_t left_ns;                                  /* since then */

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
	if (pl_stats_name(file, named, &(struct pl_stats_who){process.host, process.pid}) ||
	    pl_stats_path(path, file))
		path[0] = '\0';
}

/* What the process was forked from has counted for itself. */
static void begin_anew(void)
{
	pthread_mutex_init(&lock, NULL);
	is_left = has_failed = false;
	pl_stats_forget();
	own->forget();
	find_path();
	started = time(NULL);
	start.ns = pl_clock_ns();
	start.ticks = pl_stats_clock();
}

/* The directory in which the process starts is that of a relative name. */
__attribute__((constructor)) static void read_name(void)
{
	const char *name = getenv("PLINK_STATS");
	struct pl_stats_options noise; /* which is for MPI */

	if (named[0] || !name)
		return;
	if (pl_stats_setting_parse(named, name, &noise) == 0 && *named)
		find_path();
}

bool pl_own_start(const struct pl_own *of)
{
	if (!pl_stats_is_wanted())
		return false;
	read_name(); /* this may come first */
	if (!path[0]) {
		pl_shim_say("PLINK_STATS: the name is too long; no statistics");
		return false;
	}
	started = time(NULL);
	start = pl_stats_clock_start(true);
	own = of;
	pthread_atfork(NULL, NULL, begin_anew);
	return true;
}

static void describe(struct pl_stats_job *job)
{
	*job = (struct pl_stats_job){
		.started = started,
		.ended = time(NULL),
		.seconds = 1e-9 * (double)(pl_clock_ns() - start.ns),
		.clock = pl_stats_has_counter ? "tsc" : "monotonic",
		.process = &process,
	};
	own->describe(job, &process.rank);
}

/* Under the lock. Who has called nothing has no file. */
static void leave(void)
{
	struct pl_stats_sums sums = {0};
	struct pl_stats_job job;

	if (has_failed || !path[0])
		return;
	if (pl_stats_sums_own(&sums,
			      own->tick_s > 0 ? own->tick_s : pl_stats_clock_tick_s(&start))) {
		pl_shim_say("out of memory; no statistics (PLINK_STATS)");
	} else if (sums.n > 0) {
		describe(&job);
		has_failed = pl_stats_leave(path, &job, &sums) != 0;
		is_left = true;
		left_ns = pl_clock_ns();
	}
	pl_stats_sums_fini(&sums);
}

void pl_own_leave(void)
{
	if (!own || strcmp(path, "-") == 0)
		return;
	pthread_mutex_lock(&lock);
	if (!is_left || pl_clock_ns() - left_ns > AGAIN_NS)
		leave();
	pthread_mutex_unlock(&lock);
}

/* A process that was made without fork() has the file's name of another one. */
__attribute__((destructor)) static void leave_at_exit(void)
{
	if (!own || process.pid != (int)getpid())
		return;
	pthread_mutex_lock(&lock);
	leave();
	pthread_mutex_unlock(&lock);
}

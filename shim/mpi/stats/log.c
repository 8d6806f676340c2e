/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c - the setting and the log of the norms of gradients */
#include "config.h"

#include "shim/mpi/stats/log.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/sizesignal.h"
#include "shim/mpi/stats/groups.h"
#include "shim/say.h"
#include "shim/stats/table.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BATCH_MAX 1000000000000 /* samples */

/* That of all communicators with the same members. */
struct log {
	bool was_opened;
	int fd; /* -1: there is none */
	dev_t dev;
	ino_t ino;
};

static struct {
	pthread_mutex_t lock;                     /* threads may use several communicators */
	struct log log[PL_STATS_GROUP_OTHER + 1]; /* by number of the group */
	bool has_failed, was_unread;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int append(char to[PATH_MAX], const char *file, const char *more)
{
	const int n = snprintf(to, PATH_MAX, "%s%s", file, more);

	return n > 0 && n < PATH_MAX ? 0 : -1;
}

void pl_stats_noise_read_setting(struct pl_stats_noise_setting *setting, const char *file)
{
	const char *norms = getenv("PLINK_BATCH_NORMS");
	const char *batch = getenv("PLINK_BATCH_SAMPLES");
	int rc = 0;

	if (strcmp(file, "-") != 0)
		rc = append(setting->base, file, "") || append(setting->path, file, ".norms");
	if (norms && *norms)
		rc = pl_stats_path(setting->path, norms);
	if (batch && pl_uint_parse(batch, strlen(batch), BATCH_MAX, &setting->batch))
		pl_shim_say("PLINK_BATCH_SAMPLES must be a whole number, not \"%s\": the log of "
			    "norms has no batch",
			    batch);
	if (rc || (!*setting->path && !*setting->base)) {
		pl_shim_say("PLINK_STATS: %s; no noise",
			    rc ? "the name of the log of norms is too long"
			       : "a log of norms needs a file");
		setting->options.every = 0;
	}
}

/* FILE.norms of the world, FILE.RANK-NUMBER.norms of others. */
static int name_log(char path[PATH_MAX], const struct pl_stats_noise_setting *setting,
		    unsigned int group, int leader)
{
	char more[48];

	if (group == 0)
		return append(path, setting->path, "");
	snprintf(more, sizeof(more), ".%d-%u.norms", leader, group);
	return *setting->base ? append(path, setting->base, more) : -1;
}

static void write_head(int fd, const struct pl_stats_noise_setting *setting, const int *member,
		       int n)
{
	dprintf(fd, "# plink-norms 1\n# by " PL_SHIM_NAME " %s\n# ranks", PACKAGE_VERSION);
	for (int i = 0; i < n; i++)
		dprintf(fd, " %d", member[i]);
	dprintf(fd, "\nworkers %d\n", n);
	if (setting->batch)
		dprintf(fd, "batch %llu\n", (unsigned long long)setting->batch);
}

/* 0, also where the setting names no file for it; or -1 with @err set. */
static int open_log(const struct pl_stats_noise_setting *setting, MPI_Comm comm, unsigned int group,
		    int n, struct pl_err *err)
{
	struct log *log = &own.log[group];
	int *member = pl_array_create((size_t)n, sizeof(*member));
	char path[PATH_MAX];
	struct stat st;
	int rc = 0;

	if (!member)
		return pl_err_nomem(err);
	log->was_opened = true;
	log->fd = -1;
	pl_stats_group_ranks(comm, n, member);
	if (name_log(path, setting, group, member[0]) == 0) {
		log->fd = open(path,
			       O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW |
				       O_NONBLOCK,
			       0666);
		if (log->fd < 0 || fstat(log->fd, &st))
			rc = pl_err_errno(err, "cannot write %s", path);
	}
	if (log->fd >= 0) {
		log->dev = st.st_dev;
		log->ino = st.st_ino;
		write_head(log->fd, setting, member, n);
	}
	free(member);
	return rc;
}

/* The program may have closed the descriptor, and opened a file of its own that got the same
 * number. */
static bool is_open(const struct log *log)
{
	struct stat st;

	return log->fd >= 0 && fstat(log->fd, &st) == 0 && st.st_dev == log->dev &&
	       st.st_ino == log->ino;
}

static int write_log(const struct pl_stats_noise_setting *setting, MPI_Comm comm,
		     const struct pl_stats_noise_line *line, struct pl_err *err)
{
	int n;
	const unsigned int group = pl_stats_group_of(comm, &n);
	struct log *log = &own.log[group];

	if (group == PL_STATS_GROUP_OTHER)
		return 0;
	if (!log->was_opened && open_log(setting, comm, group, n, err))
		return -1;
	/* the sign of a NaN means nothing */
	if (is_open(log) && dprintf(log->fd, "step %llu %.9g %.9g seconds=%.9g\n",
				    (unsigned long long)line->iteration, fabs(line->local_sq),
				    fabs(line->mean_sq), line->seconds) < 0)
		return pl_err_errno(err, "cannot write norms");
	return 0;
}

void pl_stats_noise_write(const struct pl_stats_noise_setting *setting, MPI_Comm comm,
			  const struct pl_stats_noise_line *line)
{
	struct pl_size_signal size;
	struct pl_err err = {0};

	pthread_mutex_lock(&own.lock);
	pl_size_signal_hold(&size);
	if (!line->is_known && !own.was_unread)
		pl_shim_say("all-reduces fail, or their vectors cannot be read (in the memory of a "
			    "GPU?): no norms of them");
	own.was_unread = own.was_unread || !line->is_known;
	if (line->is_known && !own.has_failed && write_log(setting, comm, line, &err)) {
		pl_shim_say_err(&err, "no norms from here on");
		own.has_failed = true;
	}
	pl_size_signal_release(&size);
	pthread_mutex_unlock(&own.lock);
}

void pl_stats_noise_close(void)
{
	for (size_t i = 0; i < PL_STATS_GROUP_OTHER; i++)
		if (own.log[i].was_opened && is_open(&own.log[i]))
			close(own.log[i].fd);
}

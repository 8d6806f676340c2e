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
#include <unistd.h>

#define BATCH_MAX 1000000000000 /* samples */

static struct {
	pthread_mutex_t lock; /* threads may use several communicators */
	bool begun[PL_STATS_GROUP_OTHER + 1]; /* by the number of the group */
	bool has_failed, was_unread;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int append(char to[PATH_MAX], const char *file, const char *more)
{
	const int n = snprintf(to, PATH_MAX, "%s%s", file, more);

	return n > 0 && n < PATH_MAX ? 0 : -1;
}

void pl_stats_noise_read_setting(struct pl_stats_noise_setting *setting,
				 const char *file)
{
	const char *norms = getenv("PLINK_BATCH_NORMS");
	const char *batch = getenv("PLINK_BATCH_SAMPLES");
	int rc = 0;

	if (strcmp(file, "-") != 0)
		rc = append(setting->base, file, "") ||
		     append(setting->path, file, ".norms");
	if (norms && *norms)
		rc = pl_stats_path(setting->path, norms);
	if (batch &&
	    pl_uint_parse(batch, strlen(batch), BATCH_MAX, &setting->batch))
		pl_shim_say("PLINK_BATCH_SAMPLES must be a whole number, not "
			    "\"%s\": the log of norms has no batch",
			    batch);
	if (rc || (!*setting->path && !*setting->base)) {
		pl_shim_say("PLINK_STATS: %s; no noise",
			    rc ? "the name of the log of norms is too long"
			       : "a log of norms needs a file");
		setting->options.every = 0;
	}
}

/* FILE.norms of the world, FILE.RANK-NUMBER.norms of others. */
static int name_log(char path[PATH_MAX],
		    const struct pl_stats_noise_setting *setting,
		    unsigned int group, int leader)
{
	char more[48];

	if (group == 0)
		return append(path, setting->path, "");
	snprintf(more, sizeof(more), ".%d-%u.norms", leader, group);
	return *setting->base ? append(path, setting->base, more) : -1;
}

static void write_head(const struct pl_stats_noise_setting *setting,
		       const int *member, int n, FILE *out)
{
	fprintf(out, "# plink-norms 1\n# by " PL_SHIM_NAME " %s\n# ranks",
		PACKAGE_VERSION);
	for (int i = 0; i < n; i++)
		fprintf(out, " %d", member[i]);
	fprintf(out, "\nworkers %d\n", n);
	if (setting->batch)
		fprintf(out, "batch %llu\n",
			(unsigned long long)setting->batch);
}

/* No descriptor stays open: the program may close any. */
static FILE *open_log(const char *path, bool is_new)
{
	const int fd =
		open(path,
		     O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW |
			     O_NONBLOCK | (is_new ? O_TRUNC : 0),
		     0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "a");

	if (fd >= 0 && !out)
		close(fd);
	return out;
}

/* The sign of a NaN means nothing. */
static void write_line(const struct pl_stats_noise_line *line, FILE *out)
{
	fprintf(out, "step %llu %.9g %.9g seconds=%.9g\n",
		(unsigned long long)line->iteration, fabs(line->local_sq),
		fabs(line->mean_sq), line->seconds);
}

static int write_log(const struct pl_stats_noise_setting *setting,
		     MPI_Comm comm, const struct pl_stats_noise_line *line,
		     struct pl_err *err)
{
	int n;
	const unsigned int group = pl_stats_group_of(comm, &n);
	int *member = pl_array_create((size_t)n, sizeof(*member));
	struct pl_size_signal size;
	char path[PATH_MAX];
	FILE *out = NULL;
	int rc = 0;

	if (!member)
		return pl_err_nomem(err);
	pl_stats_group_ranks(comm, n, member);
	if (group != PL_STATS_GROUP_OTHER &&
	    name_log(path, setting, group, member[0]) == 0) {
		out = open_log(path, !own.begun[group]);
		rc = out ? 0 : pl_err_errno(err, "cannot write %s", path);
	}
	if (out) {
		pl_size_signal_hold(&size);
		if (!own.begun[group])
			write_head(setting, member, n, out);
		own.begun[group] = true;
		write_line(line, out);
		if (fclose(out))
			rc = pl_err_errno(err, "cannot write %s", path);
		pl_size_signal_release(&size);
	}
	free(member);
	return rc;
}

void pl_stats_noise_write(const struct pl_stats_noise_setting *setting,
			  MPI_Comm comm, const struct pl_stats_noise_line *line)
{
	struct pl_err err = {0};

	pthread_mutex_lock(&own.lock);
	if (!line->is_known && !own.was_unread)
		pl_shim_say("all-reduces fail, or their vectors cannot be "
			    "read (in the memory of a GPU?): no norms of them");
	own.was_unread = own.was_unread || !line->is_known;
	if (line->is_known && !own.has_failed &&
	    write_log(setting, comm, line, &err)) {
		pl_shim_say_err(&err, "no norms from here on");
		own.has_failed = true;
	}
	pthread_mutex_unlock(&own.lock);
}

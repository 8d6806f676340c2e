/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.c - schedules for engine mode of libplink-mpi (plink-schedule(5)) */
#include "config.h"

#include "src/order/format/format.h"

#include "base/clock.h"
#include "src/order/schedules.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_schedules(const struct pl_reorder_answer *a, FILE *out, struct pl_err *err)
{
	char by[] = PL_REORDER_TOOL " " PACKAGE_VERSION;
	char created[32], digest[PL_DIGEST_CHARS];
	struct pl_schedules file = a->schedules->file; /* borrowed */

	pl_clock_date(created);
	memcpy(digest, a->from->digest, sizeof(digest));
	file.n_connections = a->o->connections;
	file.is_tuned = a->o->tune;
	file.tune_percent = (unsigned)a->o->tune_percent;
	file.job.created = created;
	file.job.by = by;
	file.job.matrix = digest;
	file.job.has_seed = true;
	file.job.seed = a->o->request.seed;
	return pl_schedules_write(&file, out, err);
}

/* The preload library beside this program or, where there is none, as it is installed. */
static void find_library(char path[PATH_MAX], bool mpich)
{
	const char *name = mpich ? "libplink-mpich.so" : "libplink-mpi.so";
	const ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 32);
	char *slash;

	path[len > 0 ? len : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		snprintf(slash + 1, 32, "%s", name);
	if (!slash || access(path, R_OK))
		snprintf(path, PATH_MAX, "%s/%s", PL_PKGLIBDIR, name);
}

char *pl_reorder_schedule_command(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
				  const char *mpirun, const char *file)
{
	static const char *const app[] = {"./app", NULL};
	char preload[PATH_MAX + 16] = "LD_PRELOAD=", plan[PATH_MAX + 16];
	const char *const variables[] = {preload, "PLINK_MPI_MODE=engine", plan, NULL};
	char *hosts = pl_reorder_list_hosts(a);
	struct pl_words words = {0};
	const struct pl_mpi_job job = {
		.mpirun = mpirun,
		.hosts = hosts,
		.format = a->o->format,
		.n_ranks = pl_hosts_ranks(&a->in->hosts),
		.ways = &a->from->ways,
		.variables = variables,
		.app = app,
	};
	int rc = -1;

	find_library(preload + strlen(preload), mpi->kind == PL_MPI_MPICH);
	snprintf(plan, sizeof(plan), "PLINK_PLAN=%s", file ? file : pl_form_schedule.file);
	if (hosts)
		rc = pl_mpi_command(mpi, &job, &words);
	free(hosts);
	return rc ? NULL : pl_reorder_command(&words);
}

const struct pl_reorder_form pl_form_schedule = {
	.name = "schedule",
	.file = "job.schedule",
	.flags = PL_FORM_MPIRUN,
	.write = write_schedules,
};

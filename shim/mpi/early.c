/* SPDX-License-Identifier: BSD-3-Clause */
/* early.c - the new rank in the environment, before the program begins */
/*
 * Many programs, and scripts around them, read OMPI_COMM_WORLD_RANK before MPI_Init. Where a
 * process can read the plan itself, it knows its new rank, if all is as the plan says: MPI_Init
 * finds that out, and puts the variable right where it is not. Until then nothing is said.
 *
 * The library comes into shells, interpreters and what they start, one after the other. Each
 * computes the rank anew from what none of them changes: the plan, the host, and the launcher's
 * other variables.
 */
#include "config.h"

#include "base/text/number.h"
#include "shim/mpi/load.h"
#include "shim/ranks.h"
#include "shim/self.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the launcher says of this process. */
struct launched {
	int rank, n, local_rank, n_local;
};

static bool read_number(const char *name, int *to)
{
	const char *s = getenv(name);
	int64_t value;

	if (!s || pl_int_parse(s, strlen(s), 0, INT_MAX, &value))
		return false;
	*to = (int)value;
	return true;
}

/* False also for a process that others have spawned: it keeps its rank. */
static bool read_launched(struct launched *l)
{
	return !getenv("OMPI_PARENT_PORT") && read_number("PMIX_RANK", &l->rank) &&
	       read_number("OMPI_COMM_WORLD_SIZE", &l->n) &&
	       read_number("OMPI_COMM_WORLD_LOCAL_RANK", &l->local_rank) &&
	       read_number("OMPI_COMM_WORLD_LOCAL_SIZE", &l->n_local);
}

/* Where the environment has the rank, or NULL. */
static char **find_variable(void)
{
	static const char start[] = "OMPI_COMM_WORLD_RANK=";

	for (char **at = environ; at && *at; at++)
		if (strncmp(*at, start, sizeof(start) - 1) == 0)
			return at;
	return NULL;
}

/* As pl_self_find(): addresses count where no name fits. */
static int find_host(const struct pl_hosts *hosts)
{
	struct pl_self self = {0};
	int host = PL_SELF_UNKNOWN;

	if (pl_self_init_names(&self, NULL) == 0)
		host = pl_self_find(&self, hosts);
	if (host == PL_SELF_UNKNOWN && !self.named && pl_self_init(&self, NULL) == 0)
		host = pl_self_find(&self, hosts);
	pl_self_fini(&self);
	return host;
}

static bool new_rank(const struct launched *l, const struct pl_plan *plan, int *rank)
{
	int host;

	if (pl_hosts_ranks(&plan->hosts) != (size_t)l->n)
		return false;
	host = find_host(&plan->hosts);
	if (host < 0 || plan->hosts.v[host].slots != l->n_local || l->local_rank >= l->n_local)
		return false;
	*rank = pl_shim_block(plan, (size_t)host) + l->local_rank;
	return true;
}

/* As in share.c, of what is linked: nothing else is here yet. dlopen() would search the disk, for
 * every program. */
static bool uses_shmem(void)
{
	return dlsym(RTLD_DEFAULT, "shmem_init") != NULL;
}

/* Not by setenv(): shells have their own, and take the environment from where it lay at the
 * start. */
static void tell(char **variable, int rank)
{
	static char entry[64];

	snprintf(entry, sizeof(entry), "OMPI_COMM_WORLD_RANK=%d", rank);
	*variable = entry;
}

__attribute__((constructor)) static void tell_new_rank(void)
{
	const int saved = errno;
	char **variable = find_variable();
	struct pl_plan plan = {0};
	struct launched l;
	struct pl_text text;
	int rank;

	if (variable && read_launched(&l) && pl_mpi_mode(NULL) == PL_MPI_MODE_WORLD &&
	    pl_mpi_load_plan(&text, &plan, NULL) == 0) {
		if (new_rank(&l, &plan, &rank))
			tell(variable, uses_shmem() ? l.rank : rank);
		pl_plan_fini(&plan);
		pl_text_fini(&text);
	}
	errno = saved;
}

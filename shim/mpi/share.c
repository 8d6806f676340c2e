/* SPDX-License-Identifier: BSD-3-Clause */
/* share.c - one plan for all processes of the job */
#include "config.h"

#include "shim/mpi/share.h"

#include "base/mem.h"
#include "base/text/text.h"
#include "shim/mpi/load.h"
#include "shim/mpi/refuse.h"
#include "shim/mpi/stats/stats.h"
#include "shim/mpi/world.h"
#include "shim/say.h"
#include "shim/self.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 tells first. */
struct head {
	int there;    /* is there a plan? */
	int planless; /* is none wanted? */
	int strict, verbose, counted, mode, by_messages, len;
	char path[PL_MPI_PATH_MAX];
};

/* Is nothing wanted but statistics? */
static bool is_planless(const struct head *head)
{
	const char *path = getenv("PLINK_PLAN");

	if (pl_mpi_is_off())
		return true;
	return head->counted && !head->strict && (!path || !*path);
}

/* On rank 0. */
static void read_plan(struct pl_mpi_shared *shared, struct head *head, struct pl_err *err)
{
	struct pl_plan plan = {0};
	struct pl_text text;

	head->strict = pl_shim_flag("PLINK_STRICT");
	head->verbose = pl_shim_flag("PLINK_VERBOSE");
	head->counted = pl_stats_is_wanted();
	head->planless = is_planless(head);
	if (head->planless || pl_mpi_load_plan(&text, &plan, err))
		return;
	pl_plan_fini(&plan);
	head->mode = pl_mpi_mode(NULL);
	head->by_messages = pl_mpi_by_messages(NULL) > 0;
	head->there = 1;
	head->len = (int)text.len;
	snprintf(head->path, sizeof(head->path), "%s", text.name);
	shared->text = text.data;
	text.data = NULL;
	pl_text_fini(&text);
}

/* Everyone else's room for what comes. */
static void make_room(struct pl_mpi_shared *shared)
{
	if (!shared->text)
		shared->text = calloc(1, (size_t)shared->len + 1);
	if (!shared->text)
		pl_mpi_no_memory();
}

void pl_mpi_share(struct pl_mpi_shared *shared, int rank)
{
	struct head head = {0};
	struct pl_err err = {0};

	if (rank == 0)
		read_plan(shared, &head, &err);
	PMPI_Bcast(&head, (int)sizeof(head), MPI_BYTE, 0, MPI_COMM_WORLD);
	shared->strict = head.strict;
	shared->verbose = head.verbose;
	shared->counted = head.counted;
	shared->mode = head.mode;
	shared->by_messages = head.by_messages;
	shared->len = head.len;
	memcpy(shared->path, head.path, sizeof(head.path));
	if (head.planless)
		return;
	if (!head.there) {
		pl_mpi_refuse(shared, rank == 0 ? &err : NULL);
		return;
	}
	make_room(shared);
	PMPI_Bcast(shared->text, head.len, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Does this process read another plan where its own PLINK_PLAN says? Rank 0's
 * is here byte by byte, so that is what is compared: a digest would say
 * less. */
static bool differs(const struct pl_mpi_shared *shared)
{
	const char *path = getenv("PLINK_PLAN");
	struct pl_text own;
	bool other;

	if (!path || !*path || strcmp(path, "-") == 0 || pl_mpi_load_file(&own, path, NULL))
		return false;
	other = own.len != (size_t)shared->len || memcmp(own.data, shared->text, own.len) != 0;
	pl_text_fini(&own);
	return other;
}

/* Open MPI's OpenSHMEM copies the world to exchange addresses by rank, and counts its processes as
 * the launcher does: both must be the same. */
static bool uses_shmem(void)
{
	void *shmem = dlopen("liboshmem.so.40", RTLD_LAZY | RTLD_NOLOAD);

	if (!shmem)
		return false;
	dlclose(shmem);
	return true;
}

int pl_mpi_find_host(const struct pl_mpi_shared *shared, struct pl_plan *plan)
{
	struct pl_self self = {0};
	struct pl_text text;
	int found;

	if (pl_text_copy(&text, shared->path, shared->text, (size_t)shared->len, NULL))
		return PL_MPI_NO_MEMORY;
	/* rank 0 has parsed these bytes */
	if (pl_mpi_parse_plan(plan, &text, shared->mode, NULL) || pl_self_init(&self, NULL)) {
		pl_text_fini(&text);
		return PL_MPI_NO_MEMORY;
	}
	pl_text_fini(&text);
	found = pl_self_find(&self, &plan->hosts);
	if (found >= 0 && pl_self_check_same(&self, &plan->hosts.v[found], NULL))
		found = PL_MPI_REPLACED;
	pl_self_fini(&self);
	if (uses_shmem())
		return PL_MPI_SHMEM;
	return differs(shared) ? PL_MPI_DIFFERS : found;
}

void pl_mpi_shared_fini(struct pl_mpi_shared *shared)
{
	free(shared->text);
	memset(shared, 0, sizeof(*shared));
}

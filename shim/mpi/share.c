/* SPDX-License-Identifier: BSD-3-Clause */
/* share.c - one plan for all processes of the job */
#include "config.h"

#include "shim/mpi/share.h"

#include "shim/mpi/refuse.h"
#include "shim/mpi/world.h"
#include "shim/say.h"
#include "shim/self.h"
#include "src/mem.h"
#include "src/number.h"
#include "src/text.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define TEXT_MAX ((size_t)256 << 20) /* bytes in a plan */

/* PLINK_MAX_AGE, seconds. */
static int check_age(const struct pl_plan *plan, const char *path,
		     struct pl_err *err)
{
	const char *s = getenv("PLINK_MAX_AGE");
	int64_t max_s, made_s, age_s;

	if (!s || !*s)
		return 0;
	if (pl_int_parse(s, strlen(s), 0, INT64_MAX, &max_s))
		return pl_err_set(err, PL_EUSAGE,
				  "PLINK_MAX_AGE is a number of seconds, not "
				  "\"%s\"",
				  s);
	if (!plan->created || pl_plan_time(plan->created, &made_s))
		return pl_err_set(err, PL_EPARTIAL,
				  "%s does not say when it was made, and "
				  "PLINK_MAX_AGE is %s",
				  path, s);
	age_s = (int64_t)time(NULL) - made_s;
	if (age_s > max_s)
		return pl_err_set(err, PL_EPARTIAL,
				  "%s is %lld s old, and PLINK_MAX_AGE is %s",
				  path, (long long)age_s, s);
	return 0;
}

static int check_mode(struct pl_err *err)
{
	const char *mode = getenv("PLINK_MPI_MODE");

	if (!mode || !*mode || strcmp(mode, "world") == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "PLINK_MPI_MODE is world or off, not \"%s\"", mode);
}

/* Only a file gives every process the same, and at once: nobody may ever write to
 * a pipe, and what one reads from it, the next does not see. */
static int load_file(struct pl_text *text, const char *path, struct pl_err *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return pl_err_set(err, PL_EINPUT, "%s is not a regular file",
				  path);
	return pl_text_load(text, path, TEXT_MAX, err);
}

/* A plan that can be used, as text. */
static int load(struct pl_text *text, struct pl_err *err)
{
	const char *path = getenv("PLINK_PLAN");
	struct pl_plan plan = {0};
	int rc;

	if (check_mode(err))
		return -1;
	if (!path || !*path)
		return pl_err_set(err, PL_EUSAGE,
				  "PLINK_PLAN names no plan on rank 0");
	if (strcmp(path, "-") == 0)
		return pl_err_set(err, PL_EUSAGE,
				  "PLINK_PLAN is a file: standard input is "
				  "the program's");
	if (load_file(text, path, err))
		return -1;
	rc = pl_plan_parse(&plan, text, err);
	if (rc == 0) {
		rc = check_age(&plan, path, err);
		pl_plan_fini(&plan);
	}
	if (rc)
		pl_text_fini(text);
	return rc;
}

/* What rank 0 tells first. */
struct head {
	int there; /* is there a plan? */
	int strict, verbose, len;
	char path[PL_MPI_PATH_MAX];
};

/* On rank 0. */
static void read_plan(struct pl_mpi_shared *shared, struct head *head,
		      struct pl_err *err)
{
	struct pl_text text;

	head->strict = pl_shim_flag("PLINK_STRICT");
	head->verbose = pl_shim_flag("PLINK_VERBOSE");
	if (load(&text, err))
		return;
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
	shared->len = head.len;
	memcpy(shared->path, head.path, sizeof(head.path));
	if (!head.there) {
		pl_mpi_refuse(shared, rank == 0 ? &err : NULL);
		return;
	}
	make_room(shared);
	PMPI_Bcast(shared->text, head.len, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Does this process read another plan where its own PLINK_PLAN says? */
static bool differs(const struct pl_mpi_shared *shared)
{
	const char *path = getenv("PLINK_PLAN");
	struct pl_text own;
	bool other;

	if (!path || !*path || strcmp(path, "-") == 0 ||
	    load_file(&own, path, NULL))
		return false;
	other = own.len != (size_t)shared->len ||
		memcmp(own.data, shared->text, own.len) != 0;
	pl_text_fini(&own);
	return other;
}

/* Open MPI's OpenSHMEM copies the world to exchange addresses by rank, and counts
 * its processes as the launcher does: both must be the same. */
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

	if (pl_text_copy(&text, shared->path, shared->text, (size_t)shared->len,
			 NULL))
		return PL_MPI_NO_MEMORY;
	/* rank 0 has parsed these bytes */
	if (pl_plan_parse(plan, &text, NULL) || pl_self_init(&self, NULL)) {
		pl_text_fini(&text);
		return PL_MPI_NO_MEMORY;
	}
	pl_text_fini(&text);
	found = pl_self_find(&self, &plan->hosts);
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

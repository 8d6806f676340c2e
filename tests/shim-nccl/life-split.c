/* SPDX-License-Identifier: BSD-3-Clause */
/* life-split.c - communicators that are made of others */
#include "config.h"

#include "tests/shim-nccl/life.h"

static void end(struct job *job, ncclComm_t comm)
{
	job_done(job, ncclCommFinalize(comm), comm, "finalize");
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
}

/* Even and odd ranks apart, counted from behind. Of the @n ranks of this color this is @at. */
static void check_half(struct job *job, ncclComm_t half, const char *what)
{
	const int odd = job->rank % 2, n = (job->n + 1 - odd) / 2;
	const int at = n - 1 - job->rank / 2;
	int sum = 0;

	for (int r = odd; r < job->n; r += 2)
		sum += r;
	life_is(job, half, n, at, what);
	life_sum(job, half, job->rank, sum, what);
	for (int root = 0; root < n; root++)
		life_from(job, half, root, job->rank, odd + 2 * (n - 1 - root), what);
}

void life_split(struct job *job)
{
	ncclComm_t world = job_world(job), half = NULL, same = NULL, again = NULL;

	job_done(job, ncclCommSplit(world, job->rank % 2, -job->rank, &half, NULL), world,
		 "split by parity");
	check_half(job, half, "a half");
	/* equal keys: by the parent's rank */
	job_done(job, ncclCommSplit(world, 0, 7, &same, NULL), world, "split by nothing");
	life_works(job, same, "a copy");
	job_done(job, ncclCommSplit(half, 0, 3, &again, NULL), half, "split of a half");
	check_half(job, again, "a half of a half");
	life_works(job, world, "the one that was split");
	end(job, again);
	end(job, half);
	life_works(job, same, "a copy when others are gone");
	end(job, world);
	life_works(job, same, "a copy when its parent is gone");
	end(job, same);
}

/* Splits of one parent are made at the end of their group. */
void life_split_group(struct job *job)
{
	ncclComm_t world = job_world(job), other = NULL;
	ncclComm_t half = NULL, same = NULL;
	ncclUniqueId id;

	if (!job_id(job, 1, &id))
		return;
	job_done(job, ncclCommInitRank(&other, job->n, id, job->rank), NULL, "another parent");
	ncclGroupStart();
	job_done(job, ncclCommSplit(world, job->rank % 2, -job->rank, &half, NULL), NULL,
		 "split in a group");
	job_done(job, ncclCommSplit(other, 0, 0, &same, NULL), NULL,
		 "that of another in the same group");
	job_done(job, ncclGroupEnd(), world, "the group of splits");
	check_half(job, half, "a half of a group");
	life_works(job, same, "a copy of a group");
	end(job, half);
	end(job, same);
	life_works(job, world, "the parent");
	end(job, other);
	end(job, world);
}

/* Rank 0 gets none. */
void life_split_none(struct job *job)
{
	ncclComm_t world = job_world(job), rest = NULL;
	const int color = job->rank ? 0 : NCCL_SPLIT_NOCOLOR;

	job_done(job, ncclCommSplit(world, color, 0, &rest, NULL), world, "split without rank 0");
	job_check(job, !rest == !job->rank, "rank 0 gets none");
	if (rest) {
		life_is(job, rest, job->n - 1, job->rank - 1, "the rest");
		life_sum(job, rest, job->rank, life_total(job->n - 1), "the rest");
		end(job, rest);
	}
	life_works(job, world, "the parent of the rest");
	end(job, world);
}

void life_nonblocking_split(struct job *job)
{
	ncclComm_t world = NULL, half = NULL, same = NULL;
	struct life_config config;
	ncclUniqueId id;
	ncclResult_t rc;

	life_config(&config);
	config.nccl.blocking = 0;
	if (!job_id(job, 1, &id))
		return;
	rc = ncclCommInitRankConfig(&world, job->n, id, job->rank, &config.nccl);
	job_done(job, rc, world, "a parent that does not block");
	rc = ncclCommSplit(world, job->rank % 2, -job->rank, &half, NULL);
	job_made(job, rc, world, "split without waiting");
	if (!job_check(job, half != NULL, "the child is there"))
		return;
	job_done(job, ncclInProgress, half, "the child is ready");
	check_half(job, half, "a half that does not block");
	config.nccl.blocking = 1;
	rc = ncclCommSplit(world, 0, 0, &same, &config.nccl);
	job_made(job, rc, world, "a child that blocks");
	life_works(job, same, "a child that blocks");
	end(job, same);
	end(job, half);
	end(job, world);
}

/* All but the last; the list of those that go may be in any order. */
static void shrink(struct job *job, ncclComm_t world, int flags, const char *what)
{
	int gone[] = {job->n - 1, 0};
	const int n = job->n - (job->n > 2 ? 2 : 1);
	const int rank = job->rank - (job->n > 2 ? 1 : 0);
	ncclComm_t rest = NULL;
	int sum = 0;

	for (int r = 0; r < n; r++)
		sum += r + 1;
	if (job->rank == gone[0] || (job->n > 2 && job->rank == gone[1]))
		return;
	job_done(job, ncclCommShrink(world, gone, job->n > 2 ? 2 : 1, &rest, NULL, flags), world,
		 what);
	life_is(job, rest, n, rank, what);
	life_sum(job, rest, rank + 1, sum, what);
	for (int root = 0; root < n; root++)
		life_from(job, rest, root, rank, root, what);
	end(job, rest);
}

void life_shrink(struct job *job)
{
	ncclComm_t world = job_world(job);

	life_works(job, world, "before it shrinks");
	shrink(job, world, 0, "shrunk");
	life_works(job, world, "what was shrunk");
	end(job, world);
}

/* Those that go have gone already. */
void life_shrink_abort(struct job *job)
{
	ncclComm_t world = job_world(job);

	life_works(job, world, "before some go");
	if (job->rank == job->n - 1 || (job->n > 2 && job->rank == 0))
		job_done(job, ncclCommAbort(world), NULL, "abort of who goes");
	else {
		shrink(job, world, 1, "shrunk without those");
		job_done(job, ncclCommAbort(world), NULL, "abort of the rest");
	}
}

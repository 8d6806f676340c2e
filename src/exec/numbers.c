/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers.c - the rank numbers that launchers leave in the environment */
#include "config.h"

#include "src/exec/numbers.h"

#include "base/text/number.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Names of variables; NULL: the launcher has none. */
struct family {
	const char *rank, *also_rank, *local_rank;
	const char *n_ranks[2], *n_local; /* processes, of the job and on this
					   * host */
	const char *host;                 /* its number */
	const char *n_hosts[2];
	bool is_text; /* ranks are the places of these numbers sorted as text */
};

static const struct family families[] = {
	/* torchrun's roles exist in its Python interface only: here there is one */
	[PL_EXEC_ENV] = {.rank = "RANK",
			 .also_rank = "ROLE_RANK",
			 .local_rank = "LOCAL_RANK",
			 .n_ranks = {"WORLD_SIZE", "ROLE_WORLD_SIZE"},
			 .n_local = "LOCAL_WORLD_SIZE",
			 .host = "GROUP_RANK",
			 .n_hosts = {"NNODES", "GROUP_WORLD_SIZE"}},
	[PL_EXEC_SLURM] = {.rank = "SLURM_PROCID",
			   .local_rank = "SLURM_LOCALID",
			   .n_ranks = {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
			   .host = "SLURM_NODEID",
			   .n_hosts = {"SLURM_STEP_NUM_NODES", "SLURM_NNODES"}},
	/* OMPI_COMM_WORLD_NODE_RANK numbers the processes of a host */
	[PL_EXEC_OPENMPI] = {.rank = "OMPI_COMM_WORLD_RANK",
			     .local_rank = "OMPI_COMM_WORLD_LOCAL_RANK",
			     .n_ranks = {"OMPI_COMM_WORLD_SIZE"},
			     .n_local = "OMPI_COMM_WORLD_LOCAL_SIZE"},
	[PL_EXEC_DEEPSPEED] = {.rank = "RANK",
			       .local_rank = "LOCAL_RANK",
			       .n_ranks = {"WORLD_SIZE"},
			       .n_local = "LOCAL_SIZE",
			       .host = "CROSS_RANK",
			       .n_hosts = {"CROSS_SIZE"}},
	/* a worker's number; a tracker that sorts by it makes ranks of it */
	[PL_EXEC_XGBOOST] = {.rank = "DMLC_TASK_ID",
			     .local_rank = "LOCAL_RANK",
			     .n_ranks = {"DMLC_NUM_WORKER"},
			     .is_text = true},
};

static const struct family *family_of(enum pl_exec_style style)
{
	const size_t i = style == PL_EXEC_NCCL ? PL_EXEC_ENV : style;

	return i < sizeof(families) / sizeof(*families) && families[i].rank ? &families[i] : NULL;
}

bool pl_numbers_are_there(enum pl_exec_style style)
{
	const struct family *f = family_of(style);

	return f && getenv(f->rank) && (style != PL_EXEC_DEEPSPEED || getenv(f->host)) &&
	       (style != PL_EXEC_NCCL || getenv("NCCL_COMM_ID"));
}

/* *is_there: is the variable set? *value: its value. */
static int read_number(const char *name, bool *is_there, int *value, struct pl_err *err)
{
	const char *s = name ? getenv(name) : NULL;
	int64_t number;

	*is_there = s && *s;
	if (!*is_there)
		return 0;
	if (pl_int_parse(s, strlen(s), 0, INT_MAX, &number))
		return pl_err_set(err, PL_EINPUT, "%s is \"%s\", not a number", name, s);
	*value = (int)number;
	return 0;
}

static int check(const char *name, int want, const char *of, struct pl_err *err)
{
	bool is_there;
	int value = 0;

	if (read_number(name, &is_there, &value, err))
		return -1;
	if (is_there && value != want)
		return pl_err_set(
			err, PL_EPARTIAL,
			"%s is %d, and the plan has %d %s: make a plan of the hosts of this job",
			name, value, want, of);
	return 0;
}

static int check_sizes(const struct family *f, const struct pl_seat *seat, struct pl_err *err)
{
	for (int i = 0; i < 2; i++)
		if (check(f->n_ranks[i], seat->n_ranks, "processes", err) ||
		    check(f->n_hosts[i], (int)seat->plan->hosts.n, "hosts", err))
			return -1;
	return check(f->n_local, seat->host->slots, "on this host", err);
}

/* If there are more processes than ranks, two have one rank. */
static int check_rank(const struct family *f, const struct pl_seat *seat, struct pl_err *err)
{
	bool is_there;
	int rank;

	if (read_number(f->rank, &is_there, &rank, err))
		return -1;
	if (is_there && rank >= seat->n_ranks)
		return pl_err_set(err, PL_EPARTIAL,
				  "%s is %d, and the plan has %d processes: make a plan of the "
				  "hosts of this job",
				  f->rank, rank, seat->n_ranks);
	return 0;
}

static int local_rank(const struct family *f, const struct pl_seat *seat, int *rank,
		      struct pl_err *err)
{
	const struct pl_host *host = seat->host;
	bool is_there;

	*rank = 0;
	if (read_number(f->local_rank, &is_there, rank, err))
		return -1;
	if (!is_there && host->slots > 1)
		return pl_err_set(err, PL_EPARTIAL,
				  "%s is not set, and %s runs %d processes: which of them is this?",
				  f->local_rank, host->name, host->slots);
	if (*rank >= host->slots)
		return pl_err_set(
			err, PL_EPARTIAL,
			"%s is %d, and the plan has %d processes on %s: make a plan with its slots",
			f->local_rank, *rank, host->slots, host->name);
	return 0;
}

/* Which of the numbers 0 .. n - 1 comes at @place if they are sorted as text:
 * 0 1 10 11 2 3 ... */
static int sorted_as_text(int place, int n)
{
	int number = 0;

	while (place-- > 0) {
		if (number > 0 && number <= (n - 1) / 10) {
			number *= 10;
			continue;
		}
		while (number % 10 == 9 || number + 1 >= n)
			number /= 10;
		number++;
	}
	return number;
}

int pl_numbers_change(enum pl_exec_style style, const struct pl_seat *seat,
		      struct pl_changes *changes, struct pl_err *err)
{
	const struct family *f = family_of(style);
	int local, rank;

	if (check_sizes(f, seat, err) || check_rank(f, seat, err) ||
	    local_rank(f, seat, &local, err))
		return -1;
	rank = seat->first_rank + local;
	if (f->is_text)
		rank = sorted_as_text(rank, seat->n_ranks);
	if (pl_changes_add_number(changes, f->rank, rank, err))
		return -1;
	if (f->also_rank && getenv(f->also_rank) &&
	    pl_changes_add_number(changes, f->also_rank, seat->first_rank + local, err))
		return -1;
	return f->host && getenv(f->host)
		       ? pl_changes_add_number(changes, f->host, (int)seat->pos, err)
		       : 0;
}

bool pl_numbers_are_of_host(void)
{
	return getenv("NODE_RANK") && !getenv("RANK") && !getenv("LOCAL_RANK");
}

int pl_numbers_check_host(const struct pl_seat *seat, struct pl_err *err)
{
	const struct family *f = &families[PL_EXEC_ENV];
	const int n_hosts = (int)seat->plan->hosts.n;
	bool is_there;
	int host;

	for (int i = 0; i < 2; i++)
		if (check(f->n_hosts[i], n_hosts, "hosts", err))
			return -1;
	if (read_number("NODE_RANK", &is_there, &host, err))
		return -1;
	if (is_there && host >= n_hosts)
		return pl_err_set(err, PL_EPARTIAL,
				  "NODE_RANK is %d, and the plan has %d hosts: make a plan of the "
				  "hosts of this job",
				  host, n_hosts);
	return 0;
}

int pl_numbers_agree(const enum pl_exec_style *style, size_t n, struct pl_err *err)
{
	const char *first_name = NULL;
	int first = 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = families[style[i]].local_rank;
		bool is_there;
		int local;

		if (!pl_numbers_are_there(style[i]))
			continue;
		if (read_number(name, &is_there, &local, err))
			return -1;
		if (is_there && first_name && local != first)
			return pl_err_set(err, PL_EPARTIAL,
					  "%s is %d and %s is %d: two processes would get one "
					  "rank; choose with --style whose numbers count",
					  first_name, first, name, local);
		if (is_there && !first_name) {
			first_name = name;
			first = local;
		}
	}
	return 0;
}

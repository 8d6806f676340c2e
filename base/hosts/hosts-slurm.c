/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts-slurm.c - the hosts of the Slurm job, or step, that we run in */
#include "config.h"

#include "base/hosts/hosts-slurm.h"

#include "base/text/number.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The names of two variables. */
struct lists {
	const char *nodes, *tasks;
};

static const struct lists of_job = {.nodes = "SLURM_JOB_NODELIST", .tasks = "SLURM_TASKS_PER_NODE"};
static const struct lists of_step = {.nodes = "SLURM_STEP_NODELIST",
				     .tasks = "SLURM_STEP_TASKS_PER_NODE"};

static const char *value_of(const char *name)
{
	const char *s = getenv(name);

	return s && *s ? s : NULL;
}

/* "2" or "2(x3)", @len characters. */
static bool parse_group(const char *s, size_t len, int64_t *slots, int64_t *times)
{
	const char *open = memchr(s, '(', len);
	const size_t digits = open ? (size_t)(open - s) : len;

	*times = 1;
	if (pl_int_parse(s, digits, 1, PL_HOST_SLOTS_MAX, slots))
		return false;
	return !open || (len > digits + 3 && open[1] == 'x' && s[len - 1] == ')' &&
			 pl_int_parse(open + 2, len - digits - 3, 1, PL_HOSTS_MAX, times) == 0);
}

/* Sets the slots of the hosts, which must be as many as @tasks lists: "2(x3),1" gives 2 2 2 1. */
static int take_tasks(struct pl_hosts *hosts, const struct lists *lists, const char *tasks,
		      struct pl_err *err)
{
	size_t h = 0, said = 0, len;

	for (const char *s = tasks;; s += len + 1) {
		int64_t slots, times;

		len = strcspn(s, ",");
		if (!parse_group(s, len, &slots, &times))
			return pl_err_set(err, PL_EINPUT,
					  "%s is \"%s\", not a list such as 2(x3),1", lists->tasks,
					  tasks);
		said += (size_t)times;
		while (times-- > 0 && h < hosts->n)
			hosts->v[h++].slots = (int)slots;
		if (!s[len])
			break;
	}
	if (said == hosts->n)
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "%s has %zu nodes, but %s has %zu: is this a job step? Start this in the "
			  "job itself, not with srun",
			  lists->tasks, said, lists->nodes, hosts->n);
}

bool pl_hosts_are_slurms(const char *word)
{
	return word && strcmp(word, "slurm") == 0;
}

static int read_lists(struct pl_hosts *hosts, const struct lists *lists, const char *nodes,
		      const char *tasks, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_copy(&text, lists->nodes, nodes, strlen(nodes), err))
		return -1;
	rc = pl_hosts_parse(hosts, &text, PL_HOSTS_LIST, err);
	pl_text_fini(&text);
	if (rc == 0 && take_tasks(hosts, lists, tasks, err)) {
		pl_hosts_fini(hosts);
		rc = -1;
	}
	return rc;
}

int pl_hosts_read_slurm(struct pl_hosts *hosts, struct pl_err *err)
{
	const char *nodes = value_of(of_job.nodes);
	const char *tasks = value_of(of_job.tasks);

	if (!nodes || !tasks)
		return pl_err_set(err, PL_EINPUT,
				  "HOSTS is slurm, but %s is not set: this is not a Slurm job (for "
				  "a file of that name, use ./slurm)",
				  nodes ? of_job.tasks : of_job.nodes);
	return read_lists(hosts, &of_job, nodes, tasks, err);
}

int pl_hosts_read_slurm_step(struct pl_hosts *hosts, struct pl_err *err)
{
	const char *nodes = value_of(of_step.nodes);
	const char *tasks = value_of(of_step.tasks);

	if (!nodes || !tasks)
		return pl_err_set(err, PL_EINPUT, "%s is not set: this is no step of Slurm's",
				  nodes ? of_step.tasks : of_step.nodes);
	return read_lists(hosts, &of_step, nodes, tasks, err);
}

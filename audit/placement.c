/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.c - which rank of a job runs on which host */
#include "config.h"

#include "audit/placement.h"

#include "base/mem.h"
#include "base/plan/plan.h"
#include "base/text/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)64 << 20)

/* Adds the host's ranks; a name that was there already is the same node. */
static int add_line(struct pl_placement *job, struct pl_names *names, const struct pl_host *host,
		    struct pl_err *err)
{
	ptrdiff_t node = pl_names_find(names, host->name, strlen(host->name));

	if (node < 0) {
		node = (ptrdiff_t)job->node.n;
		if (pl_hosts_add(&job->node, host) ||
		    pl_names_add(names, host->name, strlen(host->name), (size_t)node) < 0)
			return pl_err_nomem(err);
	}
	if (job->n_ranks + (size_t)host->slots > PL_PLACEMENT_RANKS_MAX)
		return pl_err_set(err, PL_EINPUT, "more than %d ranks", PL_PLACEMENT_RANKS_MAX);
	for (int i = 0; i < host->slots; i++)
		job->node_of[job->n_ranks++] = (uint32_t)node;
	return 0;
}

/* Hosts in the order of the ranks; @host_at NULL: as they stand. */
static int take_lines(struct pl_placement *job, const struct pl_hosts *hosts, const size_t *host_at,
		      struct pl_err *err)
{
	struct pl_names names = {0};
	int rc = 0;

	job->node_of = pl_array_create(PL_PLACEMENT_RANKS_MAX, sizeof(*job->node_of));
	if (!job->node_of)
		return pl_err_nomem(err);
	for (size_t i = 0; !rc && i < hosts->n; i++)
		rc = add_line(job, &names, &hosts->v[host_at ? host_at[i] : i], err);
	pl_names_fini(&names);
	return rc;
}

static int take_plan(struct pl_placement *job, struct pl_text *text, struct pl_err *err)
{
	struct pl_plan plan = {0};
	int rc = pl_plan_parse(&plan, text, err);

	if (!rc)
		rc = take_lines(job, &plan.hosts, plan.order[0].host_at, err);
	pl_plan_fini(&plan);
	return rc;
}

/* Any line of a schedule's own. */
static int pass_over(void *with, const struct pl_word *word, struct pl_line *line,
		     struct pl_err *err)
{
	(void)with;
	(void)word;
	(void)err;
	for (struct pl_word next; pl_line_next(line, &next);)
		;
	return 0;
}

static int take_schedule(struct pl_placement *job, struct pl_text *text, struct pl_err *err)
{
	const struct pl_plan_kin kin = {.type = "plink-schedule", .read = pass_over};
	struct pl_plan plan = {0};
	int rc = pl_plan_parse_kin(&plan, text, &kin, err);

	if (!rc)
		rc = take_lines(job, &plan.hosts, NULL, err);
	pl_plan_fini(&plan);
	return rc;
}

static int take_hosts(struct pl_placement *job, struct pl_text *text, struct pl_err *err)
{
	struct pl_hosts hosts = {0};
	int rc = pl_hosts_parse(&hosts, text, PL_HOSTS_ANY, err);

	if (!rc)
		rc = take_lines(job, &hosts, NULL, err);
	pl_hosts_fini(&hosts);
	return rc;
}

static bool begins(const struct pl_text *text, const char *mark)
{
	return strncmp(text->data, mark, strlen(mark)) == 0;
}

int pl_placement_parse(struct pl_placement *job, struct pl_text *text, struct pl_err *err)
{
	int rc;

	memset(job, 0, sizeof(*job));
	rc = begins(text, "# plink-plan")       ? take_plan(job, text, err)
	     : begins(text, "# plink-schedule") ? take_schedule(job, text, err)
						: take_hosts(job, text, err);
	if (rc)
		pl_placement_fini(job);
	return rc;
}

int pl_placement_read(struct pl_placement *job, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	memset(job, 0, sizeof(*job));
	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	rc = pl_placement_parse(job, &text, err);
	pl_text_fini(&text);
	return rc;
}

int pl_placement_of_ranks(struct pl_placement *job, size_t n_ranks, struct pl_err *err)
{
	char name[32];

	memset(job, 0, sizeof(*job));
	job->node_of = pl_array_create(n_ranks, sizeof(*job->node_of));
	if (!job->node_of)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n_ranks; i++) {
		snprintf(name, sizeof(name), "%zu", i);
		if (pl_hosts_add(&job->node, &(struct pl_host){.name = name, .slots = 1})) {
			pl_placement_fini(job);
			return pl_err_nomem(err);
		}
		job->node_of[job->n_ranks++] = (uint32_t)i;
	}
	return 0;
}

size_t pl_placement_slots(const struct pl_placement *job)
{
	const size_t slots = job->node.n ? job->n_ranks / job->node.n : 1;

	if (slots * job->node.n != job->n_ranks)
		return 1;
	for (size_t i = 0; i < job->n_ranks; i++)
		if (job->node_of[i] != job->node_of[i / slots * slots])
			return 1;
	return slots;
}

bool pl_placement_is_spread(const struct pl_placement *job)
{
	return job->n_ranks == job->node.n;
}

void pl_placement_fini(struct pl_placement *job)
{
	pl_hosts_fini(&job->node);
	free(job->node_of);
	memset(job, 0, sizeof(*job));
}

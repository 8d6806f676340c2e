/* SPDX-License-Identifier: BSD-3-Clause */
/* present.c - which hosts of a plan are in the job */
#include "config.h"

#include "src/exec/present.h"

#include "base/hosts/hosts-slurm.h"
#include "base/mem.h"
#include "shim/self.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The plan's host, as a process there would find it by its node's name; or by the address. Less
 * than 0: none, or several. */
static int find(const struct pl_plan *plan, const struct pl_host *host)
{
	struct pl_self self = {0};
	int at;

	snprintf(self.node, sizeof(self.node), "%s", host->name);
	at = pl_self_find(&self, &plan->hosts);
	for (size_t i = 0; at < 0 && i < plan->hosts.n; i++) {
		const char *addr = plan->hosts.v[i].addr;

		if (addr && strcmp(addr, host->name) == 0)
			at = (int)i;
	}
	return at;
}

/* Marks the job's hosts. Returns the first that the plan lacks, or hosts->n. */
static size_t mark(const struct pl_plan *plan, const struct pl_hosts *hosts, bool *keep)
{
	for (size_t i = 0; i < hosts->n; i++) {
		const int at = find(plan, &hosts->v[i]);

		if (at < 0)
			return i;
		keep[at] = true;
	}
	return hosts->n;
}

static int restrict_to(struct pl_plan *plan, const struct pl_hosts *hosts, const char *path,
		       struct pl_err *err)
{
	bool *keep = pl_array_create(plan->hosts.n, sizeof(*keep));
	size_t lacks;
	int rc = 0;

	if (!keep)
		return pl_err_nomem(err);
	lacks = mark(plan, hosts, keep);
	if (lacks < hosts->n && path)
		rc = pl_err_set(
			err, PL_EPARTIAL,
			"%s has the host %s, and the plan has none of that name, or several", path,
			hosts->v[lacks].name);
	else if (lacks == hosts->n && pl_plan_restrict(plan, keep))
		rc = pl_err_nomem(err);
	free(keep);
	return rc;
}

int pl_present_restrict_to_slurm(struct pl_plan *plan, struct pl_err *err)
{
	static const char step[] = "SLURM_STEP_NODELIST";
	const char *nodes = getenv(step);
	struct pl_hosts hosts = {0};
	struct pl_text text;
	int rc;

	if (!nodes || !*nodes || !getenv("SLURM_PROCID"))
		return 0;
	if (pl_text_copy(&text, step, nodes, strlen(nodes), err))
		return -1;
	rc = pl_hosts_parse(&hosts, &text, PL_HOSTS_LIST, err);
	pl_text_fini(&text);
	if (rc == 0)
		rc = restrict_to(plan, &hosts, NULL, err);
	pl_hosts_fini(&hosts);
	return rc;
}

/* The plan has the step's hosts alone. */
static int check_tasks(const struct pl_plan *plan, const struct pl_hosts *step, struct pl_err *err)
{
	for (size_t i = 0; i < step->n; i++) {
		const struct pl_host *host = &plan->hosts.v[find(plan, &step->v[i])];

		if (host->slots != step->v[i].slots)
			return pl_err_set(err, PL_EPARTIAL,
					  "the step has %d task%s on %s, and the plan %d slots",
					  step->v[i].slots, step->v[i].slots == 1 ? "" : "s",
					  step->v[i].name, host->slots);
	}
	return 0;
}

int pl_present_match_slurm(struct pl_plan *plan, struct pl_err *err)
{
	struct pl_hosts hosts = {0};
	int rc = pl_hosts_read_slurm_step(&hosts, err);

	if (rc == 0)
		rc = restrict_to(plan, &hosts, "the step", err);
	if (rc == 0)
		rc = check_tasks(plan, &hosts, err);
	pl_hosts_fini(&hosts);
	return rc;
}

int pl_present_restrict(struct pl_plan *plan, const char *path, struct pl_err *err)
{
	struct pl_hosts hosts = {0};
	int rc = pl_hosts_read(&hosts, path, PL_HOSTS_ANY, err);

	if (rc == 0)
		rc = restrict_to(plan, &hosts, path, err);
	pl_hosts_fini(&hosts);
	return rc;
}

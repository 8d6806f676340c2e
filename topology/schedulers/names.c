/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - names of groups, and of hosts that schedulers can have */
#include "config.h"

#include "topology/schedulers/schedulers.h"

#include <string.h>

#define NODE_NAME_MAX 253 /* bytes: a DNS subdomain, RFC 1123 */

const char *pl_scheduled_name(const struct pl_scheduled *s, size_t level, size_t a,
			      char name[PL_SCHEDULED_NAME])
{
	static const char *const wider[] = {"row", "hall"};

	if (level == 0)
		snprintf(name, PL_SCHEDULED_NAME, "%.8s%zu", s->lowest, a + 1);
	else if (level <= 2)
		snprintf(name, PL_SCHEDULED_NAME, "%s%zu", wider[level - 1], a + 1);
	else
		snprintf(name, PL_SCHEDULED_NAME, "level%u-%zu", (unsigned)level + 1, a + 1);
	return name;
}

bool pl_scheduled_is_in(const struct pl_scheduled *s, size_t level, size_t a, size_t b)
{
	const struct pl_hierarchy *l = s->levels;

	return l->level[level].group[l->level[level - 1].first[b]] == a;
}

int pl_scheduled_check_slurm(const struct pl_scheduled *s, struct pl_err *err)
{
	for (size_t i = 0; i < s->levels->n_hosts; i++)
		if (strchr(s->host[i], ':'))
			return pl_err_set(err, PL_EINPUT,
					  "\"%s\" cannot be the name of a node of Slurm",
					  s->host[i]);
	return 0;
}

/* Parts of lower-case letters, digits and, within, '-', with dots between. */
static bool is_node_name(const char *name)
{
	bool begins = true;

	if (strlen(name) > NODE_NAME_MAX)
		return false;
	for (const char *c = name; *c; c++) {
		const bool last = c[1] == '.' || c[1] == '\0';

		if (*c == '.' ? begins
			      : !strchr("0123456789abcdefghijklmnopqrstuvwxyz-", *c) ||
					(*c == '-' && (begins || last)))
			return false;
		begins = *c == '.';
	}
	return !begins;
}

int pl_scheduled_check_kubernetes(const struct pl_scheduled *s, struct pl_err *err)
{
	for (size_t i = 0; i < s->levels->n_hosts; i++)
		if (!is_node_name(s->host[i]))
			return pl_err_set(err, PL_EINPUT,
					  "\"%s\" cannot be the name of a node of Kubernetes",
					  s->host[i]);
	return 0;
}

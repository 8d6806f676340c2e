/* SPDX-License-Identifier: BSD-3-Clause */
/* where.c - where processes find the one with the first number */
#include "config.h"

#include "src/exec/where.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ":29500" at the end of "host:29500" and "[::1]:29500", or "". An IPv6 address
 * without brackets has none. */
static const char *port_of(const char *endpoint)
{
	const char *end = strrchr(endpoint, ']');
	const char *colon = strrchr(end ? end : endpoint, ':');

	if (!colon || (!end && strchr(endpoint, ':') != colon))
		return "";
	return colon;
}

char *pl_where_endpoint(const char *host, const char *endpoint)
{
	const bool is_ipv6 = strchr(host, ':');
	const char *port = port_of(endpoint);
	const size_t room = strlen(host) + strlen(port) + 3;
	char *to = malloc(room);

	if (to)
		snprintf(to, room, "%s%s%s%s", is_ipv6 ? "[" : "", host,
			 is_ipv6 ? "]" : "", port);
	return to;
}

static int change_endpoint(const char *name, const struct pl_seat *seat,
			   struct pl_changes *changes, struct pl_err *err)
{
	const char *was = getenv(name);
	char *is;
	int rc;

	if (!was || !*was)
		return 0;
	is = pl_where_endpoint(seat->leader, was);
	if (!is)
		return pl_err_nomem(err);
	rc = pl_changes_add(changes, name, is, err);
	free(is);
	return rc;
}

/* As SLURM knows them: by their own names. */
static char *node_list(const struct pl_plan *plan)
{
	const struct pl_hosts *hosts = &plan->hosts;
	size_t len = 1;
	char *list, *end;

	for (size_t i = 0; i < hosts->n; i++)
		len += 1 + strlen(hosts->v[i].node ? hosts->v[i].node
						   : hosts->v[i].name);
	list = end = malloc(len);
	for (size_t pos = 0; list && pos < hosts->n; pos++) {
		const struct pl_host *h =
			&hosts->v[plan->order[0].host_at[pos]];

		end += sprintf(end, "%s%s", pos ? "," : "",
			       h->node ? h->node : h->name);
	}
	return list;
}

int pl_where_change_slurm(const struct pl_seat *seat,
			  struct pl_changes *changes, struct pl_err *err)
{
	static const char *const names[] = {
		"SLURM_NODELIST", "SLURM_JOB_NODELIST", "SLURM_STEP_NODELIST"};
	char *list = node_list(seat->plan);
	int rc = list ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < sizeof(names) / sizeof(*names); i++)
		if (getenv(names[i]))
			rc = pl_changes_add(changes, names[i], list, err);
	free(list);
	return rc;
}

int pl_where_change(const struct pl_seat *seat, struct pl_changes *changes,
		    struct pl_err *err)
{
	const char *master = getenv("MASTER_ADDR");

	if (master && *master &&
	    pl_changes_add(changes, "MASTER_ADDR", seat->leader, err))
		return -1;
	return change_endpoint("NCCL_COMM_ID", seat, changes, err);
}

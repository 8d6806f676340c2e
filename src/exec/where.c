/* SPDX-License-Identifier: BSD-3-Clause */
/* where.c - the number of this host, and the address at which processes find that with the first
 * number */
#include "config.h"

#include "src/exec/where.h"

#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* ":29500" at the end of "host:29500" and "[::1]:29500", or "". An IPv6 address without brackets
 * has none. */
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
		snprintf(to, room, "%s%s%s%s", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port);
	return to;
}

/* NCCL would look the name up itself only once, and fail. */
static int check_resolves(const char *host, const char *name, struct pl_err *err)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	struct addrinfo *found;
	int why = getaddrinfo(host, NULL, &hints, &found);

	if (why)
		return pl_err_set(err, PL_EPARTIAL,
				  "%s would be set to %s, which does not resolve here (%s): give "
				  "the address of that host in the plan (addr=)",
				  name, host, gai_strerror(why));
	freeaddrinfo(found);
	return 0;
}

static int change_comm_id(const struct pl_seat *seat, struct pl_changes *changes,
			  struct pl_err *err)
{
	static const char name[] = "NCCL_COMM_ID";
	const char *was = getenv(name);
	char *is;
	int rc;

	if (!was || !*was)
		return 0;
	if (!*port_of(was))
		return pl_err_set(err, PL_EPARTIAL, "%s is \"%s\", which has no port", name, was);
	if (check_resolves(seat->leader, name, err))
		return -1;
	is = pl_where_endpoint(seat->leader, was);
	if (!is)
		return pl_err_nomem(err);
	rc = pl_changes_add(changes, name, is, err);
	free(is);
	return rc;
}

/* The names that Slurm has for them, which are its own. */
static char *node_list(const struct pl_plan *plan)
{
	const struct pl_hosts *hosts = &plan->hosts;
	size_t len = 1;
	char *list, *end;

	for (size_t i = 0; i < hosts->n; i++)
		len += 1 + strlen(hosts->v[i].node ? hosts->v[i].node : hosts->v[i].name);
	list = end = malloc(len);
	for (size_t pos = 0; list && pos < hosts->n; pos++) {
		const struct pl_host *h = &hosts->v[plan->order[0].host_at[pos]];

		end += sprintf(end, "%s%s", pos ? "," : "", h->node ? h->node : h->name);
	}
	return list;
}

int pl_where_change_slurm(const struct pl_seat *seat, struct pl_changes *changes,
			  struct pl_err *err)
{
	static const char *const names[] = {"SLURM_NODELIST", "SLURM_JOB_NODELIST",
					    "SLURM_STEP_NODELIST"};
	char *list = node_list(seat->plan);
	int rc = list ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < sizeof(names) / sizeof(*names); i++)
		if (getenv(names[i]))
			rc = pl_changes_add(changes, names[i], list, err);
	free(list);
	return rc;
}

/* If torchrun itself keeps the store, it does so on the host that it counts as the first: processes
 * have to look for it there. */
static bool is_store_elsewhere(void)
{
	const char *uses = getenv("TORCHELASTIC_USE_AGENT_STORE");

	return uses && strcmp(uses, "True") == 0;
}

bool pl_where_is_worker(void)
{
	return getenv("TORCHELASTIC_RUN_ID");
}

static int change_number(const struct pl_seat *seat, struct pl_changes *changes, const char *name,
			 struct pl_err *err)
{
	return getenv(name) ? pl_changes_add_number(changes, name, (int)seat->pos, err) : 0;
}

static int change_address(const struct pl_seat *seat, struct pl_changes *changes, const char *name,
			  struct pl_err *err)
{
	const char *was = getenv(name);

	if (!was || !*was || is_store_elsewhere())
		return 0;
	return pl_changes_add(changes, name, seat->leader, err);
}

/* Where the hosts meet before torchrun starts its workers. */
static int change_endpoint(const struct pl_seat *seat, struct pl_changes *changes,
			   struct pl_err *err)
{
	static const char name[] = "PET_RDZV_ENDPOINT";
	const char *was = getenv(name);
	char *is;
	int rc;

	if (!was || !*was || pl_where_is_worker())
		return 0;
	is = pl_where_endpoint(seat->leader, was);
	rc = is ? pl_changes_add(changes, name, is, err) : pl_err_nomem(err);
	free(is);
	return rc;
}

int pl_where_change(const struct pl_seat *seat, struct pl_changes *changes, struct pl_err *err)
{
	if (change_number(seat, changes, "NODE_RANK", err) ||
	    change_number(seat, changes, "PET_NODE_RANK", err) ||
	    change_address(seat, changes, "MASTER_ADDR", err) ||
	    change_address(seat, changes, "PET_MASTER_ADDR", err) ||
	    change_endpoint(seat, changes, err))
		return -1;
	return change_comm_id(seat, changes, err);
}

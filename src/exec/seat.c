/* SPDX-License-Identifier: BSD-3-Clause */
/* seat.c - where a plan puts the processes of this host */
#include "config.h"

#include "src/exec/seat.h"

#include "shim/ranks.h"
#include "shim/self.h"
#include "src/common/tool.h"

static int no_host(const struct pl_self *self, int why, struct pl_err *err)
{
	if (why == PL_SELF_AMBIGUOUS)
		return pl_err_set(err, PL_EPARTIAL,
				  "several hosts of the plan could be %s: name one in PLINK_HOST",
				  self->node);
	if (self->named)
		return pl_err_set(err, PL_EPARTIAL,
				  "PLINK_HOST is \"%s\", and the plan has no host of that name",
				  self->named);
	return pl_err_set(err, PL_EPARTIAL,
			  "the plan has no host with the name %s or an address of it: name one in "
			  "PLINK_HOST, or make a plan with it",
			  self->node);
}

/* If PLINK_HOST is the same on all machines, it would put them all in one place. */
static int check_name(const struct pl_self *self, const struct pl_plan *plan, int host,
		      struct pl_err *err)
{
	struct pl_self unnamed = *self;
	int own;

	unnamed.named = NULL;
	own = pl_self_find(&unnamed, &plan->hosts);
	if (own < 0 || own == host)
		return 0;
	return pl_err_set(
		err, PL_EPARTIAL,
		"PLINK_HOST is \"%s\", and this is %s, the plan's host %s: two hosts would get one "
		"position; set PLINK_HOST to each machine's own name, or on none",
		self->named, self->node, plan->hosts.v[own].name);
}

/* After machines were replaced, their names can be those of others before. */
static int warn_of_other(const struct pl_host *host, struct pl_err *err)
{
	struct pl_self self = {0};

	if (!host->addr)
		return 0;
	if (pl_self_init(&self, err))
		return -1;
	if (pl_self_was_other(&self, host))
		pl_tool_warn("plink-exec",
			     "in the plan, %s had the address %s, which this machine has not: if "
			     "machines were replaced, make a new plan",
			     host->name, host->addr);
	pl_self_fini(&self);
	return 0;
}

/* Listing addresses takes time: they are used if no name fits. */
static int own_host(const struct pl_plan *plan, struct pl_err *err)
{
	struct pl_self self = {0};
	int host;

	if (pl_self_init_names(&self, err))
		return -1;
	host = pl_self_find(&self, &plan->hosts);
	if (host >= 0 && self.named && check_name(&self, plan, host, err)) {
		pl_self_fini(&self);
		return -1;
	}
	if (host == PL_SELF_UNKNOWN && !self.named) {
		pl_self_fini(&self);
		if (pl_self_init(&self, err))
			return -1;
		host = pl_self_find(&self, &plan->hosts);
	}
	if (host < 0)
		host = no_host(&self, host, err);
	else if (!self.named && warn_of_other(&plan->hosts.v[host], err))
		host = -1;
	pl_self_fini(&self);
	return host;
}

int pl_seat_find(struct pl_seat *seat, const struct pl_plan *plan, struct pl_err *err)
{
	const struct pl_host *front = &plan->hosts.v[plan->order[0].host_at[0]];
	const int host = own_host(plan, err);

	if (host < 0)
		return -1;
	*seat = (struct pl_seat){
		.plan = plan,
		.host = &plan->hosts.v[host],
		.first_rank = pl_shim_block(plan, (size_t)host),
		.n_ranks = (int)pl_hosts_ranks(&plan->hosts),
		.leader = front->addr ? front->addr : front->name,
	};
	while (plan->order[0].host_at[seat->pos] != (size_t)host)
		seat->pos++;
	return 0;
}

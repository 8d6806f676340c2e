/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-takes.c - what NCCL chooses by itself on the hosts of an order */
#include "config.h"

#include "src/order/nccl-takes.h"

#include "costmodels/catalogue.h"
#include "costmodels/nccl.h"

#include <stdio.h>

const char *pl_reorder_nccl_algo(const struct pl_reorder_answer *a)
{
	const struct pl_algorithm *algorithm = a->o->request.what.a;

	return algorithm->impl == PL_NCCL && algorithm->collective != PL_ALLTOALL
		       ? pl_nccl_algo_name(pl_nccl_algo_of(algorithm))
		       : NULL;
}

/* The choice on nodes of @n_gpus GPUs. */
static enum pl_nccl_choice choose_for(const struct pl_reorder_options *o, size_t n_nodes,
				      size_t n_gpus, enum pl_nccl_algo *takes)
{
	struct pl_nccl_job job = {
		.collective = o->request.what.a->collective,
		.bytes = o->request.what.bytes,
		.n_nodes = n_nodes,
		.n_gpus = n_gpus,
		.bytes_per_ns = (o->request.nic_bps > 0 ? o->request.nic_bps : PL_NCCL_BPS) / 8e9,
	};

	if (o->request.what.a->collective == PL_ALLGATHER)
		job.bytes *= job.n_nodes * job.n_gpus;
	return pl_nccl_choose(&job, takes);
}

/* The choice on @n_nodes of the hosts. NCCL computes with the mean number of GPUs, in places as a
 * whole number: if the two nearest whole numbers lead to different choices, the choice is not
 * known. */
static enum pl_nccl_choice choose(const struct pl_reorder_options *o, const struct pl_hosts *hosts,
				  size_t n_nodes, enum pl_nccl_algo *takes)
{
	const size_t n_ranks = pl_hosts_ranks(hosts);
	const size_t n_gpus = n_ranks / hosts->n;
	enum pl_nccl_algo more;

	if (choose_for(o, n_nodes, n_gpus, takes) != PL_NCCL_TAKES)
		return PL_NCCL_DEPENDS;
	if (n_ranks % hosts->n == 0)
		return PL_NCCL_TAKES;
	return choose_for(o, n_nodes, n_gpus + 1, &more) == PL_NCCL_TAKES && more == *takes
		       ? PL_NCCL_TAKES
		       : PL_NCCL_DEPENDS;
}

static bool asks(const struct pl_reorder_options *o, size_t n_nodes)
{
	return o->request.what.a->impl == PL_NCCL && o->request.what.a->collective != PL_ALLTOALL &&
	       o->request.what.has_size && n_nodes >= 2;
}

bool pl_reorder_nccl_takes(const struct pl_reorder_answer *a, const char **algo)
{
	const struct pl_hosts *hosts = &a->in->hosts;
	enum pl_nccl_algo takes;

	if (!asks(a->o, hosts->n))
		return false;
	*algo = choose(a->o, hosts, hosts->n, &takes) == PL_NCCL_TAKES ? pl_nccl_algo_name(takes)
								       : NULL;
	return true;
}

void pl_reorder_nccl_default(struct pl_reorder_options *o, const struct pl_hosts *hosts)
{
	const size_t n_nodes = o->request.choose ? o->request.choose : hosts->n;
	const struct pl_algorithm *a;
	enum pl_nccl_algo takes;

	if (o->request.names.algorithm || pl_reorder_predicts(o) || !asks(o, n_nodes) ||
	    choose(o, hosts, n_nodes, &takes) != PL_NCCL_TAKES)
		return;
	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		if (a->impl == PL_NCCL && a->collective == o->request.what.a->collective &&
		    pl_nccl_algo_of(a) == takes) {
			o->request.what.a = a;
			snprintf(o->request.what.name, sizeof(o->request.what.name), "%s", a->name);
			return;
		}
}

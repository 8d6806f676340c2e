/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-choose.c - what NCCL does by itself, and what makes it do what an order is for */
#include "config.h"

#include "costmodels/nccl.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const char *pl_nccl_algo_name(enum pl_nccl_algo algo)
{
	static const char *const name[] = {
		[PL_NCCL_RING] = "Ring",
		[PL_NCCL_TREE] = "Tree",
		[PL_NCCL_PAT] = "PAT",
	};

	return name[algo];
}

const char *pl_nccl_function(enum pl_collective collective)
{
	switch (collective) {
	case PL_BROADCAST:
		return "Broadcast";
	case PL_REDUCE:
		return "Reduce";
	case PL_ALLGATHER:
		return "AllGather";
	case PL_REDUCE_SCATTER:
		return "ReduceScatter";
	default:
		return "AllReduce";
	}
}

enum pl_nccl_algo pl_nccl_algo_of(const struct pl_algorithm *a)
{
	if (strcmp(a->name, "double-binary-tree") == 0)
		return PL_NCCL_TREE;
	return strcmp(a->name, "pat") == 0 ? PL_NCCL_PAT : PL_NCCL_RING;
}

enum protocol { LL, LL128, SIMPLE, N_PROTOCOLS };

/* What the choice may hang on and a matrix does not tell: every combination is a machine. */
enum {
	NVLINK = 1,     /* between the GPUs of a host, not PCI */
	AMD = 2,        /* processors, not Intel's */
	OLD_GPU = 4,    /* before Ampere */
	CHAIN_TREE = 8, /* a tree of the pattern that one GPU a host has */
	CHANNELS = 16,  /* 16, not 2 */
	NEAR_NIC = 32,  /* below the same PCI switch: LL128 is used */
	TWICE = 64,     /* between two hosts trees may go at twice the rate */
	MACHINES = 128,
};

/* Microseconds, as all times here: to start with; a step between hosts; one within a host, by PCI
 * and by NVLink. [ring or tree][protocol] */
static const double start_us[][N_PROTOCOLS] = {{6.6, 14, 8.4}, {6.8, 14, 8.4}};
static const double net_us[][N_PROTOCOLS] = {{2.7, 4, 14}, {5, 8.5, 14}};
static const double intra_us[][2][N_PROTOCOLS] = {
	{{1, 2.5, 5.7}, {1, 1.9, 4}},
	{{0.6, 1.9, 3.4}, {0.6, 1.25, 4}},
};

/* NCCL's correction of trees at 64 bytes, 128 bytes, ... */
static const double tree_factor[N_PROTOCOLS][23] = {
	{1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1},
	{1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1},
	{.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5,
	 .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9},
};

static unsigned log2_of(uint64_t n)
{
	return n ? 63 - (unsigned)__builtin_clzll(n) : 0;
}

/* The most that LL passes, in GB/s. */
static double ll_max(const struct pl_nccl_job *job, unsigned machine)
{
	const bool two = job->n_nodes == 2;

	if (machine & AMD)
		return two ? 22.5 : 19;
	return two ? 39 : 20.4;
}

static double ring_us(const struct pl_nccl_job *job, unsigned machine, enum protocol p)
{
	const bool all = job->collective == PL_ALLREDUCE;
	const uint64_t n = job->n_nodes * job->n_gpus;
	const double steps = (double)((all ? 2 : 1) * (n - 1));
	const double inter = (double)((all ? 2 : 1) * (job->n_nodes - 1));
	const double post_us = (machine & AMD ? 2 : 1) * (p == SIMPLE ? 3.0 : 1.0);
	/* with one GPU a host nothing hides the latency */
	const double hop_us = net_us[job->n_gpus == 1][p];
	const double intra = fmax(intra_us[!!(machine & NVLINK)][0][p], post_us);
	const double channels = machine & CHANNELS ? 16 : 2;
	double us = start_us[0][p] + (steps - inter) * intra + inter * hop_us;
	double rate = job->bytes_per_ns;

	if (p == LL)
		rate = fmin(ll_max(job, machine), rate * 0.5);
	if (p == LL128)
		rate *= 0.92;
	if (p == SIMPLE && all && (double)job->bytes / (channels * (double)n) >= 64)
		us *= machine & OLD_GPU ? 1.9 : 1.4;
	return us + (double)job->bytes / (1000 * rate * (double)n / steps);
}

static double tree_us(const struct pl_nccl_job *job, unsigned machine, enum protocol p)
{
	const bool chain = job->n_gpus == 1 || machine & CHAIN_TREE;
	const bool twice = job->n_nodes == 2 && machine & TWICE;
	const unsigned at = log2_of(job->bytes >> 6);
	const double us = start_us[1][p] +
			  2 * ((double)(job->n_gpus - 1) * intra_us[!!(machine & NVLINK)][1][p] +
			       log2_of(job->n_nodes) * net_us[1][p]);
	double rate = job->bytes_per_ns * (twice ? 2 : 1) * 0.92;

	if (p == LL)
		rate = fmin(rate / 3.8, ll_max(job, machine));
	if (p == LL128)
		rate *= 120.0 / 128;
	if (chain)
		rate *= 0.85;
	if (job->bytes >= 64 && at < 23)
		rate *= tree_factor[p][at];
	return us + (double)job->bytes / (1000 * rate * 0.5);
}

static double pat_us(const struct pl_nccl_job *job, unsigned machine)
{
	const bool twice = job->n_nodes == 2 && machine & TWICE;
	const double rate = job->bytes_per_ns * (twice ? 2 : 1) * 0.75;

	return 8 + log2_of(job->n_nodes) * net_us[1][SIMPLE] / 3.5 + 2.8 * (double)job->n_nodes +
	       (double)job->bytes / (1000 * rate);
}

/* On one such machine. */
static enum pl_nccl_algo cheapest(const struct pl_nccl_job *job, unsigned machine)
{
	enum pl_nccl_algo best = PL_NCCL_RING;
	double us = INFINITY;

	for (int p = LL; p < N_PROTOCOLS; p++)
		if (p != LL128 || machine & NEAR_NIC)
			us = fmin(us, ring_us(job, machine, (enum protocol)p));
	if (job->collective != PL_ALLREDUCE) {
		if (job->n_gpus == 1 && pat_us(job, machine) < us)
			best = PL_NCCL_PAT;
		return best;
	}
	for (int p = LL; p < N_PROTOCOLS; p++)
		if ((p != LL128 || machine & NEAR_NIC) &&
		    tree_us(job, machine, (enum protocol)p) < us)
			best = PL_NCCL_TREE;
	return best;
}

enum pl_nccl_choice pl_nccl_choose(const struct pl_nccl_job *job, enum pl_nccl_algo *algo)
{
	*algo = PL_NCCL_RING;
	if (job->collective == PL_BROADCAST || job->collective == PL_REDUCE)
		return PL_NCCL_TAKES; /* there is no other */
	*algo = cheapest(job, 0);
	for (unsigned machine = 1; machine < MACHINES; machine++)
		if (cheapest(job, machine) != *algo)
			return PL_NCCL_DEPENDS;
	return PL_NCCL_TAKES;
}

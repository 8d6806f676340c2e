/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.c - what the stalls of a run ask for, in words */
#include "config.h"

#include "planner/stalls/advice.h"

#include <inttypes.h>
#include <math.h>

uint64_t pl_stall_workers_wanted(const struct pl_stall_run *run)
{
	const double t2_s = pl_stall_seconds(run, PL_STALL_T2);
	const double t4_s = run->t_s[PL_STALL_T4];
	double wanted;

	if (run->workers == PL_STALL_WORKERS_UNKNOWN || !(t4_s > t2_s))
		return 0;
	/* w workers give a batch every t4; one alone every w * t4 */
	wanted = run->workers ? (double)run->workers * t4_s / t2_s : (t4_s - t2_s) / t2_s;
	return wanted < (double)PL_STALL_GPUS_MAX ? (uint64_t)ceil(wanted) : 0;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void advise_prep(const struct pl_stall_run *run, double share, FILE *out)
{
	const uint64_t wanted = pl_stall_workers_wanted(run);
	const double t4_s = run->t_s[PL_STALL_T4];
	const double less = 1 - pl_stall_seconds(run, PL_STALL_T2) / t4_s;

	fprintf(out, "prep-bound (%.0f %% of a step); remedy: ", 100 * share);
	if (wanted > run->workers)
		fprintf(out, "%" PRIu64 " more loader worker%s for a GPU (%" PRIu64 " in all), or ",
			wanted - run->workers, plural(wanted - run->workers), wanted);
	if (run->workers == 0)
		fputs("less work to prepare a sample\n", out);
	else
		fprintf(out, "%.0f %% less work to prepare a sample\n", 100 * less);
}

static void advise_fetch(const struct pl_stall_run *run, double share, FILE *out)
{
	const double t3_s = run->t_s[PL_STALL_T3];
	const double t4_s = run->t_s[PL_STALL_T4];

	fprintf(out,
		"fetch-bound (%.0f %% of a step) until memory holds the data; remedy: storage %.3g "
		"times as fast, or %.0f %% of the data",
		100 * share, t3_s / t4_s, 100 * (1 - t4_s / t3_s));
	if (run->data_bytes)
		fprintf(out, " (%.3g GB)", (1 - t4_s / t3_s) * (double)run->data_bytes / 1e9);
	fputs(" in memory\n", out);
}

static void advise_interconnect(double share, FILE *out)
{
	fprintf(out,
		"interconnect-bound: the exchange adds %.0f %% to a step of one GPU; remedy: a "
		"larger batch, fewer or smaller gradients, or GPUs with a faster connection\n",
		100 * share);
}

static void advise_network(const struct pl_stall_run *run, double share, FILE *out)
{
	const char *apart = run->apart ? run->apart : run->machine;

	if (share < 0)
		fprintf(out,
			"%" PRIu64 " x %s take %.0f %% less time than one %s, whose GPUs have a "
			"connection slower than the network\n",
			run->machines, apart, -100 * share, run->machine);
	else
		fprintf(out,
			"network-bound on %" PRIu64
			" x %s: the exchange adds %.0f %%; remedy: the GPUs in one machine, a "
			"larger batch, or a faster network\n",
			run->machines, apart, 100 * share);
}

/* It may be chance. */
static void advise_again(enum pl_stall stall, const struct pl_stall_parts *p, FILE *out)
{
	fprintf(out,
		"%s: not certain: %+.0f ms, with a standard error of %.0f ms; measure more "
		"--iterations, or when nothing else runs\n",
		pl_stall_name(stall), 1e3 * p->s[stall], 1e3 * p->error_s[stall]);
}

static void advise_one(const struct pl_stall_run *run, enum pl_stall stall, double share, FILE *out)
{
	switch (stall) {
	case PL_STALL_PREP:
		advise_prep(run, share, out);
		break;
	case PL_STALL_FETCH:
		advise_fetch(run, share, out);
		break;
	case PL_STALL_INTERCONNECT:
		advise_interconnect(share, out);
		break;
	case PL_STALL_NETWORK:
		advise_network(run, share, out);
		break;
	}
}

/* The longest of those that are left, or PL_STALLS. */
static int longest(const struct pl_stall_parts *p, const bool *left)
{
	int best = PL_STALLS;

	for (int i = 0; i < PL_STALLS; i++)
		if (left[i] && (best == PL_STALLS || p->s[i] > p->s[best]))
			best = i;
	return best;
}

void pl_stall_advise(const struct pl_stall_run *run, const char *indent, FILE *out)
{
	const struct pl_stall_parts p = pl_stall_parts_of(run);
	bool left[PL_STALLS], any = false, known = false;
	int i;

	for (i = 0; i < PL_STALLS; i++) {
		left[i] = p.share[i] >= PL_STALL_WORTH ||
			  (i == PL_STALL_NETWORK && p.share[i] <= -PL_STALL_WORTH);
		known = known || !isnan(p.s[i]);
	}
	while ((i = longest(&p, left)) < PL_STALLS) {
		fputs(indent, out);
		if (fabs(p.s[i]) < PL_STALL_CERTAIN * p.error_s[i])
			advise_again((enum pl_stall)i, &p, out);
		else
			advise_one(run, (enum pl_stall)i, p.share[i], out);
		left[i] = false;
		any = true;
	}
	if (!any && known)
		fprintf(out, "%sno measured stall takes %.0f %% of a step or more\n", indent,
			100 * PL_STALL_WORTH);
}

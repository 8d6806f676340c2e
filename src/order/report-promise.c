/* SPDX-License-Identifier: BSD-3-Clause */
/* report-promise.c - on stderr: how long calls take in the given and found order */
#include "config.h"

#include "src/order/report.h"

#include "base/text/size.h"
#include "costmodels/catalogue.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL_CHARS 96
#define GUESSED_MAX 8 /* named before the rest is counted */

const char *pl_reorder_time_text(char buf[PL_REORDER_TIME], const struct pl_reorder_answer *a,
				 double time)
{
	static const struct {
		double factor;
		const char *name;
	} units[] = {{1e6, "us"}, {1e3, "ms"}, {1, "s"}};
	size_t u = 0;
	double shown;

	if (!a->promise->in_seconds) {
		snprintf(buf, PL_REORDER_TIME, "%.6g %s", time, pl_unit_name(a->in->unit));
		return buf;
	}
	while (u < 2 && time * units[u].factor >= 999.5)
		u++;
	shown = time * units[u].factor;
	snprintf(buf, PL_REORDER_TIME, "%.*f %s",
		 shown >= 99.95   ? 0
		 : shown >= 9.995 ? 1
				  : 2,
		 shown, units[u].name);
	return buf;
}

/* "64k" or, among several collectives, "broadcast 64k". */
static const char *call_text(char buf[CALL_CHARS], const struct pl_order_workload *w,
			     const struct pl_order_work *work)
{
	const struct pl_order_algorithm *what = &work->what;
	char size[PL_SIZE_CHARS] = "";

	if (what->has_size)
		pl_size_format(size, what->bytes);
	snprintf(buf, CALL_CHARS, "%s%s%s",
		 pl_order_workload_is_mixed(w) || !what->has_size
			 ? pl_collective_name(what->a->collective)
			 : "",
		 pl_order_workload_is_mixed(w) && what->has_size ? " " : "", size);
	return buf;
}

static const char *algorithm_name(const struct pl_order_work *work)
{
	return work->taken ? work->taken->name : work->what.name;
}

static int widest(const struct pl_order_workload *w, bool of_calls)
{
	char buf[CALL_CHARS];
	size_t most = 4;

	for (size_t i = 0; i < w->n; i++) {
		const size_t len = of_calls ? strlen(call_text(buf, w, &w->v[i]))
					    : strlen(algorithm_name(&w->v[i]));

		most = len > most ? len : most;
	}
	return (int)most;
}

const char *pl_reorder_library_name(const struct pl_reorder_answer *a)
{
	static const char *const name[PL_IMPLS] = {
		[PL_THESIS] = "the thesis", [PL_OPENMPI] = "Open MPI",  [PL_GLOO] = "Gloo",
		[PL_NCCL] = "NCCL",         [PL_LIGHTGBM] = "LightGBM", [PL_MPICH] = "MPICH",
		[PL_XGBOOST] = "XGBoost",
	};
	const enum pl_impl impl = a->o->request.what.a->impl;
	const bool is_mpi = (impl == PL_OPENMPI && a->o->mpi.kind == PL_MPI_OPENMPI_4) ||
			    (impl == PL_MPICH && a->o->mpi.kind == PL_MPI_MPICH);

	return is_mpi ? a->o->mpi.name : name[impl];
}

/* "allreduce", "reduce to rank 2"; of several "collectives". */
static const char *collective(char buf[CALL_CHARS], const struct pl_order_workload *w)
{
	const struct pl_order_algorithm *what = &w->v[0].what;

	if (pl_order_workload_is_mixed(w))
		return "collectives";
	snprintf(buf, CALL_CHARS, "%s", pl_collective_name(what->a->collective));
	if (what->root)
		snprintf(buf, CALL_CHARS, "%s %s rank %zu", pl_collective_name(what->a->collective),
			 what->a->collective == PL_REDUCE ? "to" : "from", what->root);
	return buf;
}

static void say_title(const struct pl_reorder_answer *a)
{
	const struct pl_order_workload *w = &a->promise->w;
	const char *whose = a->o->request.names.algorithm ? "the algorithm named"
			    : w->v[0].taken               ? "the algorithms it takes by itself"
							  : "an algorithm it has";
	const char *other = a->o->cost_of ? a->o->cost_of : "found order";
	char buf[CALL_CHARS];

	if (a->promise->in_seconds)
		pl_reorder_say("predicted time of a call, given order -> %s; %s of %s, %s:", other,
			       collective(buf, w), pl_reorder_library_name(a), whose);
	else
		pl_reorder_say(
			"cost of a call's hops, given order -> %s; %s of %s, %s (no times: %s):",
			other, collective(buf, w), pl_reorder_library_name(a), whose,
			a->promise->why_not);
}

/* Does coll/han have an algorithm for one of these calls? */
static bool han_has_one(const struct pl_order_workload *w)
{
	size_t radix;

	for (size_t i = 0; i < w->n; i++)
		if (pl_catalogue_find(w->v[i].what.a->collective, PL_OPENMPI, "han", &radix, NULL))
			return true;
	return false;
}

/* The decisions that are known are those of versions 4.1 and 5.0, but where hosts have different
 * numbers of ranks. */
static void say_version(const struct pl_reorder_answer *a)
{
	const struct pl_order_workload *w = &a->promise->w;
	const char *name = a->o->mpi.name;

	if (w->v[0].what.a->impl != PL_OPENMPI || !w->v[0].taken ||
	    a->o->mpi.kind != PL_MPI_OPENMPI_5)
		return;
	if (!strstr(name, " 5.0"))
		pl_reorder_say("these are the algorithms of Open MPI 5.0; %s may take others",
			       name);
	if (a->o->request.names.han && han_has_one(w) && pl_order_slots(&a->in->hosts) == 0)
		pl_reorder_say(
			"these are the algorithms of coll/tuned: hosts have different numbers of "
			"slots, and where coll/han of %s serves those is not known",
			name);
}

static void say_call(const struct pl_reorder_answer *a, size_t i)
{
	const struct pl_order_promise *p = a->promise;
	const double gain = pl_order_gain(p->call[i].given, p->call[i].found);
	char call[CALL_CHARS], given[PL_REORDER_TIME], found[PL_REORDER_TIME];

	pl_reorder_say("  %*s  %-*s  %9s -> %9s  %5.1f %% %s", widest(&p->w, true),
		       call_text(call, &p->w, &p->w.v[i]), widest(&p->w, false),
		       algorithm_name(&p->w.v[i]), pl_reorder_time_text(given, a, p->call[i].given),
		       pl_reorder_time_text(found, a, p->call[i].found), fabs(gain),
		       gain < 0 ? "more" : "less");
}

/* Reports an order that would gain more but was not taken because it is slower somewhere; or where
 * the one taken is slower. */
static void say_trade(const struct pl_reorder_answer *a)
{
	const struct pl_order_promise *p = a->promise;
	char call[CALL_CHARS];

	if (isnan(p->refused_loss))
		return;
	call_text(call, &p->w, &p->w.v[p->refused_call]);
	if (pl_order_loses(p))
		pl_reorder_say("this order is slower than the given one by %.1f %% at %s%s",
			       p->refused_loss, call,
			       a->o->request.accept_loss >= p->refused_loss
				       ? ", which --accept-loss allows"
			       : a->o->request.pin ? ": that is what --pin costs"
						   : ": that is what --not-first costs");
	else if (p->refused_loss <= PL_ORDER_SLOWER)
		pl_reorder_say("another order takes %.1f %% less in all, but may be slower at %s "
			       "(chance %.0f %%): --accept-loss=%.0f allows such",
			       p->refused_gain, call, p->refused_chance, PL_ORDER_SLOWER);
	else
		pl_reorder_say("another order takes %.1f %% less in all, but %.1f %% more at %s: "
			       "--accept-loss=%.0f allows such",
			       p->refused_gain, p->refused_loss, call, ceil(p->refused_loss));
}

static void say_gain(const struct pl_reorder_answer *a)
{
	const struct pl_order_promise *p = a->promise;

	if (a->r->kept)
		pl_reorder_say("only %.2f %% could be gained, less than the %.4g %% asked for: the "
			       "given order is kept",
			       a->r->gain_missed, a->o->request.min_gain);
	else if (p->held)
		pl_reorder_say("no order found gains %g %% or more and is surely as fast at every "
			       "size: the given order is kept",
			       PL_ORDER_NOTICED);
	else if (p->w.n > 1)
		pl_reorder_say("in all%s %.1f %% %s", p->w.n_guessed > 0 ? " of these" : "",
			       fabs(p->gain), p->gain < 0 ? "more" : "less");
}

char *pl_reorder_guessed_calls(const struct pl_order_promise *p)
{
	const struct pl_order_work *v = p->guessed ? p->w.v : p->w.guessed;
	const size_t n = p->guessed ? p->w.n : p->w.n_guessed;
	char call[CALL_CHARS], *text = NULL;
	size_t len;
	FILE *f = n > 0 ? open_memstream(&text, &len) : NULL;

	for (size_t i = 0; f && i < n && i < GUESSED_MAX; i++)
		fprintf(f, "%s%s", i > 0 ? ", " : "", call_text(call, &p->w, &v[i]));
	if (f && n > GUESSED_MAX)
		fprintf(f, " and %zu more", n - GUESSED_MAX);
	if (f && fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

static bool lacks_connections(const struct pl_reorder_remarks *why)
{
	for (size_t i = 0; i < why->n; i++)
		if (strstr(why->v[i].text, "connect"))
			return true;
	return false;
}

/* Calls of which nothing is promised, and what would change that. */
static void say_guessed(const struct pl_reorder_answer *a)
{
	const struct pl_order_promise *p = a->promise;
	char *calls = pl_reorder_guessed_calls(p);

	if (!calls)
		return;
	pl_reorder_warn("no time is predicted for %s: it depends on rates that are not known",
			calls);
	if (p->guessed)
		pl_reorder_say("%s by round trips alone",
			       p->held ? "the given order is kept, which is best"
				       : "the order is the best");
	if (a->from->no_rates.n == 0)
		pl_reorder_say(
			"plink-probe measures rates, unless told not to; --nic and --uplink tell "
			"them");
	else if (lacks_connections(&a->from->no_rates))
		pl_reorder_say("if a firewall stops TCP between these hosts, open all ports: the "
			       "job needs it, too");
	free(calls);
}

/* If more than this share, in percent, of a job's calls was left out, it is reported. */
#define LEFT_OUT_TOLD 0.1

static void say_left_out(const struct pl_reorder_answer *a)
{
	const struct pl_order_workload *w = &a->promise->w;
	const double percent = 100 * w->n_left_out / w->n_calls;

	if (w->n_left_out > 0 && percent >= LEFT_OUT_TOLD)
		pl_reorder_say("%.3g %% of the calls in %s are not among these, as no order is "
			       "found for them: most are %s",
			       percent, a->o->request.stats, w->most);
}

void pl_reorder_report_promise(const struct pl_reorder_answer *a)
{
	if (!a->promise->guessed) {
		say_title(a);
		for (size_t i = 0; i < a->promise->w.n; i++)
			say_call(a, i);
		say_gain(a);
		say_trade(a);
	}
	say_version(a);
	say_guessed(a);
	say_left_out(a);
	if (a->o->verbose)
		pl_reorder_say("%zu orders were predicted", a->promise->n_looked);
}

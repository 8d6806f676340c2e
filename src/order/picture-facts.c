/* SPDX-License-Identifier: BSD-3-Clause */
/* picture-facts.c - a report's words: what was asked, what was done, what limits it */
#include "config.h"

#include "src/order/picture.h"

#include "base/text/shell.h"
#include "base/text/size.h"
#include "costmodels/catalogue.h"
#include "src/order/format/format.h"
#include "src/order/job.h"
#include "src/order/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ADD(part, key, ...)                                                                        \
	do {                                                                                       \
		if (pl_report_add(r, part, key, __VA_ARGS__))                                      \
			return -1;                                                                 \
	} while (0)

static int add_asked(struct pl_report *r, const struct pl_reorder_options *o)
{
	char *line = pl_shell_command(o->argv);
	char title[PL_ORDER_TITLE];
	int rc = line ? pl_report_add(r, PL_REPORT_ASKED, "command line", "%s", line) : -1;

	free(line);
	if (rc)
		return -1;
	ADD(PL_REPORT_ASKED, "to be cheap", "%s%s", o->job ? "a step of the job in " : "",
	    o->job ? o->job : pl_order_title(title, &o->request.what));
	if (o->request.has_symmetrize)
		ADD(PL_REPORT_ASKED, "of both directions", "%s",
		    pl_symmetrize_name(o->request.symmetrize));
	if (o->request.pin)
		ADD(PL_REPORT_ASKED, "first", "%s", o->request.pin);
	if (o->request.not_first)
		ADD(PL_REPORT_ASKED, "not first", "%s", o->request.not_first);
	if (o->request.choose)
		ADD(PL_REPORT_ASKED, "hosts to choose", "%zu", o->request.choose);
	if (o->has_min_gain)
		ADD(PL_REPORT_ASKED, "least gain", "%g %%", o->request.min_gain);
	if (o->request.time_ns)
		ADD(PL_REPORT_ASKED, "time", "%g s at most", (double)o->request.time_ns * 1e-9);
	if (o->request.has_moves)
		ADD(PL_REPORT_ASKED, "moves", "%llu", (unsigned long long)o->request.moves);
	ADD(PL_REPORT_ASKED, "seed", "%llu", (unsigned long long)o->request.seed);
	ADD(PL_REPORT_ASKED, "output", "%s, %s", pl_reorder_form(o->format)->name,
	    o->output ? o->output : "standard output");
	return 0;
}

static int add_effect(struct pl_report *r, const struct pl_reorder_picture *p)
{
	const struct pl_reorder_options *o = p->a->o;
	const struct pl_reorder_source *from = p->a->from;
	const struct pl_order_input *in = p->in;
	const enum pl_symmetrize how =
		o->request.has_symmetrize ? o->request.symmetrize : from->seen->symmetrize;

	ADD(PL_REPORT_EFFECT, "matrix", "%s",
	    o->matrix      ? o->matrix
	    : from->probed ? "measured now"
			   : "as told");
	ADD(PL_REPORT_EFFECT, "its digest", "%s", from->digest);
	ADD(PL_REPORT_EFFECT, "pairs", "%zu measured, %zu missing", in->pairs_measured,
	    in->pairs_missing);
	ADD(PL_REPORT_EFFECT, "both directions", "%s",
	    how == PL_SYM_NONE  ? "each by itself"
	    : how == PL_SYM_MAX ? "the more expensive one counts for both"
				: "their mean counts for both");
	if (p->r->taken)
		ADD(PL_REPORT_EFFECT, "the library takes", "%s", p->r->taken->name);
	ADD(PL_REPORT_EFFECT, "method", "%s", pl_order_method_name(o->request.method));
	ADD(PL_REPORT_EFFECT, "moves made", "%llu, by %u threads", (unsigned long long)p->r->moves,
	    p->r->threads);
	if (p->r->proof)
		ADD(PL_REPORT_EFFECT, "bound by", "%s", p->r->proof);
	ADD(PL_REPORT_EFFECT, "seconds", "probe %.3f, solve %.3f, bound %.3f", from->probe.seconds,
	    p->r->solve_seconds, p->r->bound_seconds);
	if (o->plan)
		ADD(PL_REPORT_EFFECT, "plan", "%s", o->plan);
	return 0;
}

/* Calls of which nothing is promised. */
static int add_guessed(struct pl_report *r, const struct pl_order_promise *p)
{
	char *calls = pl_reorder_guessed_calls(p);
	int rc = 0;

	if (calls)
		rc = pl_report_add(r, PL_REPORT_WARNING, "",
				   "No time is predicted for %s: it " PL_ORDER_GUESSED ".%s", calls,
				   p->guessed ? " The order is the best by round trips alone."
					      : "");
	free(calls);
	return rc;
}

/* Reasons why the order may not bring what it promises. */
static int add_warnings(struct pl_report *r, const struct pl_reorder_picture *p)
{
	const struct pl_order_input *in = p->in;
	const struct pl_order_result *x = p->r;
	const struct pl_reorder_remarks *no_rates = &p->a->from->no_rates;

	if (p->a->promise && add_guessed(r, p->a->promise))
		return -1;
	if (p->a->job && p->a->job->answer.guessed)
		ADD(PL_REPORT_WARNING, "",
		    "No time is predicted for a step: it %s. The order is the best by round trips "
		    "alone.",
		    PL_ORDER_GUESSED);
	for (size_t i = 0; i < no_rates->n; i++)
		ADD(PL_REPORT_WARNING, "", "%s", no_rates->v[i].text);
	if (x->stopped)
		ADD(PL_REPORT_WARNING, "", "Interrupted: this is the best order so far.");
	if (x->kept)
		ADD(PL_REPORT_WARNING, "",
		    "Only %.2f %% could be gained, less than the %.4g %% asked for: the given "
		    "order is kept.",
		    x->gain_missed, p->a->o->request.min_gain);
	else if (x->unchanged)
		ADD(PL_REPORT_WARNING, "", "The order is the given one, unchanged.");
	if (in->dropped.n > 0)
		ADD(PL_REPORT_WARNING, "",
		    "%zu hosts were left out, since pairs of them were not measured "
		    "(--missing=drop-host).",
		    in->dropped.n);
	if (in->n_filled > 0)
		ADD(PL_REPORT_WARNING, "",
		    "%zu pairs were not measured; what stands for them in the costs is %s.",
		    in->n_filled,
		    p->a->o->missing == PL_MISSING_WORST ? "the most expensive pair measured"
							 : "an estimate");
	if (p->a->left_out && p->a->left_out->n > 0)
		ADD(PL_REPORT_WARNING, "", "%zu of %zu hosts were not chosen.", p->a->left_out->n,
		    in->hosts.n);
	if (p->a->from->topology.n_misplaced > 0)
		ADD(PL_REPORT_WARNING, "",
		    "%zu hosts are measured nearer to another place than to the one that the "
		    "topology file gives them.",
		    p->a->from->topology.n_misplaced);
	return 0;
}

static int add_times(struct pl_report *r, const struct pl_reorder_forecast *f)
{
	char name[PL_REORDER_ROW_NAME];

	for (size_t i = 0; i < f->n_sizes * f->n_algorithms; i++) {
		const size_t size = i / f->n_algorithms;
		const struct pl_reorder_row *row = &f->row[i];
		const bool known = !*row->why;
		bool given;
		struct pl_report_time t = {
			.collective = pl_collective_name(row->what.a->collective),
			.bytes = row->what.bytes,
			.has_size = row->what.has_size,
			.given_s = known ? row->given.seconds : NAN,
			.found_s = known ? row->found.seconds : NAN,
			.best = pl_reorder_best(f, size, &given) == row,
			/* the algorithm that jobs run without any setting */
			.in_title = known && size + 1 == f->n_sizes &&
				    pl_reorder_default(f, size) == row,
		};

		snprintf(t.name, sizeof(t.name), "%s",
			 pl_reorder_with_taken(name, row->what.name, row->taken));
		if (pl_report_add_time(r, &t))
			return -1;
	}
	return 0;
}

/* The calls that the order is for. */
static int add_calls(struct pl_report *r, const struct pl_order_promise *p)
{
	const bool several = pl_order_workload_is_mixed(&p->w);
	const size_t in_title = pl_order_largest(p);
	char name[PL_REORDER_ROW_NAME];

	r->times_of_found = true;
	for (size_t i = 0; i < p->w.n; i++) {
		const struct pl_order_work *work = &p->w.v[i];
		struct pl_report_time t = {
			.collective = pl_collective_name(work->what.a->collective),
			.bytes = work->what.bytes,
			.has_size = work->what.has_size,
			.in_title = i == in_title,
			.given_s = p->call[i].given,
			.found_s = p->call[i].found,
		};

		snprintf(t.name, sizeof(t.name), "%s%s%s",
			 several ? pl_collective_name(work->what.a->collective) : "",
			 several ? " " : "",
			 pl_reorder_with_taken(name, work->what.name, work->taken));
		if (pl_report_add_time(r, &t))
			return -1;
	}
	return 0;
}

/* The command that runs a job by the plan in @file. */
static int add_exec(struct pl_report *r, const char *key, const char *file)
{
	char *const name[] = {(char *)file, NULL};
	char *quoted = pl_shell_command(name);
	int rc = quoted ? pl_report_add(r, PL_REPORT_COMMAND, key, "plink-exec --plan=%s -- ./app",
					quoted)
			: -1;

	free(quoted);
	return rc;
}

static int add_commands(struct pl_report *r, const struct pl_reorder_picture *p)
{
	const struct pl_reorder_options *o = p->a->o;
	const char *plan =
		o->format == PL_FORMAT_PLAN && !o->predict && o->output && strcmp(o->output, "-")
			? o->output
			: o->plan;
	char key[PL_REORDER_WHO + 32];

	if (!p->launcher)
		return 0;
	snprintf(key, sizeof(key), "This keeps the order, for %s", p->launcher);
	if (p->command)
		ADD(PL_REPORT_COMMAND, key, "%s", p->command);
	if (plan)
		return add_exec(r,
				p->command ? "Where a launcher's order cannot be changed"
					   : "This keeps the order",
				plan);
	if (!p->command)
		ADD(PL_REPORT_WARNING, "",
		    "No launcher reads what was written (%s): with --plan=FILE plink-exec can run "
		    "jobs in this order.",
		    o->predict ? "--predict" : pl_reorder_form(o->format)->name);
	return 0;
}

int pl_reorder_picture_facts(struct pl_report *r, const struct pl_reorder_picture *p)
{
	const struct pl_reorder_options *o = p->a->o;

	if (add_asked(r, o) || add_effect(r, p) || add_warnings(r, p))
		return -1;
	if (p->a->forecast && add_times(r, p->a->forecast))
		return -1;
	if (!p->a->forecast && p->a->promise && p->a->promise->in_seconds &&
	    add_calls(r, p->a->promise))
		return -1;
	return add_commands(r, p);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.c - the cost of an order that the user gives (--cost-of) */
#include "config.h"

#include "src/order/output.h"

#include "base/mem.h"
#include "base/plan/plan.h"
#include "base/text/number.h"
#include "base/text/outfile.h"
#include "base/text/text.h"
#include "order/model.h"
#include "order/solve.h"
#include "src/common/tool.h"
#include "src/order/choose.h"
#include "src/order/job.h"
#include "src/order/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)64 << 20)

/* The order as the file has it: the input's host at each position. A host may occur once for each
 * of its ranks. */
struct listed {
	size_t *host_at;
	size_t n;
};

/* The first host of the input that the entry can stand for, or -1. */
static ptrdiff_t find(const struct pl_order_input *in, const struct pl_host *host)
{
	for (size_t h = 0; h < in->hosts.n; h++) {
		const struct pl_host *ours = &in->hosts.v[h];

		if (strcmp(ours->name, host->name) == 0 &&
		    (!host->port || !ours->port || host->port == ours->port))
			return (ptrdiff_t)h;
	}
	return -1;
}

/* Fills the list from @hosts taken in the order @at (NULL: as they stand). */
static int look_up(struct listed *list, const struct pl_order_input *in,
		   const struct pl_hosts *hosts, const size_t *at, const char *file,
		   struct pl_err *err)
{
	char label[PL_HOST_LABEL];

	list->host_at = pl_array_create(hosts->n, sizeof(*list->host_at));
	if (!list->host_at)
		return pl_err_nomem(err);
	for (size_t k = 0; k < hosts->n; k++) {
		const struct pl_host *host = &hosts->v[at ? at[k] : k];
		const ptrdiff_t h = find(in, host);

		if (h < 0)
			return pl_err_set(err, PL_EINPUT,
					  "%s: host \"%s\" is not one of those given", file,
					  pl_order_label(label, host));
		list->host_at[list->n++] = (size_t)h;
	}
	return 0;
}

/* Does the list have as many different hosts as are to be chosen? */
static int check_number(const bool *seen, const struct pl_order_input *in, size_t n_wanted,
			const char *file, struct pl_err *err)
{
	size_t n = 0;

	for (size_t h = 0; h < in->hosts.n; h++)
		n += seen[h];
	if (n == n_wanted)
		return 0;
	return pl_err_set(err, PL_EINPUT, "%s: %zu hosts, not %zu (--choose)", file, n, n_wanted);
}

/* Does the list have every host of the input, or as many as are to be
 * chosen? */
static int check_all(const struct listed *list, const struct pl_order_input *in, size_t n_wanted,
		     const char *file, struct pl_err *err)
{
	bool *seen = pl_array_create(in->hosts.n, sizeof(*seen));
	char label[PL_HOST_LABEL];
	int rc = 0;

	if (!seen)
		return pl_err_nomem(err);
	for (size_t k = 0; k < list->n; k++)
		seen[list->host_at[k]] = true;
	if (n_wanted > 0)
		rc = check_number(seen, in, n_wanted, file, err);
	for (size_t h = 0; rc == 0 && n_wanted == 0 && h < in->hosts.n; h++)
		if (!seen[find(in, &in->hosts.v[h])])
			rc = pl_err_set(err, PL_EINPUT, "%s: host \"%s\" is missing", file,
					pl_order_label(label, &in->hosts.v[h]));
	free(seen);
	return rc;
}

static int read_plan(struct listed *list, const struct pl_order_input *in, struct pl_text *text,
		     const char *file, struct pl_err *err)
{
	struct pl_plan plan = {0};
	int rc = pl_plan_parse(&plan, text, err);

	if (rc == 0)
		rc = look_up(list, in, &plan.hosts, plan.order[0].host_at, file, err);
	pl_plan_fini(&plan);
	return rc;
}

static int read_hosts(struct listed *list, const struct pl_order_input *in, struct pl_text *text,
		      const char *file, struct pl_err *err)
{
	struct pl_hosts hosts = {0};
	int rc = pl_hosts_parse(&hosts, text, PL_HOSTS_ANY, err);

	if (rc == 0)
		rc = look_up(list, in, &hosts, NULL, file, err);
	pl_hosts_fini(&hosts);
	return rc;
}

static int read_order(struct listed *list, const struct pl_order_input *in, size_t n_wanted,
		      const char *file, struct pl_err *err)
{
	static const char plan_mark[] = "# plink-plan";
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, file, FILE_MAX, err))
		return -1;
	rc = strncmp(text.data + text.pos, plan_mark, strlen(plan_mark)) == 0
		     ? read_plan(list, in, &text, file, err)
		     : read_hosts(list, in, &text, file, err);
	pl_text_fini(&text);
	if (rc == 0)
		rc = check_all(list, in, n_wanted, file, err);
	return rc;
}

/*
 * Takes adjacent ranks of one host together. -1 if a host occurs again later or, except for rings,
 * unless the list has each host once, or each as often as it has slots.
 */
static int as_hosts(const struct listed *list, const struct pl_order_input *in, size_t n,
		    bool is_ring, size_t *host_at)
{
	bool once = true, full = true;
	size_t used = 0;

	for (size_t k = 0; k < list->n;) {
		const size_t host = list->host_at[k];
		size_t count = 0;

		while (k < list->n && list->host_at[k] == host) {
			count++;
			k++;
		}
		if (used == n)
			return -1;
		host_at[used++] = host;
		once = once && count == 1;
		full = full && count == (size_t)in->hosts.v[host].slots;
	}
	return used == n && (once || full || is_ring) ? 0 : -1;
}

/* Takes the ranks one by one. -1 if a host has more or fewer of them than it has entries in the
 * input. */
static int as_ranks(const struct listed *list, const struct pl_order_input *in, size_t *host_at)
{
	const size_t n = in->hosts.n;
	size_t *due = pl_array_create(n, sizeof(*due));
	int rc = due && list->n == n ? 0 : -1;

	for (size_t h = 0; rc == 0 && h < n; h++)
		due[find(in, &in->hosts.v[h])]++;
	for (size_t k = 0; rc == 0 && k < n; k++) {
		host_at[k] = list->host_at[k];
		if (due[host_at[k]]-- == 0)
			rc = -1;
	}
	free(due);
	return rc;
}

/* Is the list an order of the input? Only then the bound applies. Puts it into r->host_at. */
static bool is_order(const struct listed *list, const struct pl_order_input *in,
		     const struct pl_order_model *m, enum pl_hosts_form form,
		     struct pl_order_result *r)
{
	return form == PL_HOSTS_SEQ ? as_ranks(list, in, r->host_at) == 0
				    : as_hosts(list, in, m->n_seats, m->ring, r->host_at) == 0;
}

static int write_answer(const struct pl_reorder_answer *a, struct pl_err *err)
{
	const double cost = !a->job                    ? a->r->cost
			    : a->job->answer.is_played ? a->job->answer.played_found
						       : a->job->answer.found;
	char number[PL_DOUBLE_CHARS];
	struct pl_outfile out;

	if (pl_outfile_open(&out, a->o->output, err))
		return -1;
	if (a->o->format != PL_FORMAT_JSON) {
		fprintf(out.f, "%s\n", pl_double_format(number, cost));
	} else if (pl_reorder_write_json(a, out.f, err)) {
		pl_outfile_abort(&out);
		return -1;
	}
	return pl_outfile_commit(&out, err);
}

static void compare(const struct pl_reorder_answer *a)
{
	const struct pl_order_result *r = a->r;
	const char *unit = pl_unit_name(a->in->unit);
	const double gain = pl_order_gain(r->cost_given, r->cost);
	char title[PL_ORDER_TITLE];

	pl_reorder_report_told_pairs(a);
	pl_reorder_report_told(a);
	if (a->job) {
		pl_reorder_report_job(a);
		return;
	}
	if (a->promise)
		pl_reorder_report_promise(a);
	else
		pl_reorder_report_taken(a);
	pl_reorder_say("%s%s: given %.12g %s, in %s %.12g %s (%.2f %% %s)",
		       a->promise && a->promise->w.n > 1 ? "by hops, the largest call alone: " : "",
		       pl_order_title(title, &a->o->request.what), r->cost_given, unit,
		       a->o->cost_of, r->cost, unit, fabs(gain), gain < 0 ? "more" : "less");
	pl_reorder_report_bound(a);
}

/* Fills r->cost and compares it with the bound, if that applies to such a
 * list. */
static int judge(struct pl_order_result *r, bool *known, const struct listed *list,
		 const struct pl_order_input *in, const struct pl_order_model *m,
		 const struct pl_reorder_options *o, struct pl_err *err)
{
	*known = is_order(list, in, m, o->hosts_form, r);
	if (*known) {
		r->cost = pl_order_model_cost(m, r->host_at);
		pl_order_settle(r, m);
		return 0;
	}
	if (o->format == PL_FORMAT_JSON)
		return pl_err_set(
			err, PL_EINPUT,
			"%s is not an order of the given hosts: there is nothing to write as JSON",
			o->cost_of);
	pl_reorder_say("%s is not an order of the given hosts: no bound is known", o->cost_of);
	r->bound = NAN;
	return pl_order_model_ranks(m, in, &o->request, list->host_at, list->n, &r->cost, err);
}

/* The same for a whole job: only an order of the hosts has such a cost. */
static int judge_job(struct pl_order_result *r, struct pl_reorder_job *job,
		     const struct listed *list, const struct pl_order_input *in,
		     const struct pl_reorder_options *o, const struct pl_stop *stop,
		     struct pl_err *err)
{
	r->host_at = pl_array_create(in->hosts.n, sizeof(*r->host_at));
	if (!r->host_at)
		return pl_err_nomem(err);
	if (as_hosts(list, in, in->hosts.n, false, r->host_at))
		return pl_err_set(err, PL_EINPUT, "%s is not an order of the given hosts",
				  o->cost_of);
	return pl_job_order_cost(r, &job->answer, &job->job, in, &o->request, stop, err);
}

/* The algorithm that the library takes for these calls in that order, if the list is an order of
 * the input. */
static int promise_of(struct pl_order_promise *promise, struct pl_reorder_answer *a, bool known,
		      const struct pl_stop *stop, struct pl_err *err)
{
	if (!pl_order_request_promises(&a->o->request) || !known)
		return 0;
	a->promise = promise;
	return pl_order_promise_compare(promise, a->r->host_at, a->in, &a->o->request, stop, err);
}

int pl_reorder_cost_of(const struct pl_reorder_source *from, const struct pl_order_input *in,
		       const struct pl_order_model *m, struct pl_reorder_job *job,
		       const struct pl_reorder_options *o, const struct pl_stop *stop,
		       struct pl_err *err)
{
	struct pl_order_result r = {0};
	struct pl_reorder_answer a = {
		.o = o,
		.from = from,
		.in = in,
		.r = &r,
		.given = &in->hosts,
		.job = o->job ? job : NULL,
	};
	struct pl_order_promise promise = {0};
	struct pl_reorder_chosen chosen = {0};
	struct listed list = {0};
	bool known = false;
	int status = PL_EXIT_DONE;

	if (read_order(&list, in, o->request.choose, o->cost_of, err) ||
	    (a.job ? judge_job(&r, job, &list, in, o, stop, err)
		   : pl_order_bound(&r, in, m, &o->request, stop, err) ||
			     judge(&r, &known, &list, in, m, o, err)) ||
	    promise_of(&promise, &a, known, stop, err) ||
	    (!a.job && pl_reorder_chosen_tell(&chosen, &a, m->n_seats, err)) ||
	    write_answer(&a, err)) {
		status = pl_tool_fail(PL_REORDER_TOOL, err);
		goto out;
	}
	compare(&a);
	if (stop->flag && *stop->flag) { /* with more effort the bound might
					  * have been higher */
		pl_reorder_warn("interrupted");
		status = PL_EXIT_PARTIAL;
	}
out:
	free(list.host_at);
	pl_reorder_chosen_fini(&chosen);
	pl_order_promise_fini(&promise);
	pl_order_result_fini(&r);
	return status;
}

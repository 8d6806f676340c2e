/* SPDX-License-Identifier: BSD-3-Clause */
/* work.c - a matrix and the plans over it, as a report */
#include "config.h"

#include "src/report/work.h"

#include "base/mem.h"
#include "base/text/shell.h"
#include "costmodels/catalogue.h"
#include "costmodels/objective.h"
#include "order/algorithm.h"
#include "src/report/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void report_fini(struct report_work *w)
{
	pl_report_fini(&w->r);
	for (size_t i = 0; i < w->n_plans; i++) {
		pl_plan_fini(&w->plan[i]);
		pl_schedules_fini(&w->schedules[i]);
	}
	free(w->plan);
	free(w->schedules);
	free(w->cell_of);
	free(w->c);
	pl_matrix_destroy(w->m);
	memset(w, 0, sizeof(*w));
}

static bool same_host(const struct pl_host *a, const struct pl_host *b)
{
	return strcmp(a->name, b->name) == 0 && a->port == b->port && a->slots == b->slots;
}

/* All plans are to be of the same hosts in the same order. */
static int check_plan(const struct report_work *w, size_t i, const struct report_options *o,
		      struct pl_err *err)
{
	const struct pl_hosts *first = &w->plan[0].hosts;
	const struct pl_hosts *hosts = &w->plan[i].hosts;

	if (hosts->n != first->n)
		return pl_err_set(err, PL_EINPUT,
				  "%s has %zu hosts, but %s has %zu: make a report of each",
				  o->plan[i], hosts->n, o->plan[0], first->n);
	for (size_t h = 0; h < hosts->n; h++)
		if (!same_host(&hosts->v[h], &first->v[h]))
			return pl_err_set(
				err, PL_EINPUT,
				"host %zu of %s is %s, but of %s it is %s: make a report of each",
				h, o->plan[i], hosts->v[h].name, o->plan[0], first->v[h].name);
	return 0;
}

static int read_plan(struct pl_plan *plan, struct pl_schedules *schedules, const char *path,
		     struct pl_err *err)
{
	static const char mark[] = "# plink-schedule";
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, PL_MATRIX_BYTES_MAX, err))
		return -1;
	if (strncmp(text.data, mark, strlen(mark)) != 0) {
		rc = pl_plan_parse(plan, &text, err);
	} else {
		rc = pl_schedules_parse(schedules, &text, err);
		if (rc == 0)
			rc = pl_schedules_check(schedules, err);
		if (rc == 0 && pl_hosts_copy(&plan->hosts, &schedules->job.hosts))
			rc = pl_err_nomem(err);
	}
	pl_text_fini(&text);
	return rc;
}

static int read_plans(struct report_work *w, const struct report_options *o, struct pl_err *err)
{
	w->plan = pl_array_create(o->n_plans, sizeof(*w->plan));
	w->schedules = pl_array_create(o->n_plans, sizeof(*w->schedules));
	if (!w->plan || !w->schedules)
		return pl_err_nomem(err);
	for (size_t i = 0; i < o->n_plans; i++) {
		w->n_plans++;
		if (read_plan(&w->plan[i], &w->schedules[i], o->plan[i], err) ||
		    check_plan(w, i, o, err))
			return -1;
	}
	return 0;
}

/* The matrix's host of that name, and of that port where it has one. */
static size_t find_host(const struct pl_hosts *hosts, const struct pl_host *host)
{
	size_t i = 0;

	while (i < hosts->n && (strcmp(hosts->v[i].name, host->name) != 0 ||
				(hosts->v[i].port && host->port && hosts->v[i].port != host->port)))
		i++;
	return i;
}

static int match(struct report_work *w, const struct pl_hosts *hosts,
		 const struct report_options *o, struct pl_err *err)
{
	w->cell_of = pl_array_create(hosts->n, sizeof(*w->cell_of));
	if (!w->cell_of)
		return pl_err_nomem(err);
	for (size_t i = 0; i < hosts->n; i++) {
		w->cell_of[i] = hosts == &w->m->hosts ? i : find_host(&w->m->hosts, &hosts->v[i]);
		if (w->cell_of[i] == w->m->hosts.n)
			return pl_err_set(err, PL_EINPUT,
					  "%s: host \"%s\" is not in %s: they are of different "
					  "machines; give the matrix that the plan was made from",
					  o->plan[0], hosts->v[i].name, o->matrix);
	}
	return 0;
}

static int take_costs(struct report_work *w, size_t n, const struct report_options *o,
		      struct pl_err *err)
{
	const size_t n_all = w->m->hosts.n;
	double *all = pl_array_create(n_all, n_all * sizeof(*all));

	w->c = pl_array_create(n, n * sizeof(*w->c));
	if (!all || !w->c) {
		free(all);
		return pl_err_nomem(err);
	}
	pl_matrix_costs(w->m, o->has_symmetrize ? o->symmetrize : w->m->symmetrize, all);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			w->c[i * n + j] = all[w->cell_of[i] * n_all + w->cell_of[j]];
	free(all);
	return 0;
}

/* What the order's collective sends: the shape over ranks, or hosts. */
static int find_shape(const struct report_work *w, const struct pl_order *from,
		      struct pl_shape *shape, bool *by_host, char *title, struct pl_err *err)
{
	const struct pl_order_names names = {
		.collective = from->collective,
		.impl = from->impl,
		.algorithm = from->algorithm,
	};
	struct pl_order_algorithm what = {.root = (size_t)from->root};
	struct pl_call call;

	if (pl_order_algorithm_find(&what, &names, err) ||
	    pl_order_call(&what, w->r.from.hosts, 0, &call, err) ||
	    pl_algorithm_shape(what.a, &call, shape, err)) {
		if (err->code == PL_EUSAGE) /* not by whoever called us */
			err->code = PL_EINPUT;
		return -1;
	}
	*by_host = call.n_ranks > 0;
	pl_order_title(title, &what);
	return 0;
}

/* Each collective a title of its own: sizes tell orders of a plan apart. */
static void add_sizes(char title[PL_REPORT_TITLE], const struct pl_order *from)
{
	const size_t len = strlen(title);

	if (from->size_max != UINT64_MAX)
		snprintf(title + len, PL_REPORT_TITLE - len, ", %llu to %llu bytes",
			 (unsigned long long)from->size_min, (unsigned long long)from->size_max);
	else if (from->size_min > 0)
		snprintf(title + len, PL_REPORT_TITLE - len, ", from %llu bytes",
			 (unsigned long long)from->size_min);
}

static int add_order(struct report_work *w, const struct pl_order *from, struct pl_err *err)
{
	char title[PL_REPORT_TITLE];
	struct pl_shape shape = {0};
	struct pl_report_order *order;
	bool by_host;

	if (find_shape(w, from, &shape, &by_host, title, err))
		return -1;
	add_sizes(title, from);
	order = pl_report_add_order(
		&w->r,
		&(struct pl_report_call){.title = title, .shape = &shape, .by_host = by_host},
		from->host_at, w->r.n, err);
	pl_shape_fini(&shape);
	if (!order)
		return -1;
	order->given = from->given;
	order->cost = from->cost;
	order->bound = from->bound;
	order->exact = from->bound > 0 && from->cost <= from->bound;
	return 0;
}

/* Another matrix than the one a plan was made from has other costs. */
static int compare_digest(struct report_work *w, const struct report_options *o, struct pl_err *err)
{
	char digest[PL_DIGEST_CHARS];

	if (pl_matrix_digest(w->m, digest, err))
		return -1;
	if (pl_report_add(&w->r, PL_REPORT_EFFECT, "its digest", "%s", digest))
		return pl_err_nomem(err);
	for (size_t i = 0; i < w->n_plans; i++)
		if (w->plan[i].matrix && strcmp(w->plan[i].matrix, digest) != 0 &&
		    pl_report_add(&w->r, PL_REPORT_WARNING, "",
				  "%s was made from another matrix (%s): its costs are those of "
				  "that one.",
				  o->plan[i], w->plan[i].matrix))
			return pl_err_nomem(err);
	return 0;
}

static int add_plan_facts(struct report_work *w, size_t i, const char *file)
{
	const bool is_schedule = w->schedules[i].n > 0;
	const struct pl_plan *head = is_schedule ? &w->schedules[i].job : &w->plan[i];

	if (pl_report_add(&w->r, PL_REPORT_EFFECT, is_schedule ? "schedule" : "plan",
			  "%s, by %s, %s", file, head->by ? head->by : "an unknown program",
			  head->created ? head->created : "not dated"))
		return -1;
	return is_schedule ? 0
			   : pl_report_add(&w->r, PL_REPORT_COMMAND, "This keeps the order",
					   "plink-exec --plan=%s -- ./app", file);
}

static int add_facts(struct report_work *w, const struct report_options *o, struct pl_err *err)
{
	char *line = pl_shell_command(o->argv);
	int bad = !line || pl_report_add(&w->r, PL_REPORT_ASKED, "command line", "%s", line);

	free(line);
	bad = bad || pl_report_add(&w->r, PL_REPORT_EFFECT, "matrix", "%s", o->matrix);
	for (size_t i = 0; !bad && i < w->n_plans; i++)
		bad = add_plan_facts(w, i, o->plan[i]);
	if (bad)
		return pl_err_nomem(err);
	return compare_digest(w, o, err);
}

int report_find(struct report_work *w, struct pl_text *text, const struct report_options *o,
		struct pl_err *err)
{
	const struct pl_matrix_options reading = {.unit = o->unit};
	struct pl_report_source from = {.tool = REPORT_TOOL};

	if (o->topology)
		return pl_err_set(err, PL_EUSAGE, "--topology is for statistics: %s is none",
				  o->matrix);
	if (strncmp(text->data, "# plink-plan", 12) == 0)
		return pl_err_set(err, PL_EINPUT,
				  "%s is a plan: the matrix that it was made from comes first",
				  o->matrix);
	w->m = pl_matrix_parse(text, &reading, err);
	pl_text_fini(text); /* as large as the matrix */
	if (!w->m || read_plans(w, o, err))
		return -1;
	from.matrix = w->m;
	from.hosts = w->n_plans > 0 ? &w->plan[0].hosts : &w->m->hosts;
	if (match(w, from.hosts, o, err) || take_costs(w, from.hosts->n, o, err))
		return -1;
	from.cell_of = w->cell_of;
	from.c = w->c;
	if (pl_report_init(&w->r, &from, err))
		return -1;
	for (size_t i = 0; i < w->n_plans; i++) {
		for (size_t k = 0; k < w->plan[i].n_orders; k++)
			if (add_order(w, &w->plan[i].order[k], err))
				return -1;
		if (report_add_schedules(&w->r, &w->schedules[i], err))
			return -1;
	}
	return add_facts(w, o, err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c - who sends how many bytes to whom in a job of these statistics */
#include "config.h"

#include "src/report/traffic.h"

#include "audit/pairs.h"
#include "base/mem.h"
#include "base/text/shell.h"
#include "costmodels/catalogue.h"
#include "topology/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void traffic_fini(struct traffic *t)
{
	pl_report_fini(&t->r);
	for (size_t i = 0; i < t->n_racks; i++)
		free(t->rack_name[i]);
	free(t->rack_name);
	free(t->rack);
	free(t->cell_of);
	pl_matrix_destroy(t->m);
	pl_order_workload_fini(&t->w);
	pl_placement_fini(&t->job);
	pl_stats_fini(&t->stats);
	memset(t, 0, sizeof(*t));
}

static int check(const struct traffic *t, const struct report_options *o, struct pl_err *err)
{
	if (o->n_plans > 1)
		return pl_err_set(err, PL_EUSAGE,
				  "%s is a statistics file: one plan or host list goes with it",
				  o->matrix);
	if (o->has_symmetrize || o->has_unit)
		return pl_err_set(
			err, PL_EUSAGE,
			"%s is a statistics file: --symmetrize and --unit are for matrices",
			o->matrix);
	if (t->stats.ranks < 1 || t->stats.ranks > PL_PLACEMENT_RANKS_MAX)
		return pl_err_set(err, PL_EINPUT,
				  "%s is a statistics file that does not say of how many ranks",
				  o->matrix);
	return 0;
}

/* As the libraries name themselves: libplink-mpi is for Open MPI. */
static const char *find_library(const struct pl_stats *s)
{
	if (!strncmp(s->by, "libplink-mpich", 14))
		return "mpich";
	return strncmp(s->by, "libplink-nccl", 13) ? "openmpi" : "nccl";
}

#define JOB_MAX ((size_t)64 << 20) /* bytes of a plan, or of a host list */

static int read_job(struct traffic *t, const struct report_options *o, struct pl_err *err)
{
	const bool followed = !strcmp(t->stats.mode, "world") || !strcmp(t->stats.mode, "shadow");
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, o->plan[0], JOB_MAX, err))
		return -1;
	if (!followed && !strncmp(text.data, "# plink-plan", 12))
		rc = pl_err_set(err, PL_EINPUT,
				"%s is a statistics file of a job that followed no plan (mode %s): "
				"give its host list in place of %s",
				o->matrix, t->stats.mode, o->plan[0]);
	else
		rc = pl_placement_parse(&t->job, &text, err);
	pl_text_fini(&text);
	return rc;
}

/* Ranks stand as in the plan's first order, or as in the host list. */
static int find_job(struct traffic *t, const struct report_options *o, struct pl_err *err)
{
	const size_t n_ranks = (size_t)t->stats.ranks;

	if (o->n_plans == 0)
		return pl_placement_of_ranks(&t->job, n_ranks, err);
	if (read_job(t, o, err))
		return -1;
	if (t->job.n_ranks != n_ranks)
		return pl_err_set(err, PL_EINPUT, "%s is of %zu ranks, but %s has %zu", o->matrix,
				  n_ranks, o->plan[0], t->job.n_ranks);
	for (size_t i = 0; i < t->job.node.n; i++)
		t->job.node.v[i].slots = 0;
	for (size_t i = 0; i < n_ranks; i++)
		t->job.node.v[t->job.node_of[i]].slots++;
	return 0;
}

static int refuse(const struct report_options *o, const char *why, struct pl_err *err)
{
	const struct pl_err was = *err; /* which @why may be in */
	const char *text = why == err->text ? was.text : why;

	*err = (struct pl_err){.code = PL_OK};
	return pl_err_set(err, PL_EINPUT,
			  "%s is a statistics file of which nothing can be drawn: %s", o->matrix,
			  text);
}

static int find_calls(struct traffic *t, const struct report_options *o, struct pl_err *err)
{
	struct pl_order_request q = {.stats = o->matrix};

	t->library = find_library(&t->stats);
	q.names.collective = "allreduce";
	q.names.impl = t->library;
	if (pl_order_algorithm_find(&q.what, &q.names, err) == 0 &&
	    pl_order_workload_take(&t->w, &t->stats, &t->job.node, &q, err) == 0)
		return 0;
	if (err->code == PL_EUSAGE || err->code == PL_EINPUT)
		return refuse(o, err->text, err);
	return -1;
}

/* The bytes of one kind of call, made as often as a process made it. */
static int add_call(struct traffic *t, const struct pl_order_work *work, struct pl_err *err)
{
	struct pl_audit_pairs pairs = {0};
	struct pl_pattern pattern = {0};
	struct pl_placement hosts = {0};
	struct pl_expectation x = {.job = &t->job, .repeat = 1};
	double *cell = t->m->layer[0].cell;
	struct pl_call call;
	int rc = pl_order_call(&work->what, &t->job.node, 0, &call, err);

	if (rc == 0)
		rc = pl_algorithm_pattern(work->what.a, &call, &pattern, err);
	if (rc == 0 && pattern.n_pos != t->job.n_ranks) {
		rc = pl_placement_of_ranks(&hosts, pattern.n_pos, err);
		x.job = &hosts; /* NCCL, on hosts with unequal slots */
	}
	if (rc == 0)
		rc = pl_pairs_expect(&pairs, &pattern, &x, err);
	for (size_t i = 0; rc == 0 && i < pairs.n; i++) {
		const struct pl_audit_pair *p = &pairs.v[i];
		const double bytes = work->weight * (double)p->payload_bytes;

		cell[p->src * t->m->hosts.n + p->dst] += bytes;
		t->sum += bytes;
	}
	pl_pairs_fini(&pairs);
	pl_pattern_fini(&pattern);
	pl_placement_fini(&hosts);
	return rc;
}

static int find_bytes(struct traffic *t, const struct report_options *o, struct pl_err *err)
{
	const size_t n = t->job.node.n;

	if (n > PL_MATRIX_HOSTS_MAX)
		return pl_err_set(err, PL_EINPUT, "%zu hosts are more than can be drawn: %d", n,
				  PL_MATRIX_HOSTS_MAX);
	t->m = pl_matrix_create(&t->job.node, err);
	if (!t->m)
		return -1;
	t->m->layer[0].quantity = PL_COUNT;
	for (size_t i = 0; i < n * n; i++)
		t->m->layer[0].cell[i] = 0;
	for (size_t i = 0; i < t->w.n; i++)
		if (add_call(t, &t->w.v[i], err))
			return -1;
	return t->sum > 0 ? 0 : refuse(o, "its calls send no bytes", err);
}

/* The rack of that name; a new one where there is none. 0, or -1: no memory. */
static int take_rack(struct traffic *t, size_t host, const char *name)
{
	size_t k = 0;

	while (k < t->n_racks && strcmp(t->rack_name[k], name) != 0)
		k++;
	t->rack[host] = k;
	if (k < t->n_racks)
		return 0;
	t->rack_name[k] = pl_string_copy(name, strlen(name));
	t->n_racks += t->rack_name[k] != NULL;
	return t->rack_name[k] ? 0 : -1;
}

static int find_racks(struct traffic *t, const char *path, struct pl_err *err)
{
	const struct pl_hosts *hosts = &t->job.node;
	struct pl_places places = {0};
	size_t n_known = 0;
	int rc = 0;

	if (!path)
		return 0;
	if (pl_places_read(&places, path, err))
		return -1;
	t->rack = pl_array_create(hosts->n, sizeof(*t->rack));
	t->rack_name = pl_array_create(hosts->n, sizeof(*t->rack_name));
	for (size_t i = 0; rc == 0 && i < hosts->n; i++) {
		const ptrdiff_t at = pl_places_find_host(&places, &hosts->v[i]);
		char name[PL_REPORT_RACK] = "no place";

		n_known += at >= 0;
		if (at >= 0)
			pl_places_path(&places, (size_t)at, name, sizeof(name));
		rc = t->rack && t->rack_name ? take_rack(t, i, name) : -1;
	}
	pl_places_fini(&places);
	if (rc)
		return pl_err_nomem(err);
	return n_known > 0 ? 0 : pl_err_set(err, PL_EINPUT, "%s knows none of the hosts", path);
}

static int add_facts(struct traffic *t, const struct report_options *o)
{
	char *line = pl_shell_command(o->argv);
	int rc = line ? pl_report_add(&t->r, PL_REPORT_ASKED, "command line", "%s", line) : -1;

	free(line);
	if (rc ||
	    pl_report_add(&t->r, PL_REPORT_EFFECT, "statistics", "%s, by %s, mode %s, started %s",
			  o->matrix, t->stats.by, t->stats.mode, t->stats.started) ||
	    pl_report_add(&t->r, PL_REPORT_EFFECT, "algorithms", "of %s", t->library))
		return -1;
	if (o->n_plans > 0 && pl_report_add(&t->r, PL_REPORT_EFFECT, "hosts", "%s", o->plan[0]))
		return -1;
	return traffic_add_tables(t, o);
}

int traffic_find(struct traffic *t, struct pl_text *text, const struct report_options *o,
		 struct pl_err *err)
{
	struct pl_report_source from = {.tool = REPORT_TOOL};
	char number[PL_REPORT_NUMBER];

	if (pl_stats_parse(&t->stats, text, err) || check(t, o, err) || find_job(t, o, err) ||
	    find_calls(t, o, err) || find_bytes(t, o, err) || find_racks(t, o->topology, err))
		return -1;
	t->cell_of = pl_array_create(t->m->hosts.n, sizeof(*t->cell_of));
	if (!t->cell_of)
		return pl_err_nomem(err);
	for (size_t i = 0; i < t->m->hosts.n; i++)
		t->cell_of[i] = i;
	snprintf(t->title, sizeof(t->title), "Who sends how many bytes to whom: %zu %s, %s in all",
		 t->m->hosts.n, o->n_plans > 0 ? "hosts" : "ranks",
		 pl_report_bytes(number, t->sum));
	from.matrix = t->m;
	from.hosts = &t->m->hosts;
	from.cell_of = t->cell_of;
	from.c = t->m->layer[0].cell;
	from.traffic = t->title;
	from.rack = t->rack;
	from.rack_name = (const char *const *)t->rack_name;
	from.n_racks = t->n_racks;
	if (pl_report_init(&t->r, &from, err))
		return -1;
	return add_facts(t, o) ? pl_err_nomem(err) : 0;
}

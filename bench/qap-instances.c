/* SPDX-License-Identifier: BSD-3-Clause */
/* qap-instances.c - traffic to be placed on hosts: from QAPLIB, and made up */
#include "config.h"

#include "bench/qap-instances.h"

#include "bench/racks.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/text/number.h"
#include "base/text/text.h"

#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOSTS_MAX 1000
#define FILE_MAX ((size_t)1 << 24)

#define PEERS 5
#define RACKS_IN_POD 4

/* The next number of the text. */
static int read_number(struct pl_text *text, struct pl_line *line, double *x, struct pl_err *err)
{
	struct pl_word w;

	while (!pl_line_next(line, &w))
		if (!pl_text_next(text, line))
			return pl_err_at(err, pl_line_place(line), "ends too early");
	if (pl_double_parse(w.s, w.len, x))
		return pl_err_at(err, w.place, "not a number");
	return 0;
}

static int read_cells(struct pl_text *text, struct pl_line *line, size_t n, double *m,
		      struct pl_err *err)
{
	for (size_t k = 0; k < n * n; k++)
		if (read_number(text, line, &m[k], err))
			return -1;
	return 0;
}

static size_t count_flows(const double *m, size_t n)
{
	size_t sum = 0;

	for (size_t k = 0; k < n * n; k++)
		sum += m[k] != 0;
	return sum;
}

/* What the diagonals cost: the same for all assignments if one of them has the same value
 * throughout. NaN: neither has. */
static double diagonal(const double *a, const double *b, size_t n)
{
	bool a_even = true, b_even = true;
	double sum = 0;

	for (size_t k = 0; k < n * n; k += n + 1) {
		a_even &= a[k] == a[0];
		b_even &= b[k] == b[0];
		sum += a[k] * b[k];
	}
	return a_even || b_even ? sum : NAN;
}

/* Two matrices of n * n. */
struct pair {
	size_t n;
	double *a, *b;
};

static int take_pair(struct qap_instance *in, struct pair *m, qap_instance_fn *take, void *arg,
		     struct pl_err *err)
{
	const bool a_sparse = count_flows(m->a, m->n) < count_flows(m->b, m->n);
	const double *traffic = a_sparse ? m->a : m->b;
	struct pl_costs costs = {.n = m->n, .c = a_sparse ? m->b : m->a};
	struct pl_assign_flow *flow = pl_array_create(m->n * m->n, sizeof(*flow));
	int rc = -1;

	in->given = pl_array_create(m->n, sizeof(*in->given));
	in->constant = diagonal(m->a, m->b, m->n);
	for (size_t k = 0; k < m->n * m->n; k += m->n + 1)
		m->a[k] = m->b[k] = 0;
	in->problem = (struct pl_assign_problem){.n_pos = m->n, .flow = flow, .costs = &costs};
	if (!flow || !in->given) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t k = 0; k < m->n * m->n; k++)
		flow[in->problem.n_flows++] = (struct pl_assign_flow){.src = (uint32_t)(k / m->n),
								      .dst = (uint32_t)(k % m->n),
								      .messages = traffic[k]};
	for (size_t p = 0; p < m->n; p++)
		in->given[p] = p;
	rc = take(in, arg, err);
out:
	free(flow);
	free(in->given);
	return rc;
}

static int read_text(struct pl_text *text, struct qap_instance *in, qap_instance_fn *take,
		     void *arg, struct pl_err *err)
{
	struct pl_line line = {0};
	struct pair m = {0};
	double n, bound;
	int rc = -1;

	if (!pl_text_next(text, &line) || read_number(text, &line, &n, err) ||
	    read_number(text, &line, &bound, err) || read_number(text, &line, &in->known, err))
		return -1;
	if (!(n >= 2 && n <= HOSTS_MAX))
		return pl_err_set(err, PL_EINPUT, "%s: bad size", in->name);
	m.n = (size_t)n;
	m.a = pl_array_create(m.n * m.n, sizeof(*m.a));
	m.b = pl_array_create(m.n * m.n, sizeof(*m.b));
	if (!m.a || !m.b)
		pl_err_nomem(err);
	else if (read_cells(text, &line, m.n, m.a, err) == 0 &&
		 read_cells(text, &line, m.n, m.b, err) == 0)
		rc = take_pair(in, &m, take, arg, err);
	free(m.a);
	free(m.b);
	return rc;
}

static int read_file(const char *path, qap_instance_fn *take, void *arg, struct pl_err *err)
{
	const char *name = strrchr(path, '/') + 1;
	struct qap_instance in = {0};
	struct pl_text text;
	int rc;

	snprintf(in.name, sizeof(in.name), "%.*s", (int)(strlen(name) - strlen(".qap")), name);
	if (pl_text_load(&text, path, FILE_MAX, err))
		return -1;
	rc = read_text(&text, &in, take, arg, err);
	pl_text_fini(&text);
	return rc;
}

int qap_instances_read(const char *dir, qap_instance_fn *take, void *arg, struct pl_err *err)
{
	char pattern[4096];
	glob_t files;
	int rc = 0;

	snprintf(pattern, sizeof(pattern), "%s/qaplib/*.qap", dir);
	if (glob(pattern, 0, NULL, &files))
		return pl_err_set(err, PL_EINPUT, "%s: no such files", pattern);
	for (size_t k = 0; rc == 0 && k < files.gl_pathc; k++)
		rc = read_file(files.gl_pathv[k], take, arg, err);
	globfree(&files);
	return rc;
}

/* How positions exchange data. */
enum pattern { PLANTED, HALO, SHUFFLED, RANDOM };

static const char *const pattern_name[] = {"planted", "halo", "shuffled", "random"};

/* A job: a box of positions. */
struct job {
	enum pattern pattern;
	size_t side[3];
	size_t hosts, slots, rack;
};

static const struct job jobs[] = {
	{PLANTED, {8, 8, 8}, 64, 8, 8},         {HALO, {6, 6, 6}, 27, 8, 9},
	{HALO, {16, 16, 16}, 512, 8, 16},       {SHUFFLED, {16, 16, 16}, 512, 8, 16},
	{RANDOM, {16, 16, 16}, 512, 8, 16},     {HALO, {25, 20, 20}, 1280, 8, 16},
	{SHUFFLED, {25, 20, 20}, 1280, 8, 16},  {HALO, {46, 46, 46}, 1536, 64, 16},
	{SHUFFLED, {46, 46, 46}, 1536, 64, 16}, {RANDOM, {46, 46, 46}, 1536, 64, 16},
};

static size_t positions(const struct job *job)
{
	return job->side[0] * job->side[1] * job->side[2];
}

/* Room for the flows of a position. */
static size_t flows_of(const struct job *job)
{
	return job->pattern == PLANTED ? job->slots + job->rack : 6;
}

/* @number: [n_pos] what positions are called. */
static void add_flow(struct pl_assign_problem *p, struct pl_assign_flow *flow, const size_t *number,
		     size_t src, size_t dst, double messages)
{
	flow[p->n_flows++] = (struct pl_assign_flow){
		.src = (uint32_t)number[src], .dst = (uint32_t)number[dst], .messages = messages};
}

/* Between @a and the positions up to its @n th, @step apart, in a row. */
static void add_group(struct pl_assign_problem *p, struct pl_assign_flow *flow,
		      const size_t *number, size_t a, size_t step, size_t n, double messages)
{
	const size_t first = a / (step * n) * (step * n);

	for (size_t k = 0; k < n; k++)
		if (first + k * step != a)
			add_flow(p, flow, number, a, first + k * step, messages);
}

static void add_planted(const struct job *job, struct pl_assign_problem *p,
			struct pl_assign_flow *flow, const size_t *number)
{
	for (size_t k = 0; k < p->n_pos; k++) {
		add_group(p, flow, number, k, 1, job->slots, 5);
		if (k % job->slots == 0)
			add_group(p, flow, number, k, job->slots, job->rack, 1);
	}
}

/* To its neighbours behind it in each direction, and back. */
static void add_halo(const struct job *job, struct pl_assign_problem *p,
		     struct pl_assign_flow *flow, const size_t *number)
{
	for (size_t k = 0; k < p->n_pos; k++)
		for (size_t d = 0, step = 1; d < 3; step *= job->side[d++])
			if (k / step % job->side[d] + 1 < job->side[d]) {
				add_flow(p, flow, number, k, k + step, 1);
				add_flow(p, flow, number, k + step, k, 1);
			}
}

static void add_flows(const struct job *job, struct pl_assign_problem *p,
		      struct pl_assign_flow *flow, size_t *number)
{
	struct pl_rng rng;

	pl_rng_init(&rng, 1, 0);
	for (size_t k = 0; k < p->n_pos; k++)
		number[k] = k;
	if (job->pattern == PLANTED || job->pattern == SHUFFLED)
		pl_rng_shuffle(&rng, number, p->n_pos);
	if (job->pattern == PLANTED)
		add_planted(job, p, flow, number);
	else if (job->pattern != RANDOM)
		add_halo(job, p, flow, number);
	for (size_t k = 0; job->pattern == RANDOM && k < PEERS * p->n_pos; k++)
		add_flow(p, flow, number, k / PEERS, pl_rng_below(&rng, p->n_pos), 1);
}

/* Pods of racks, if these are all full; what follows the sizes is what a hop costs there, at least
 * 1. */
static void tell_tree(struct qap_instance *in, const struct job *job)
{
	const size_t racks = job->hosts / job->rack;

	if (racks <= RACKS_IN_POD)
		snprintf(in->tree, sizeof(in->tree), "tleaf 3 %zu 20 %zu 10 %zu 1", racks,
			 job->rack, job->slots);
	else
		snprintf(in->tree, sizeof(in->tree), "tleaf 4 %zu 60 %d 20 %zu 10 %zu 1",
			 racks / RACKS_IN_POD, RACKS_IN_POD, job->rack, job->slots);
}

static int make(const struct job *job, qap_instance_fn *take, void *arg, struct pl_err *err)
{
	static const struct racks_kind pods = {.racks_in_pod = RACKS_IN_POD};
	const size_t n = positions(job);
	struct qap_instance in = {.known = NAN};
	double *c = pl_array_create(job->hosts, job->hosts * sizeof(*c));
	size_t *planted = pl_array_create(job->hosts, sizeof(*planted));
	size_t *slots = pl_array_create(job->hosts, sizeof(*slots));
	size_t *number = pl_array_create(n, sizeof(*number));
	struct pl_assign_flow *flow = pl_array_create(n, flows_of(job) * sizeof(*flow));
	struct pl_costs costs = {.n = job->hosts, .c = c};
	int rc = -1;

	in.given = pl_array_create(n, sizeof(*in.given));
	in.problem = (struct pl_assign_problem){
		.n_pos = n, .flow = flow, .costs = &costs, .slots = slots};
	in.leaf = planted;
	snprintf(in.name, sizeof(in.name), "%s %zu", pattern_name[job->pattern], n);
	tell_tree(&in, job);
	if (job->pattern == PLANTED) /* within racks alone */
		in.known = 1000 * (double)(job->hosts * (job->rack - 1));
	if (!c || !planted || !slots || !number || !flow || !in.given) {
		pl_err_nomem(err);
	} else if (racks_fill(&pods, job->hosts, job->rack, 1, c, planted, err) == 0) {
		add_flows(job, &in.problem, flow, number);
		for (size_t h = 0; h < job->hosts; h++)
			slots[h] = job->slots;
		for (size_t p = 0; p < n; p++)
			in.given[p] = p / job->slots;
		rc = take(&in, arg, err);
	}
	free(c);
	free(planted);
	free(slots);
	free(number);
	free(flow);
	free(in.given);
	return rc;
}

int qap_instances_make(size_t pos_max, qap_instance_fn *take, void *arg, struct pl_err *err)
{
	int rc = 0;

	for (size_t k = 0; k < sizeof(jobs) / sizeof(*jobs); k++)
		if (rc == 0 && positions(&jobs[k]) <= pos_max)
			rc = make(&jobs[k], take, arg, err);
	return rc;
}

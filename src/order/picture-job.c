/* SPDX-License-Identifier: BSD-3-Clause */
/* picture-job.c - the kinds of a job for a report: where their groups are, and what they take */
#include "config.h"

#include "src/order/picture.h"

#include "base/mem.h"
#include "order/job/groups.h"
#include "src/order/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The seat of each rank [n_ranks], to be freed; NULL: no memory. */
static size_t *take_seats(const struct pl_hosts *hosts, size_t n_ranks)
{
	size_t *seat_of = pl_array_create(n_ranks, sizeof(*seat_of));
	size_t rank = 0;

	for (size_t h = 0; seat_of && h < hosts->n; h++)
		for (int slot = 0; slot < hosts->v[h].slots; slot++)
			seat_of[rank++] = h;
	return seat_of;
}

/* Several members in a row at one seat are one. */
static void take_members(struct pl_report_kind *to, const struct pl_job_seated *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		to->first[i] = n;
		for (size_t m = g->first[i]; m < g->first[i + 1]; m++)
			if (n == to->first[i] || to->seat[n - 1] != g->seat[m])
				to->seat[n++] = g->seat[m];
	}
	to->first[g->n] = n;
	to->n_groups = g->n;
}

static int take_groups(struct pl_report_kind *to, const struct pl_job_kind *kind,
		       const struct pl_job_seats *seats)
{
	struct pl_job_seated g;

	if (pl_job_seated_init(&g, kind, seats, 1))
		return -1;
	to->first = pl_array_create(g.n + 1, sizeof(*to->first));
	to->seat = pl_array_create(kind->n_members, sizeof(*to->seat));
	if (to->first && to->seat)
		take_members(to, &g);
	pl_job_seated_fini(&g);
	return to->first && to->seat ? 0 : -1;
}

/* The share of the traffic's bytes between racks. */
static double apart(const struct pl_report *r, const struct pl_job_kind *kind,
		    const size_t *seat_of, const size_t *host_at)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < kind->n_sends; i++) {
		const struct pl_job_send *send = &kind->send[i];
		const size_t a = seat_of[send->src], b = seat_of[send->dst];
		const double bytes = (double)send->bytes;

		all += bytes;
		if (r->rack[host_at ? host_at[a] : a] != r->rack[host_at ? host_at[b] : b])
			sum += bytes;
	}
	return all > 0 ? sum / all : NAN;
}

static int add_kind(struct pl_report *r, const struct pl_reorder_picture *p, size_t k,
		    const struct pl_job_seats *seats)
{
	const struct pl_job_kind *kind = &p->a->job->job.kind[k];
	const struct pl_job_answer *answer = &p->a->job->answer;
	const struct pl_job_times none = {NAN, NAN, NAN};
	const struct pl_job_times *t = answer->guessed ? &none : pl_job_answer_times(answer, k);
	char calls[PL_REORDER_KIND];
	struct pl_report_kind to = {.name = pl_string_copy(kind->name, strlen(kind->name)),
				    .given = t->given,
				    .found = t->found,
				    .alone = t->alone,
				    .apart_given = apart(r, kind, seats->seat_of, NULL),
				    .apart_found = apart(r, kind, seats->seat_of, p->r->host_at)};
	const int lost = take_groups(&to, kind, seats);

	pl_reorder_job_describe(calls, kind);
	to.calls = pl_string_copy(calls, strlen(calls));
	return pl_report_kind_take(r, &to) || lost ? -1 : 0;
}

/* The predicted times of the step and of each kind. */
static int add_times(struct pl_report *r, const struct pl_reorder_job *job)
{
	const struct pl_job_answer *a = &job->answer;
	struct pl_report_time t = {.collective = "step of the job",
				   .in_title = true,
				   .given_s = a->played_given,
				   .found_s = a->played_found};
	int rc = pl_report_add_time(r, &t);

	r->times_of_found = true;
	t.in_title = false;
	for (size_t k = 0; rc == 0 && k < a->n; k++) {
		t.collective = job->job.kind[k].name;
		t.given_s = a->kind[k].played.given;
		t.found_s = a->kind[k].played.found;
		rc = pl_report_add_time(r, &t);
	}
	return rc;
}

static int add_kinds(struct pl_report *r, const struct pl_reorder_picture *p)
{
	const struct pl_reorder_job *job = p->a->job;
	size_t *seat_of = take_seats(&p->in->hosts, job->job.n_ranks);
	const struct pl_job_seats seats = {p->in->hosts.n, seat_of};
	int rc = seat_of ? 0 : -1;

	r->kinds_unit = job->answer.in_seconds ? PL_S : PL_LEVELS;
	for (size_t k = 0; rc == 0 && k < job->job.n_kinds; k++)
		rc = add_kind(r, p, k, &seats);
	free(seat_of);
	return rc;
}

int pl_reorder_picture_job(struct pl_report *r, const struct pl_reorder_picture *p,
			   struct pl_err *err)
{
	const struct pl_shape none = {.kind = PL_SUM};
	struct pl_report_order *order = pl_report_add_order(
		r,
		&(struct pl_report_call){
			.title = "a step of the job", .shape = &none, .by_host = true},
		p->r->host_at, p->n_seats, err);

	if (!order)
		return -1;
	order->given = p->r->cost_given;
	order->cost = p->r->cost;
	order->bound = p->r->bound;
	order->exact = p->r->exact;
	if (p->a->job->answer.guessed)
		order->given = order->cost = order->bound = NAN;
	if (add_kinds(r, p) ||
	    (p->a->job->answer.is_played && !p->a->job->answer.guessed && add_times(r, p->a->job)))
		return pl_err_nomem(err);
	return 0;
}

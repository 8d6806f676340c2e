/* SPDX-License-Identifier: BSD-3-Clause */
/* play.c - the step of a job played out: seconds */
#include "config.h"

#include "order/job/play.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "order/calls/forecaster.h"
#include "order/job/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Traffic and all-to-alls of more messages are played once: not again and again, nor with several
 * draws of when ranks wake up. */
#define REPEATED_MAX 20000

struct played {
	struct pl_pattern pattern; /* of a call, of all groups */
	struct pl_protocol protocol;
	bool once;
};

struct pl_job_player {
	const struct pl_job *job;
	const struct pl_order_request *q;
	const size_t *seat_of;
	struct pl_order_forecaster f;
	struct played *kind; /* [n_kinds] */
	size_t n;            /* of these that are made */
	/* all calls of a step; no messages: the sum of the kinds counts */
	struct played step;
	size_t *rank_at; /* [n_ranks] */
	size_t *seat;    /* [n_ranks] scratch: of the members of a group */
};

void pl_job_player_destroy(struct pl_job_player *p)
{
	if (!p)
		return;
	for (size_t k = 0; k < p->n; k++)
		pl_pattern_fini(&p->kind[k].pattern);
	pl_pattern_fini(&p->step.pattern);
	free(p->kind);
	free(p->rank_at);
	free(p->seat);
	pl_order_forecaster_fini(&p->f);
	free(p);
}

static int add_collective(struct pl_job_player *p, struct pl_script *all,
			  const struct pl_job_kind *kind, const struct pl_order_algorithm *what,
			  size_t g, struct pl_err *err)
{
	const uint32_t *member = kind->member + kind->first[g];
	const size_t n = kind->first[g + 1] - kind->first[g];
	struct pl_call call;
	struct pl_script script;

	for (size_t i = 0; i < n; i++)
		p->seat[i] = p->seat_of[member[i]];
	call = pl_job_call(kind, what, p->seat, n);
	if (pl_algorithm_script(what->a, &call, &script, err))
		return -1;
	pl_script_join(all, &script, member);
	pl_script_fini(&script);
	return 0;
}

static int add_pipeline(struct pl_script *all, const struct pl_job_kind *kind, size_t g,
			struct pl_err *err)
{
	const size_t n = kind->first[g + 1] - kind->first[g];
	struct pl_script script;

	if (pl_job_pipeline_script(&script, kind, n, err))
		return -1;
	pl_script_join(all, &script, kind->member + kind->first[g]);
	pl_script_fini(&script);
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	const struct pl_job_send *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return x->dst < y->dst ? -1 : x->dst > y->dst;
}

static int by_destination(const void *a, const void *b)
{
	const struct pl_job_send *x = a, *y = b;

	if (x->dst != y->dst)
		return x->dst < y->dst ? -1 : 1;
	return x->src < y->src ? -1 : x->src > y->src;
}

/* The sends of a rank, @n of them by destination; in an all-to-all, it begins with the rank behind
 * it, as libraries do lest all begin with the same. */
static void post_sends(struct pl_script *all, const struct pl_job_kind *kind,
		       const struct pl_job_send *send, size_t n)
{
	size_t first = 0;

	while (kind->form == PL_JOB_ALLTOALLV && first < n && send[first].dst < send[first].src)
		first++;
	for (size_t i = 0; i < n; i++) {
		const struct pl_job_send *s = &send[(first + i) % n];

		if (s->dst != s->src)
			pl_script_isend(all, s->dst, s->bytes);
	}
}

/* Every rank posts its receives and its sends and waits for all; messages between the same ranks
 * are one. */
static int add_sends(struct pl_script *all, const struct pl_job_kind *kind, size_t n_ranks,
		     struct pl_err *err)
{
	const size_t n = kind->n_sends, bytes = n * sizeof(*kind->send);
	struct pl_job_send *from = pl_array_create(n, sizeof(*from));
	struct pl_job_send *to = pl_array_create(n, sizeof(*to));
	size_t i = 0, k = 0, first;

	if (!from || !to) {
		free(from);
		free(to);
		return pl_err_nomem(err);
	}
	memcpy(from, kind->send, bytes);
	memcpy(to, kind->send, bytes);
	qsort(from, n, sizeof(*from), by_rank);
	qsort(to, n, sizeof(*to), by_destination);
	for (size_t rank = 0; rank < n_ranks; rank++) {
		pl_script_rank(all, rank);
		for (; k < n && to[k].dst == rank; k++)
			if (to[k].src != rank)
				pl_script_irecv(all, to[k].src, to[k].bytes);
		for (first = i; i < n && from[i].src == rank; i++)
			;
		post_sends(all, kind, from + first, i - first);
		pl_script_wait_all(all);
	}
	free(from);
	free(to);
	return 0;
}

static int add_groups(struct pl_job_player *p, struct pl_script *all,
		      const struct pl_job_kind *kind, const struct pl_order_algorithm *what,
		      struct pl_err *err)
{
	if (pl_job_has_sends(kind))
		return add_sends(all, kind, p->job->n_ranks, err);
	for (size_t g = 0; g < kind->n_groups; g++)
		if (kind->form == PL_JOB_PIPELINE ? add_pipeline(all, kind, g, err)
						  : add_collective(p, all, kind, what, g, err))
			return -1;
	return 0;
}

/* The script of a call of all groups, which the caller ends with pl_script_fini, and its
 * protocol. */
static int write_call(struct pl_job_player *p, const struct pl_job_kind *kind,
		      struct pl_script *all, struct pl_protocol *protocol, struct pl_err *err)
{
	struct pl_order_algorithm what = {.a = NULL};

	if (pl_job_find_algorithm(&what, p->job, kind, p->q->names.impl, err) ||
	    pl_protocol_of(what.a, what.radix, protocol, err) ||
	    pl_script_init(all, p->job->n_ranks, err))
		return -1;
	if (add_groups(p, all, kind, &what, err) == 0)
		return 0;
	pl_script_fini(all);
	return -1;
}

static int make(struct pl_job_player *p, const struct pl_job_kind *kind, struct played *to,
		struct pl_err *err)
{
	struct pl_script all;
	int rc;

	if (write_call(p, kind, &all, &to->protocol, err))
		return -1;
	rc = pl_script_finish(&all, &to->pattern, err);
	pl_script_fini(&all);
	return rc;
}

/* Are the calls of all kinds to be played one after the other? */
static bool is_one_program(const struct pl_job_player *p)
{
	double messages = 0;

	if (p->n == 1 && pl_job_has_sends(&p->job->kind[0]) && p->job->kind[0].calls == 1)
		return false; /* that was played already */
	for (size_t k = 0; k < p->n; k++) {
		const struct pl_job_kind *kind = &p->job->kind[k];

		if (kind->exposed != 1 || kind->calls != floor(kind->calls) ||
		    strcmp(p->kind[k].protocol.name, p->kind[0].protocol.name) != 0)
			return false;
		messages += kind->calls * (double)p->kind[k].pattern.n_messages;
	}
	return messages <= PL_JOB_PLAYED_MAX;
}

/* Adds the calls of a kind to the program of a step. */
static int add_calls(struct pl_job_player *p, const struct pl_job_kind *kind,
		     struct pl_script *step, struct pl_err *err)
{
	for (double i = 0; i < kind->calls; i++) {
		struct pl_script call;

		if (write_call(p, kind, &call, &p->step.protocol, err))
			return -1;
		pl_script_append(step, &call);
		pl_script_fini(&call);
	}
	return 0;
}

static int make_step(struct pl_job_player *p, struct pl_err *err)
{
	struct pl_script step;
	int rc = 0;

	if (!is_one_program(p))
		return 0;
	if (pl_script_init(&step, p->job->n_ranks, err))
		return -1;
	for (size_t k = 0; rc == 0 && k < p->n; k++)
		rc = add_calls(p, &p->job->kind[k], &step, err);
	if (rc == 0)
		rc = pl_script_finish(&step, &p->step.pattern, err);
	pl_script_fini(&step);
	return rc;
}

static bool sends_pairs(const struct pl_job_kind *kind)
{
	return pl_job_has_sends(kind) ||
	       (kind->form == PL_JOB_COLLECTIVE && kind->collective == PL_ALLTOALL);
}

/* 1 if a kind has too many messages. */
static int make_all(struct pl_job_player *p, struct pl_err *err)
{
	for (size_t k = 0; k < p->job->n_kinds; k++) {
		struct pl_err why = {0};

		if (make(p, &p->job->kind[k], &p->kind[k], &why)) {
			if (why.code == PL_EUSAGE) /* of the pattern */
				return 1;
			return pl_err_set(err, why.code, "%s", why.text);
		}
		p->n++;
		if (p->kind[k].pattern.n_messages > PL_JOB_PLAYED_MAX)
			return 1;
		p->kind[k].once = sends_pairs(&p->job->kind[k]) &&
				  p->kind[k].pattern.n_messages > REPEATED_MAX;
		p->step.once |= p->kind[k].once;
	}
	return make_step(p, err);
}

int pl_job_player_create(struct pl_job_player **player, const struct pl_job *job,
			 const struct pl_order_input *in, const struct pl_order_request *q,
			 const size_t *seat_of, const struct pl_stop *stop, struct pl_err *err)
{
	struct pl_job_player *p = pl_array_create(1, sizeof(*p));
	int rc = -1;

	*player = NULL;
	if (!p)
		return pl_err_nomem(err);
	p->job = job;
	p->q = q;
	p->seat_of = seat_of;
	p->kind = pl_array_create(job->n_kinds, sizeof(*p->kind));
	p->rank_at = pl_array_create(job->n_ranks, sizeof(*p->rank_at));
	p->seat = pl_array_create(job->n_ranks, sizeof(*p->seat));
	if (!p->kind || !p->rank_at || !p->seat)
		pl_err_nomem(err);
	else if (pl_order_forecaster_init(&p->f, in, q, err) == 0)
		rc = make_all(p, err);
	p->f.stop = stop ? stop->flag : NULL;
	if (rc == 0)
		*player = p;
	else
		pl_job_player_destroy(p);
	return rc < 0 ? -1 : 0;
}

/* The seconds of one call, or of a step. */
static int play(struct pl_job_player *p, const struct played *played, double *seconds,
		struct pl_err *err)
{
	struct pl_order_time time = {0};

	p->f.repeat = p->f.starts = played->once; /* 0: the defaults */
	if (played->pattern.n_messages > 0 &&
	    pl_order_time_ranks(&p->f, &played->pattern, p->rank_at, &played->protocol, &time, err))
		return -1;
	*seconds = time.seconds;
	return 0;
}

int pl_job_play(struct pl_job_player *p, const size_t *host_at, double *seconds, double *step,
		struct pl_err *err)
{
	for (size_t r = 0; r < p->job->n_ranks; r++)
		p->rank_at[r] = host_at[p->seat_of[r]];
	*step = 0;
	for (size_t k = 0; k < p->n; k++) {
		const struct pl_job_kind *kind = &p->job->kind[k];

		p->f.apart =
			kind->form == PL_JOB_COLLECTIVE && pl_collective_has_root(kind->collective);
		if (play(p, &p->kind[k], &seconds[k], err))
			return -1;
		seconds[k] *= kind->calls * kind->exposed;
		*step += seconds[k];
	}
	p->f.apart = false;
	if (p->step.pattern.n_messages == 0)
		return 0;
	return play(p, &p->step, step, err);
}

/* Plays on the other network of the two. */
static void swap_networks(struct pl_order_forecaster *f)
{
	const struct pl_network net = f->net;

	f->net = f->slow;
	f->slow = net;
}

int pl_job_guessed(struct pl_job_player *p, const size_t *host_at, double step, bool *guessed,
		   struct pl_err *err)
{
	double *seconds, slow;
	int rc;

	*guessed = false;
	if (pl_order_forecaster_knows_rates(&p->f))
		return 0;
	seconds = pl_array_create(p->n, sizeof(*seconds));
	if (!seconds)
		return pl_err_nomem(err);
	swap_networks(&p->f);
	rc = pl_job_play(p, host_at, seconds, &slow, err);
	swap_networks(&p->f);
	free(seconds);
	if (rc == 0)
		*guessed = slow > step * (1 + PL_ORDER_WORTH / 100.0);
	return rc;
}

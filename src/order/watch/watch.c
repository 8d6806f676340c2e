/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - plink-order --watch: when a restart in a new order would pay */
#include "config.h"

#include "src/order/watch/watch.h"

#include "base/clock.h"
#include "base/matrix/tiers.h"
#include "base/mem.h"
#include "order/calls/promise.h"
#include "order/input.h"
#include "order/model.h"
#include "order/solve.h"
#include "src/order/files.h"
#include "src/order/library.h"
#include "src/order/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A call of the job, and its time or cost in the order in use. */
struct call {
	const struct pl_algorithm *a;
	uint64_t bytes;
	double time;
};

/* What has been told so far, and what the first measurement showed. */
struct watch {
	const struct pl_reorder_options *o;
	const struct pl_stop *stop;
	int64_t begin_ns;
	struct pl_hosts hosts; /* the order in use */
	struct pl_tiers rates; /* of cards and uplinks, at the start */
	struct call *call;     /* [n_calls] at the start */
	size_t n_calls;
	bool begun;         /* a measurement has been told */
	double told_slower; /* 1: nothing */
	bool told_restart, told_failed;
};

/* Everything that one measurement takes. */
struct round {
	struct pl_reorder_options o; /* of which finding the library changes */
	struct pl_reorder_source from;
	struct pl_order_input in;
	struct pl_order_model model;
	struct pl_order_promise promise;
	struct pl_order_result result;
	bool promises;
	bool anew; /* the hosts are not those of the start */
	struct pl_reorder_round seen;
};

static void watch_fini(struct watch *w)
{
	pl_hosts_fini(&w->hosts);
	pl_tiers_fini(&w->rates);
	free(w->call);
}

static void round_fini(struct round *r)
{
	pl_order_result_fini(&r->result);
	pl_order_promise_fini(&r->promise);
	pl_order_model_fini(&r->model);
	pl_order_input_fini(&r->in);
	pl_reorder_source_fini(&r->from);
}

static bool same_hosts(const struct pl_hosts *a, const struct pl_hosts *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->v[i].name, b->v[i].name) != 0)
			return false;
	return true;
}

/* Rates are measured at the start only: their flows take up the network, and a
 * job that runs takes its part of them. Those of a file are taken as they are.
 */
static int keep_rates(struct watch *w, struct round *r, struct pl_err *err)
{
	if (!r->in.matrix || !r->from.probed)
		return 0;
	if (!r->anew)
		return pl_tiers_write(&w->rates, r->in.matrix, err);
	pl_tiers_fini(&w->rates);
	return pl_tiers_read(&w->rates, r->in.matrix, err);
}

static size_t n_calls(const struct round *r)
{
	return r->promises ? r->promise.w.n : 1;
}

static struct call call_of(const struct round *r, size_t i)
{
	const struct pl_order_work *work;

	if (!r->promises)
		return (struct call){.time = r->result.cost_given};
	work = &r->promise.w.v[i];
	return (struct call){work->what.a, work->what.bytes, r->promise.call[i].given};
}

/* Are the calls those of the start? A file of --stats may have changed. */
static bool same_calls(const struct watch *w, const struct round *r)
{
	if (w->n_calls != n_calls(r))
		return false;
	for (size_t i = 0; i < w->n_calls; i++) {
		const struct call call = call_of(r, i);

		if (call.a != w->call[i].a || call.bytes != w->call[i].bytes)
			return false;
	}
	return true;
}

/* The start: what later measurements are compared with. */
static int begin(struct watch *w, const struct round *r, struct pl_err *err)
{
	struct call *call = pl_array_create(n_calls(r), sizeof(*call));

	if (!call)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n_calls(r); i++)
		call[i] = call_of(r, i);
	free(w->call);
	w->call = call;
	w->n_calls = n_calls(r);
	pl_hosts_fini(&w->hosts);
	if (pl_hosts_copy(&w->hosts, &r->in.hosts))
		return pl_err_nomem(err);
	w->told_slower = 1;
	w->told_restart = false;
	return 0;
}

/*
 * The calls' time in the order in use, as a multiple of that at the start.
 * Weights of counted calls are shares of the present time; others are of
 * times relative to the start.
 */
static double slower(const struct watch *w, const struct round *r)
{
	const bool counted = r->promises && r->promise.w.counted;
	double now = 0, then = 0;

	for (size_t i = 0; i < w->n_calls; i++) {
		const double weight = r->promises ? r->promise.w.v[i].weight : 1;
		const double ratio = call_of(r, i).time / w->call[i].time;

		if (!(ratio > 0 && isfinite(ratio)))
			continue;
		now += counted ? weight : weight * ratio;
		then += counted ? weight / ratio : weight;
	}
	return then > 0 ? now / then : 1;
}

static void judge(const struct watch *w, struct round *r)
{
	struct pl_reorder_round *s = &r->seen;
	const double share = w->o->share / 100;
	const double cost_s = (double)w->o->restart_ns * 1e-9;
	const double passed_s = (double)(pl_clock_ns() - w->begin_ns) * 1e-9;
	double saved;

	s->n_hosts = r->in.hosts.n;
	s->slower = slower(w, r);
	s->gain =
		r->promises ? r->promise.gain : pl_order_gain(r->result.cost_given, r->result.cost);
	saved = s->gain / 100 * share;
	s->pays_after_s = saved > 0 ? cost_s / saved : INFINITY;
	s->saves_s = NAN;
	if (w->o->left_ns)
		s->saves_s = saved * fmax((double)w->o->left_ns * 1e-9 - passed_s, 0) - cost_s;
}

static int find(struct round *r, const struct pl_stop *stop, struct pl_err *err)
{
	const struct pl_order_request *q = &r->o.request;

	r->promises = pl_order_request_promises(q);
	if (r->promises)
		return pl_order_promise_find(&r->promise, &r->result, &r->in, q, stop, err);
	if (pl_order_model_init(&r->model, &r->in, q, err))
		return -1;
	return pl_order_solve(&r->result, &r->in, &r->model, q, stop, err);
}

/* Measures, and compares the order in use with the best one. */
static int look(struct watch *w, struct round *r, struct pl_err *err)
{
	struct pl_stop stop = *w->stop;
	int rc;

	r->o = *w->o;
	r->o.rtt_only = w->call != NULL;
	rc = pl_reorder_source_load(&r->from, &r->in, &r->o, w->stop, err);
	pl_kept_remove(&r->from.kept); /* the next time, all is measured anew */
	if (rc)
		return -1;
	r->anew = !w->call || !same_hosts(&w->hosts, &r->in.hosts);
	if (r->anew && r->o.rtt_only) { /* once more, with rates */
		round_fini(r);
		*r = (struct round){.anew = true};
		free(w->call);
		w->call = NULL;
		return look(w, r, err);
	}
	if (pl_reorder_library_check(&r->o, &r->in.hosts, err) || keep_rates(w, r, err))
		return -1;
	if (r->o.request.time_ns)
		stop.deadline_ns = pl_clock_ns() + r->o.request.time_ns;
	if (find(r, &stop, err))
		return -1;
	r->anew = r->anew || !same_calls(w, r);
	if (r->anew && begin(w, r, err))
		return -1;
	judge(w, r);
	return 0;
}

/* Is the difference large enough to be told? */
static bool is_slow(const struct watch *w, double slower)
{
	return slower > 1 + w->o->request.min_gain / 100;
}

static bool slowness_changed(const struct watch *w, double slower)
{
	const double step = 1 + w->o->request.min_gain / 100;

	if (!is_slow(w, slower))
		return w->told_slower > 1;
	return slower > w->told_slower * step || slower * step < w->told_slower;
}

static bool pays(const struct watch *w, const struct pl_reorder_round *s)
{
	return s->gain > 0 && s->gain >= w->o->request.min_gain && !(s->saves_s <= 0);
}

static bool is_news(const struct watch *w, const struct pl_reorder_round *s)
{
	return slowness_changed(w, s->slower) || pays(w, s) != w->told_restart;
}

/* The new order goes to the outputs that are asked for. */
static int write_order(const struct round *r, struct pl_err *err)
{
	const struct pl_reorder_answer a = {
		.o = &r->o,
		.from = &r->from,
		.in = &r->in,
		.r = &r->result,
		.given = &r->in.hosts,
		.promise = r->promises ? &r->promise : NULL,
	};
	const struct pl_reorder_picture picture = {
		.a = &a, .in = &r->in, .r = &r->result, .n_seats = r->in.hosts.n};

	return pl_reorder_files_write(&picture, err);
}

static int tell_round(struct watch *w, const struct round *r, struct pl_err *err)
{
	const struct pl_reorder_round *s = &r->seen;
	const struct pl_reorder_options *o = w->o;

	if (slowness_changed(w, s->slower)) {
		const bool slow = is_slow(w, s->slower);

		w->told_slower = slow ? s->slower : 1;
		if (pl_reorder_tell(slow ? PL_REORDER_SLOWER : PL_REORDER_BACK, s, o, NULL, err))
			return -1;
	}
	if (pays(w, s) == w->told_restart)
		return 0;
	w->told_restart = !w->told_restart;
	if (!w->told_restart)
		return pl_reorder_tell(PL_REORDER_STAY, s, o, NULL, err);
	return write_order(r, err) || pl_reorder_tell(PL_REORDER_RESTART, s, o, NULL, err);
}

/* One measurement failed: the watch goes on, unless it is the first. */
static int tell_failure(struct watch *w, struct pl_err *why, struct pl_err *err)
{
	if (!w->begun) {
		*err = *why;
		return -1;
	}
	if (w->told_failed)
		return 0;
	w->told_failed = true;
	return pl_reorder_tell(PL_REORDER_FAILED, NULL, w->o, why->text, err);
}

/*
 * An interval: measures, and if that shows anything new measures once more at
 * once, so that what lasts for a moment only is not told. 0, or -1 with @err
 * set.
 */
static int interval(struct watch *w, struct pl_err *err)
{
	for (int again = 0; again < 2; again++) {
		struct pl_err why = {0};
		struct round r = {.anew = false};
		bool confirm = false;
		int rc = 0;

		if (look(w, &r, &why)) {
			round_fini(&r);
			return pl_stop_now(w->stop) ? 0 : tell_failure(w, &why, err);
		}
		if (w->told_failed)
			rc = pl_reorder_tell(PL_REORDER_MEASURED, &r.seen, w->o, NULL, err);
		w->told_failed = false;
		if (rc == 0 && r.anew)
			rc = pl_reorder_tell(PL_REORDER_BEGIN, &r.seen, w->o, NULL, err);
		w->begun = true;
		if (rc == 0 && !pl_stop_now(w->stop)) {
			confirm = is_news(w, &r.seen) && !again;
			rc = confirm ? 0 : tell_round(w, &r, err);
		}
		round_fini(&r);
		if (rc || !confirm)
			return rc;
	}
	return 0;
}

/* Until the time, or a signal. */
static void sleep_until(int64_t end_ns, const struct pl_stop *stop)
{
	int64_t left;

	while (!pl_stop_now(stop) && (left = end_ns - pl_clock_ns()) > 0) {
		/* a signal just before the call must not wait for all of it */
		const int64_t part = left < 1000000000 ? left : 999999999;

		nanosleep(&(struct timespec){.tv_nsec = part}, NULL);
	}
}

int pl_reorder_watch(const struct pl_reorder_options *o, const struct pl_stop *stop)
{
	struct watch w = {.o = o, .stop = stop, .begin_ns = pl_clock_ns()};
	int64_t next_ns = w.begin_ns;
	struct pl_err err = {0};
	int rc = 0;

	if (!o->verbose) /* what measuring says each time */
		pl_tool_be_quiet();
	while (rc == 0 && !pl_stop_now(stop)) {
		rc = interval(&w, &err);
		next_ns += o->watch_ns;
		if (next_ns < pl_clock_ns()) /* it took longer */
			next_ns = pl_clock_ns();
		sleep_until(rc ? 0 : next_ns, stop);
	}
	if (rc == 0)
		rc = pl_reorder_tell(PL_REORDER_END, NULL, o, NULL, &err);
	watch_fini(&w);
	return rc ? pl_tool_fail(PL_REORDER_TOOL, &err) : PL_EXIT_DONE;
}

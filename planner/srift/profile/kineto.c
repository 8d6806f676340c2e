/* SPDX-License-Identifier: BSD-3-Clause */
/* kineto.c - the iterations of a trace */
#include "config.h"

#include "planner/srift/profile/kineto.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define US 1e-6
#define SECONDS_MIN 1e-9
#define STRAGGLER_STEPS 8
/* distance of the quartiles of a normal distribution, in standard deviations */
#define QUARTILES 1.349

/* The time at which the kernels launched up to an instant have ended. */
struct done {
	double launch_us, end_us;
};

/* A gradient of an iteration. */
struct ready {
	uint64_t bytes;
	double finish; /* in us until the end, then as a share */
	size_t layer;  /* its place in the fullest iteration */
};

/* An iteration's instants, on the processor and then on the GPU. */
struct step {
	double from_us, to_us; /* within these */
	double forward_us, backward_us, end_us;
	enum pl_kineto_kind source; /* of its gradients */
	size_t first, n;            /* of these, in gradient[] */
	size_t n_summed;            /* of these, by sum_up() */
};

struct iterations {
	const struct pl_kineto_events *e;
	struct done *done;
	size_t n_done;
	struct step *step;
	size_t n, room;
	struct step fullest;
	struct ready *gradient;
	size_t n_gradients, gradient_room;
};

static int compare_done(const void *a, const void *b)
{
	const double x = ((const struct done *)a)->launch_us;
	const double y = ((const struct done *)b)->launch_us;

	return (x > y) - (x < y);
}

/* Joins kernels with their launches. */
static int join(struct iterations *x)
{
	const struct pl_kineto_links *kernels = &x->e->kernels;
	const struct pl_kineto_links *launches = &x->e->launches;
	size_t l = 0;

	x->done = pl_array_create(kernels->n, sizeof(*x->done));
	if (!x->done)
		return -1;
	for (size_t k = 0; k < kernels->n; k++) {
		while (l < launches->n && launches->v[l].correlation < kernels->v[k].correlation)
			l++;
		if (l < launches->n && launches->v[l].correlation == kernels->v[k].correlation)
			x->done[x->n_done++] = (struct done){launches->v[l].us, kernels->v[k].us};
	}
	if (x->n_done)
		qsort(x->done, x->n_done, sizeof(*x->done), compare_done);
	for (size_t i = 1; i < x->n_done; i++)
		x->done[i].end_us = fmax(x->done[i].end_us, x->done[i - 1].end_us);
	return 0;
}

/* When has the work ended that was launched up to that instant? */
static double when_done(const struct iterations *x, double us)
{
	size_t low = 0, high = x->n_done;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (x->done[middle].launch_us <= us)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? fmax(us, x->done[low - 1].end_us) : us;
}

static int add_step(struct iterations *x, double from_us, double to_us)
{
	if (pl_array_grow((void **)&x->step, &x->room, x->n, sizeof(*x->step)))
		return -1;
	x->step[x->n++] = (struct step){.from_us = from_us, .to_us = to_us};
	return 0;
}

/* Finds the iterations. *marked: the trace marks them. */
static int find_steps(struct iterations *x, bool *marked)
{
	const struct pl_kineto_events *e = x->e;
	double from_us = -INFINITY;

	for (size_t i = 0; i < e->n_events; i++)
		if (e->event[i].kind == PL_KINETO_STEP &&
		    add_step(x, e->event[i].begin_us, e->event[i].end_us))
			return -1;
	*marked = true;
	if (x->n)
		return 0;
	for (size_t i = 0; i < e->n_events; i++) {
		if (e->event[i].kind != PL_KINETO_OPTIMIZER)
			continue;
		if (add_step(x, from_us, e->event[i].end_us))
			return -1;
		from_us = e->event[i].end_us;
	}
	*marked = x->n > 0;
	return *marked ? 0 : add_step(x, -INFINITY, INFINITY);
}

/* The first event that begins in the iteration. */
static size_t first_event(const struct pl_kineto_events *e, double from_us)
{
	size_t low = 0, high = e->n_events;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (e->event[middle].begin_us < from_us)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The time between the beginning of an iteration and its forward pass. */
static bool is_before(enum pl_kineto_kind kind)
{
	return kind == PL_KINETO_OPTIMIZER || kind == PL_KINETO_ZERO || kind == PL_KINETO_LOADER;
}

/* The passes of an iteration. False: one is missing. */
static bool find_passes(const struct pl_kineto_events *e, struct step *step)
{
	const size_t first = first_event(e, step->from_us);
	double called_us = INFINITY, op_us = INFINITY, free_us = -INFINITY;

	step->backward_us = INFINITY;
	step->end_us = -INFINITY;
	for (size_t i = first; i < e->n_events; i++) {
		const struct pl_kineto_event *event = &e->event[i];

		if (event->begin_us >= step->to_us)
			break;
		if (event->kind == PL_KINETO_BACKWARD) {
			step->backward_us = fmin(step->backward_us, event->begin_us);
			step->end_us = fmax(step->end_us, event->end_us);
		}
		if (step->backward_us < INFINITY)
			continue;
		if (event->kind == PL_KINETO_FORWARD)
			called_us = fmin(called_us, event->begin_us);
		if (is_before(event->kind)) {
			free_us = fmax(free_us, event->end_us);
			op_us = INFINITY;
		}
		if (event->kind == PL_KINETO_OP && event->begin_us >= free_us)
			op_us = fmin(op_us, event->begin_us);
	}
	step->forward_us = called_us < INFINITY ? called_us : op_us;
	return step->forward_us < step->backward_us && step->backward_us < step->end_us;
}

/* How many gradients of that kind, with a size, does the backward pass have? 0: sizes are
 * missing. */
static size_t count(const struct pl_kineto_events *e, const struct step *step,
		    enum pl_kineto_kind kind)
{
	size_t n = 0;

	for (size_t i = first_event(e, step->backward_us);
	     i < e->n_events && e->event[i].begin_us <= step->end_us; i++) {
		if (e->event[i].kind != kind)
			continue;
		if (e->event[i].bytes == 0)
			return 0;
		n++;
	}
	return n;
}

/* Takes them from the best source there is. */
static int take_gradients(struct iterations *x, struct step *step)
{
	static const enum pl_kineto_kind sources[] = {PL_KINETO_GRADIENT, PL_KINETO_ALL_REDUCE,
						      PL_KINETO_ALL_REDUCE_NOTE};
	const struct pl_kineto_events *e = x->e;

	step->first = x->n_gradients;
	for (size_t s = 0; s < 3 && step->n == 0; s++) {
		step->source = sources[s];
		step->n = count(e, step, step->source);
	}
	for (size_t i = first_event(e, step->backward_us);
	     step->n && i < e->n_events && e->event[i].begin_us <= step->end_us; i++) {
		const struct pl_kineto_event *event = &e->event[i];

		if (event->kind != step->source)
			continue;
		if (pl_array_grow((void **)&x->gradient, &x->gradient_room, x->n_gradients,
				  sizeof(*x->gradient)))
			return -1;
		x->gradient[x->n_gradients++] =
			(struct ready){.bytes = event->bytes,
				       .finish = when_done(x, event->kind == PL_KINETO_GRADIENT
								      ? event->end_us
								      : event->begin_us)};
	}
	return 0;
}

/* Instants of the processor become those of what it asked for. */
static void settle(struct iterations *x, struct step *step)
{
	const double begin_us = when_done(x, step->backward_us);
	const double end_us = when_done(x, step->end_us);

	step->forward_us = when_done(x, step->forward_us);
	step->backward_us = begin_us;
	step->end_us = end_us;
	for (size_t i = step->first; i < step->first + step->n; i++) {
		const double share = (x->gradient[i].finish - begin_us) / (end_us - begin_us);

		x->gradient[i].finish = fmin(1, fmax(0, share));
	}
}

/* Are its gradients those of the fullest iteration, some of these left out? Of equal ones the first
 * are taken for those that are there. All-reduces must be the same. */
static bool is_part(struct iterations *x, const struct step *step)
{
	const struct step *full = &x->fullest;
	size_t layer = 0;

	if (step->source != full->source ||
	    (step->source != PL_KINETO_GRADIENT && step->n != full->n))
		return false;
	for (size_t i = step->first; i < step->first + step->n; i++) {
		while (layer < full->n &&
		       x->gradient[full->first + layer].bytes != x->gradient[i].bytes)
			layer++;
		if (layer == full->n)
			return false;
		x->gradient[i].layer = layer++;
	}
	return true;
}

/* Keeps the iterations that have both passes. */
static int take_steps(struct iterations *x, struct pl_kineto *k)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++) {
		struct step *step = &x->step[i];

		if (!find_passes(x->e, step))
			continue;
		if (take_gradients(x, step))
			return -1;
		settle(x, step);
		if ((step->backward_us - step->forward_us) * US >= SECONDS_MIN &&
		    (step->end_us - step->backward_us) * US >= SECONDS_MIN)
			x->step[n++] = *step;
	}
	k->n_partial = x->n - n;
	x->n = n;
	return 0;
}

/* Of gradients, the last iteration that has the most. Of all-reduces, the last: earlier ones may
 * have other buckets. */
static void find_fullest(struct iterations *x)
{
	x->fullest = x->step[x->n - 1];
	for (size_t i = x->n; i-- > 0;)
		if (x->fullest.source == PL_KINETO_GRADIENT &&
		    x->step[i].source == PL_KINETO_GRADIENT && x->step[i].n > x->fullest.n)
			x->fullest = x->step[i];
}

/* Keeps the iterations that have some of the gradients of the fullest one. */
static void leave_alike(struct iterations *x, struct pl_kineto *k)
{
	size_t n = 0;

	find_fullest(x);
	for (size_t i = 0; i < x->n; i++)
		if (is_part(x, &x->step[i]))
			x->step[n++] = x->step[i];
	k->n_other = x->n - n;
	k->n_steps = x->n = n;
}

/* Sorts v[n], n > 0. */
static double median(double *v, size_t n)
{
	pl_sort_doubles(v, n);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Of the iterations that have it; @v has room for all. */
static void sum_gradient(struct iterations *x, size_t layer, double *v,
			 struct pl_kineto_gradient *gradient)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++) {
		struct step *step = &x->step[i];
		const struct ready *next = &x->gradient[step->first + step->n_summed];

		if (step->n_summed == step->n || next->layer != layer)
			continue;
		v[n++] = next->finish;
		step->n_summed++;
	}
	gradient->bytes = x->gradient[x->fullest.first + layer].bytes;
	gradient->finish = median(v, n);
	gradient->probability = (double)n / (double)x->n;
}

static int sum_up(struct iterations *x, struct pl_kineto *k)
{
	const size_t n = x->n;
	double *v = pl_array_create(n, sizeof(*v));

	k->gradient = pl_array_create(x->fullest.n, sizeof(*k->gradient));
	if (!v || !k->gradient) {
		free(v);
		return -1;
	}
	k->n_gradients = x->fullest.n;
	for (size_t g = 0; g < k->n_gradients; g++)
		sum_gradient(x, g, v, &k->gradient[g]);
	for (size_t i = 0; i < n; i++)
		v[i] = x->step[i].backward_us - x->step[i].forward_us;
	k->forward_s = median(v, n) * US;
	for (size_t i = 0; i < n; i++)
		v[i] = x->step[i].end_us - x->step[i].backward_us;
	k->backward_s = median(v, n) * US;
	for (size_t i = 0; i < n; i++)
		v[i] = x->step[i].end_us - x->step[i].forward_us;
	if (n >= STRAGGLER_STEPS) {
		const double middle = median(v, n);

		k->straggler = fmin(1, (v[3 * n / 4] - v[n / 4]) / QUARTILES / middle);
	}
	free(v);
	return 0;
}

static bool has(const struct pl_kineto_events *e, enum pl_kineto_kind kind)
{
	for (size_t i = 0; i < e->n_events; i++)
		if (e->event[i].kind == kind)
			return true;
	return false;
}

static int refuse(const struct pl_kineto_events *e, const char *path, struct pl_err *err)
{
	if (!has(e, PL_KINETO_BACKWARD))
		return pl_err_set(err, PL_EINPUT,
				  "%s: no backward pass: none of its %zu events is from autograd",
				  path, e->n_read);
	return pl_err_set(err, PL_EINPUT, "%s: no iteration with a forward and a backward pass",
			  path);
}

static int refuse_sizes(const struct pl_kineto_events *e, const char *path, struct pl_err *err)
{
	if (has(e, PL_KINETO_COLLECTIVE) && !has(e, PL_KINETO_ALL_REDUCE))
		return pl_err_set(err, PL_EINPUT,
				  "%s: its gradients are not exchanged by all-reduces", path);
	if (e->unknown[0])
		return pl_err_set(err, PL_EINPUT,
				  "%s: the size of elements \"%s\" of its gradients is not known",
				  path, e->unknown);
	return pl_err_set(
		err, PL_EINPUT,
		"%s: it has no sizes of gradients: record it with record_shapes=True, or record a "
		"DistributedDataParallel job with PyTorch 2, or use plink_profile.py",
		path);
}

static int take(struct pl_kineto *k, const struct pl_kineto_events *e, const char *path,
		struct pl_err *err)
{
	struct iterations x = {.e = e};
	bool marked = false;
	int rc = -1;

	*k = (struct pl_kineto){0};
	if (join(&x) || find_steps(&x, &marked) || take_steps(&x, k)) {
		pl_err_nomem(err);
		goto out;
	}
	if (x.n == 0) {
		refuse(e, path, err);
		goto out;
	}
	leave_alike(&x, k);
	k->unmarked = !marked;
	k->n_kernels = x.n_done;
	k->by_message = x.fullest.source != PL_KINETO_GRADIENT;
	if (x.fullest.n == 0)
		refuse_sizes(e, path, err);
	else
		rc = sum_up(&x, k) ? pl_err_nomem(err) : 0;
out:
	free(x.done);
	free(x.step);
	free(x.gradient);
	if (rc)
		pl_kineto_fini(k);
	return rc;
}

int pl_kineto_read(struct pl_kineto *k, const char *path, struct pl_err *err)
{
	struct pl_kineto_events e;
	int rc;

	if (pl_kineto_events_read(&e, path, err))
		return -1;
	rc = take(k, &e, path, err);
	k->damage = e.damage;
	if (rc && e.damage.code && err && err->code == PL_EINPUT)
		*err = e.damage; /* which may be why */
	pl_kineto_events_fini(&e);
	return rc;
}

void pl_kineto_fini(struct pl_kineto *k)
{
	free(k->gradient);
	memset(k, 0, sizeof(*k));
}

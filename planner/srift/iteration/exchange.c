/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c - transfers that begin when they may and share the bandwidth */
#include "config.h"

#include "planner/srift/iteration/exchange.h"

#include "base/mem.h"
#include "predict/events.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Transfers of one b. Those under way end when the clock shows their number. */
struct lane {
	double bytes_per_s; /* b */
	double sum;         /* of all under way */
	double rate;        /* what eq. (2) gives each */
	double clock_bytes;
	double end_bytes; /* the first end */
	struct pl_events ends;
};

struct exchange {
	struct pl_transfer *transfer;
	size_t n;
	size_t *by_ready;  /* [n] */
	size_t next;       /* of these, not yet begun */
	uint32_t *lane_of; /* [n] */
	struct lane *lane; /* [n_lanes], those in use in front */
	uint32_t *place;   /* [n_lanes] where each lane now is */
	uint32_t *name;    /* [n_lanes] which one is at each place */
	size_t n_lanes, n_busy, n_active;
	double now_s;
};

static int compare_ready(const void *a, const void *b, void *transfers)
{
	const struct pl_transfer *t = transfers;
	const size_t i = *(const size_t *)a, j = *(const size_t *)b;

	if (t[i].ready_s != t[j].ready_s)
		return t[i].ready_s < t[j].ready_s ? -1 : 1;
	return (i > j) - (i < j);
}

static int compare_b(const void *a, const void *b, void *transfers)
{
	const struct pl_transfer *t = transfers;
	const double x = t[*(const size_t *)a].bytes_per_s;
	const double y = t[*(const size_t *)b].bytes_per_s;

	return (x > y) - (x < y);
}

/* Numbers the different b: lane_of[n], and the b of each lane. */
static void number_lanes(struct exchange *x, size_t *by_b)
{
	qsort_r(by_b, x->n, sizeof(*by_b), compare_b, x->transfer);
	for (size_t k = 0; k < x->n; k++) {
		const double b = x->transfer[by_b[k]].bytes_per_s;

		if (k == 0 || b != x->lane[x->n_lanes - 1].bytes_per_s)
			x->lane[x->n_lanes++].bytes_per_s = b;
		x->lane_of[by_b[k]] = (uint32_t)(x->n_lanes - 1);
	}
	for (uint32_t i = 0; i < x->n_lanes; i++)
		x->place[i] = x->name[i] = i;
}

static int init(struct exchange *x, struct pl_transfer *transfer, size_t n)
{
	size_t *by_b = pl_array_create(n, sizeof(*by_b));
	int rc = -1;

	*x = (struct exchange){.transfer = transfer, .n = n};
	x->by_ready = pl_array_create(n, sizeof(*x->by_ready));
	x->lane_of = pl_array_create(n, sizeof(*x->lane_of));
	x->lane = pl_array_create(n, sizeof(*x->lane));
	x->place = pl_array_create(n, sizeof(*x->place));
	x->name = pl_array_create(n, sizeof(*x->name));
	if (!by_b || !x->by_ready || !x->lane_of || !x->lane || !x->place || !x->name ||
	    n > UINT32_MAX)
		goto out;
	for (size_t i = 0; i < n; i++)
		x->by_ready[i] = by_b[i] = i;
	qsort_r(x->by_ready, n, sizeof(*x->by_ready), compare_ready, transfer);
	number_lanes(x, by_b);
	rc = 0;
out:
	free(by_b);
	return rc;
}

static void fini(struct exchange *x)
{
	for (size_t i = 0; x->lane && i < x->n_lanes; i++)
		pl_events_fini(&x->lane[i].ends);
	free(x->by_ready);
	free(x->lane_of);
	free(x->lane);
	free(x->place);
	free(x->name);
}

/* Exchanges the lanes at two places. */
static void swap_lanes(struct exchange *x, uint32_t i, uint32_t j)
{
	const struct lane lane = x->lane[i];
	const uint32_t name = x->name[i];

	x->lane[i] = x->lane[j];
	x->lane[j] = lane;
	x->name[i] = x->name[j];
	x->name[j] = name;
	x->place[x->name[i]] = i;
	x->place[x->name[j]] = j;
}

/* Its transfers under way have changed. */
static void count(struct lane *lane)
{
	const struct pl_event *first = pl_events_first(&lane->ends);

	lane->sum = (double)lane->ends.n * lane->bytes_per_s;
	if (first)
		lane->end_bytes = first->at_s;
}

/* Eq. (2), for every lane in use. Which one's first transfer ends soonest, and in how many
 * seconds? */
static size_t share(struct exchange *x, double cap_bytes_per_s, double *in_s)
{
	double sum = 0, most = INFINITY;
	size_t first = 0;

	for (size_t i = 0; i < x->n_busy; i++)
		sum += x->lane[i].sum;
	if (cap_bytes_per_s > 0 && sum >= cap_bytes_per_s)
		most = cap_bytes_per_s / (double)x->n_active;
	*in_s = INFINITY;
	for (size_t i = 0; i < x->n_busy; i++) {
		struct lane *lane = &x->lane[i];
		const double b = lane->bytes_per_s;
		double s;

		lane->rate = b < most ? b : most;
		s = (lane->end_bytes - lane->clock_bytes) / lane->rate;
		if (s < *in_s) {
			*in_s = s;
			first = i;
		}
	}
	if (*in_s < 0)
		*in_s = 0; /* by rounding */
	return first;
}

static void advance(struct exchange *x, double by_s, double to_s)
{
	for (size_t i = 0; i < x->n_busy; i++)
		x->lane[i].clock_bytes += by_s * x->lane[i].rate;
	x->now_s = to_s;
}

static int begin(struct exchange *x)
{
	const size_t t = x->by_ready[x->next++];
	uint32_t at = x->place[x->lane_of[t]];

	if (at >= x->n_busy) {
		swap_lanes(x, at, (uint32_t)x->n_busy);
		at = (uint32_t)x->n_busy++;
		x->lane[at].clock_bytes = 0;
	}
	x->transfer[t].begin_s = x->now_s;
	x->n_active++;
	if (pl_events_add(&x->lane[at].ends, x->lane[at].clock_bytes + x->transfer[t].wire_bytes, 0,
			  (uint32_t)t))
		return -1;
	count(&x->lane[at]);
	return 0;
}

/* Ends the first transfer of that lane, and all that end with it. */
static size_t end(struct exchange *x, size_t at)
{
	struct lane *lane = &x->lane[at];
	const struct pl_event *first;
	struct pl_event event;
	size_t n = 0;

	lane->clock_bytes = pl_events_first(&lane->ends)->at_s;
	while ((first = pl_events_first(&lane->ends)) && first->at_s <= lane->clock_bytes) {
		pl_events_take(&lane->ends, &event);
		x->transfer[event.what].end_s = x->now_s;
		n++;
	}
	x->n_active -= n;
	count(lane);
	if (lane->ends.n == 0)
		swap_lanes(x, (uint32_t)at, (uint32_t)--x->n_busy);
	return n;
}

/* Time of the next beginning; infinite where none may come. */
static double next_begin(const struct exchange *x, size_t at_once)
{
	if (x->next == x->n || (at_once && x->n_active >= at_once))
		return INFINITY;
	return fmax(x->transfer[x->by_ready[x->next]].ready_s, x->now_s);
}

static int play(struct exchange *x, const struct pl_exchange_options *o,
		struct pl_exchange_result *r)
{
	while (x->next < x->n || x->n_active) {
		double in_s;
		const size_t first = share(x, o->cap_bytes_per_s, &in_s);
		const double begin_s = next_begin(x, o->at_once);

		if (begin_s < x->now_s + in_s) {
			advance(x, begin_s - x->now_s, begin_s);
			if (begin(x))
				return -1;
			r->n_events++;
		} else {
			advance(x, in_s, x->now_s + in_s);
			r->n_events += end(x, first);
			r->end_s = x->now_s;
		}
		if (x->n_active > r->most_at_once)
			r->most_at_once = x->n_active;
	}
	return 0;
}

int pl_exchange(struct pl_transfer *transfer, size_t n, const struct pl_exchange_options *o,
		struct pl_exchange_result *r, struct pl_err *err)
{
	struct exchange x;
	int rc = init(&x, transfer, n);

	*r = (struct pl_exchange_result){0};
	if (rc == 0)
		rc = play(&x, o, r);
	fini(&x);
	return rc ? pl_err_nomem(err) : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange-least.c - the earliest ends of transfers that are known within bounds */
#include "config.h"

#include "planner/srift/iteration/exchange-least.h"

#include <math.h>
#include <stdlib.h>

/* Rounds, of which few are needed; fewer only give a lower bound. */
#define ROUNDS_MAX 30
#define SETTLED 1e-4
/* The order of summation changes sums of rates and times by less than this. */
#define ROUNDING 1e-9

/* From then on so many are under way for sure, and what these get alone. */
struct span {
	double from_s;
	double n;
	double bytes_per_s;
};

/* A transfer is under way for sure, or that is over. */
struct change {
	double at_s;
	double by; /* 1 or -1 */
	double bytes_per_s;
};

static int compare(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

/* The spans, in order; their number. */
static size_t list_spans(struct span *span, struct change *change,
			 const struct pl_transfer_range *t, size_t n)
{
	size_t n_changes = 0;
	double under_way = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		const double b = t[i].bytes_per_s[0];

		if (t[i].ready_s[1] >= t[i].end_s)
			continue;
		change[n_changes++] = (struct change){t[i].ready_s[1], 1, b};
		change[n_changes++] = (struct change){t[i].end_s, -1, b};
	}
	qsort(change, n_changes, sizeof(*change), compare);
	for (size_t k = 0; k < n_changes; k++) {
		under_way += change[k].by;
		sum += change[k].by * change[k].bytes_per_s;
		span[k] = (struct span){change[k].at_s, under_way, sum};
	}
	return n_changes;
}

/* The most bytes that the transfer gets in that span. */
static double rate(const struct span *span, const struct pl_transfer_range *t, double cap)
{
	const double most = t->bytes_per_s[1];
	double n = span->n, sum = span->bytes_per_s;

	if (span->from_s < t->ready_s[1] || span->from_s >= t->end_s) {
		n++;
		sum += t->bytes_per_s[0];
	}
	return sum >= cap * (1 + ROUNDING) ? fmin(most, cap / n) : most;
}

/* When it ends at the earliest. */
static double play(const struct pl_transfer_range *t, const struct span *span, size_t n_spans,
		   struct pl_exchange_range *x)
{
	double now = t->ready_s[0], left = t->wire_bytes;
	size_t low = 0, high = n_spans;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (span[mid].from_s <= now)
			low = mid + 1;
		else
			high = mid;
	}
	for (;; low++) {
		const double r =
			low ? rate(&span[low - 1], t, x->cap_bytes_per_s) : t->bytes_per_s[1];

		x->steps++;
		if (low == n_spans || left <= r * (span[low].from_s - now))
			return now + left / r;
		left -= r * (span[low].from_s - now);
		now = span[low].from_s;
	}
}

double pl_exchange_least(struct pl_transfer_range *t, size_t n, struct pl_exchange_range *x)
{
	struct span *span = (struct span *)x->scratch;
	struct change *change = (struct change *)(span + 2 * n);
	double *end_s = (double *)(change + 2 * n);
	double last = 0, later_s = INFINITY; /* all of the ends together */

	for (size_t i = 0; i < n; i++) {
		t[i].end_s = t[i].ready_s[0] + t[i].wire_bytes / t[i].bytes_per_s[1];
		last = fmax(last, t[i].end_s);
	}
	x->steps += n;
	/* transfers that wait for others may not be under way */
	for (int round = 0;
	     !x->at_once && round < ROUNDS_MAX && later_s > SETTLED * last && last < x->enough_s;
	     round++) {
		const size_t n_spans = list_spans(span, change, t, n);

		later_s = 0;
		for (size_t i = 0; i < n; i++)
			end_s[i] = play(&t[i], span, n_spans, x);
		for (size_t i = 0; i < n; i++) {
			later_s += fmax(end_s[i] - t[i].end_s, 0);
			t[i].end_s = fmax(t[i].end_s, end_s[i]);
			last = fmax(last, t[i].end_s);
		}
		x->steps += 4 * n;
	}
	return last * (1 - ROUNDING);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c - how long a collective takes on a network */
#include "config.h"

#include "predict/predict.h"

#include "predict/play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Calls by default. What ranks have on one another when a call begins and how far windows are open
 * settles in some hundred steps; and how much later one call ends than another goes up and down
 * from call to call, which the mean of many evens out: those of few steps are cheap. */
#define REPEAT_MOST 8
#define REPEAT_CHEAP 24
#define REPEAT_CHEAP_STEPS 128
#define REPEAT_LEAST 3
#define REPEAT_STEPS 512

/* Starts by default: as many for all orders, with the same random numbers, so that two predictions
 * differ by what is different and not by chance. Fewer where little is left to chance. */
#define STARTS 4
#define STARTS_SHARED 8 /* processors are shared */
#define MANY_RANKS 64   /* each start is dear, and chance evens out */

const char *pl_bound_name(enum pl_bound bound)
{
	static const char *const name[] = {
		[PL_BY_LATENCY] = "latency", [PL_BY_HANDSHAKE] = "handshake", [PL_BY_PAIR] = "pair",
		[PL_BY_NIC] = "nic",         [PL_BY_UPLINK] = "uplink",       [PL_BY_TCP] = "tcp",
		[PL_BY_SENDER] = "sender",   [PL_BY_RECEIVER] = "receiver",
	};

	return name[bound];
}

void pl_prediction_fini(struct pl_prediction *p)
{
	free(p->path);
	memset(p, 0, sizeof(*p));
}

static int check(const struct pl_pattern *pattern, const size_t *host_at,
		 const struct pl_network *net, size_t n_calls, struct pl_err *err)
{
	for (size_t i = 0; i < pattern->n_pos; i++)
		if (host_at[i] >= net->n)
			return pl_err_set(err, PL_EINPUT, "position %zu on host %zu of %zu", i,
					  host_at[i], net->n);
	if (pattern->n_messages >= PL_NOBODY / n_calls)
		return pl_err_set(err, PL_EUSAGE, "%zu calls of %zu messages are too many", n_calls,
				  pattern->n_messages);
	return 0;
}

/* When the last rank left that call. */
static double last_end(const struct pl_play *y, size_t call)
{
	double last_s = 0;

	for (size_t pos = 0; pos < y->p->n_pos; pos++)
		last_s = fmax(last_s, y->ended_s[call * y->p->n_pos + pos]);
	return last_s;
}

/* The later half of the calls. */
static double long_run(const struct pl_play *y)
{
	const size_t n = y->n_calls, skipped = n / 2;
	const double begin_s = skipped ? last_end(y, skipped - 1) : 0;

	return (last_end(y, n - 1) - begin_s) / (double)(n - skipped);
}

/* Plays the calls once. 0, 1 when ranks wait for ever, -1: no memory. */
static int play(struct pl_play *y, const struct pl_predict_options *options, unsigned start,
		double *seconds, struct pl_prediction *out)
{
	int rc;

	y->stop = options->stop;
	y->apart = options->apart;
	rc = pl_play_run(y, start);
	if (rc)
		return rc;
	*seconds = long_run(y);
	return start == 0 && options->path_max > 0 ? pl_play_path(y, options->path_max, out) : 0;
}

static unsigned calls_of(const struct pl_pattern *p, const struct pl_predict_options *options)
{
	unsigned n = REPEAT_CHEAP, steps = 1;

	if (options->repeat)
		return options->repeat;
	for (size_t pos = 0; pos < p->n_pos; pos++)
		steps = p->n_steps[pos] > steps ? p->n_steps[pos] : steps;
	while (n > REPEAT_LEAST &&
	       n * steps > (n > REPEAT_MOST ? REPEAT_CHEAP_STEPS : REPEAT_STEPS))
		n--;
	return n;
}

static unsigned starts_of(const struct pl_play *y, const struct pl_predict_options *options)
{
	if (!y->varies)
		return 1;
	if (options->starts)
		return options->starts;
	return y->shared && y->p->n_pos < MANY_RANKS ? STARTS_SHARED : STARTS;
}

int pl_predict(const struct pl_pattern *pattern, const size_t *host_at,
	       const struct pl_network *net, const struct pl_protocol *protocol,
	       const struct pl_predict_options *options, struct pl_prediction *out,
	       struct pl_err *err)
{
	static const struct pl_predict_options defaults;
	struct pl_play y;
	unsigned n_calls, n_starts = 1, n = 0;
	int rc = 0;

	if (!options)
		options = &defaults;
	n_calls = calls_of(pattern, options);
	memset(out, 0, sizeof(*out));
	if (check(pattern, host_at, net, n_calls, err))
		return -1;
	for (double sum_s = 0; rc == 0 && n < n_starts; n++) {
		double seconds = 0;

		rc = pl_play_init(&y, pattern, host_at, net, protocol, n_calls);
		if (rc == 0)
			rc = play(&y, options, n, &seconds, out);
		n_starts = starts_of(&y, options);
		pl_play_fini(&y);
		sum_s += seconds;
		out->seconds = sum_s / (n + 1);
	}
	if (rc == 0)
		return 0;
	pl_prediction_fini(out);
	if (rc < 0 && options->stop && *options->stop)
		return pl_err_set(err, PL_EPARTIAL, "interrupted during the prediction");
	return rc < 0 ? pl_err_nomem(err)
		      : pl_err_set(err, PL_EUSAGE, "ranks wait for one another for ever");
}

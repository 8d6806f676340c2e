/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c - how long a collective takes on a network */
#include "config.h"

#include "predict/predict.h"

#include "predict/play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Calls by default. What ranks have on one another when a call begins and how
 * far windows are open settles in some hundred steps. */
#define REPEAT_MOST 8
#define REPEAT_LEAST 3
#define REPEAT_STEPS 512

/* Starts by default, and how exact the mean is to be. */
#define STARTS_LEAST 2
#define STARTS_MOST 8
#define STARTS_ERROR 0.005
#define MANY_RANKS 64 /* half as exact will do: each start is dear */

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
	unsigned n = REPEAT_MOST, steps = 1;

	if (options->repeat)
		return options->repeat;
	for (size_t pos = 0; pos < p->n_pos; pos++)
		steps = p->n_steps[pos] > steps ? p->n_steps[pos] : steps;
	while (n > REPEAT_LEAST && n * steps > REPEAT_STEPS)
		n--;
	return n;
}

/* What several starts took. */
struct sample {
	unsigned n;
	double sum, squares;
};

static bool is_exact(const struct sample *s, size_t n_ranks)
{
	const double mean = s->sum / s->n;
	const double error = mean * (n_ranks < MANY_RANKS ? 1 : 2) * STARTS_ERROR;
	const double variance = (s->squares / s->n - mean * mean) / (s->n - 1);

	return variance <= error * error;
}

static bool is_enough(const struct sample *s, size_t n_ranks, const struct pl_protocol *p,
		      const struct pl_predict_options *options)
{
	if (!(p->wake_s > 0))
		return s->n == 1;
	if (options->starts)
		return s->n == options->starts;
	return s->n >= STARTS_LEAST && (s->n == STARTS_MOST || is_exact(s, n_ranks));
}

int pl_predict(const struct pl_pattern *pattern, const size_t *host_at,
	       const struct pl_network *net, const struct pl_protocol *protocol,
	       const struct pl_predict_options *options, struct pl_prediction *out,
	       struct pl_err *err)
{
	static const struct pl_predict_options defaults;
	struct sample sample = {0};
	struct pl_play y;
	unsigned n_calls;
	int rc = 0;

	if (!options)
		options = &defaults;
	n_calls = calls_of(pattern, options);
	memset(out, 0, sizeof(*out));
	if (check(pattern, host_at, net, n_calls, err))
		return -1;
	while (rc == 0 && !is_enough(&sample, pattern->n_pos, protocol, options)) {
		double seconds = 0;

		rc = pl_play_init(&y, pattern, host_at, net, protocol, n_calls);
		if (rc == 0)
			rc = play(&y, options, sample.n, &seconds, out);
		pl_play_fini(&y);
		sample.n++;
		sample.sum += seconds;
		sample.squares += seconds * seconds;
	}
	out->seconds = sample.sum / sample.n;
	if (rc == 0)
		return 0;
	pl_prediction_fini(out);
	if (rc < 0 && options->stop && *options->stop)
		return pl_err_set(err, PL_EPARTIAL, "interrupted during the prediction");
	return rc < 0 ? pl_err_nomem(err)
		      : pl_err_set(err, PL_EUSAGE, "ranks wait for one another for ever");
}

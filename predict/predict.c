/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c - how long a collective takes on a network */
#include "config.h"

#include "predict/predict.h"

#include "predict/play.h"
#include "src/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEAT_DEFAULT 8
#define STARTS_DEFAULT 4

const char *pl_bound_name(enum pl_bound bound)
{
	static const char *const name[] = {
		[PL_BY_LATENCY] = "latency", [PL_BY_HANDSHAKE] = "handshake",
		[PL_BY_PAIR] = "pair",       [PL_BY_NIC] = "nic",
		[PL_BY_UPLINK] = "uplink",   [PL_BY_TCP] = "tcp",
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
		 const struct pl_network *net, size_t n_calls,
		 struct pl_err *err)
{
	for (size_t i = 0; i < pattern->n_pos; i++)
		if (host_at[i] >= net->n)
			return pl_err_set(err, PL_EINPUT,
					  "position %zu on host %zu of %zu", i,
					  host_at[i], net->n);
	if (pattern->n_messages >= PL_NOBODY / n_calls)
		return pl_err_set(err, PL_EUSAGE,
				  "%zu calls of %zu messages are too many",
				  n_calls, pattern->n_messages);
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

/* Plays the calls once; *seconds grows by what one takes. 0, 1 when ranks wait for
 * ever, -1: no memory. */
static int play(struct pl_play *y, const struct pl_predict_options *options,
		unsigned start, struct pl_prediction *out)
{
	int rc;

	y->stop = options->stop;
	y->apart = options->apart;
	rc = pl_play_run(y, start);
	if (rc)
		return rc;
	out->seconds += long_run(y);
	return start == 0 && options->path_max > 0
		       ? pl_play_path(y, options->path_max, out)
		       : 0;
}

int pl_predict(const struct pl_pattern *pattern, const size_t *host_at,
	       const struct pl_network *net, const struct pl_protocol *protocol,
	       const struct pl_predict_options *options,
	       struct pl_prediction *out, struct pl_err *err)
{
	static const struct pl_predict_options defaults;
	struct pl_play y;
	unsigned n_calls, n_starts;
	int rc = 0;

	if (!options)
		options = &defaults;
	n_calls = options->repeat ? options->repeat : REPEAT_DEFAULT;
	n_starts = options->starts ? options->starts : STARTS_DEFAULT;
	if (!(protocol->wake_s > 0))
		n_starts = 1;
	memset(out, 0, sizeof(*out));
	if (check(pattern, host_at, net, n_calls, err))
		return -1;
	for (unsigned i = 0; rc == 0 && i < n_starts; i++) {
		rc = pl_play_init(&y, pattern, host_at, net, protocol, n_calls);
		if (rc == 0)
			rc = play(&y, options, i, out);
		pl_play_fini(&y);
	}
	out->seconds /= n_starts;
	if (rc == 0)
		return 0;
	pl_prediction_fini(out);
	if (rc < 0 && options->stop && *options->stop)
		return pl_err_set(err, PL_EPARTIAL,
				  "interrupted while predicting");
	return rc < 0 ? pl_err_nomem(err)
		      : pl_err_set(err, PL_EUSAGE,
				   "ranks wait for one another for ever");
}

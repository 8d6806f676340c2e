/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-lives.c - any bytes as lifetimes, whose curves rise, as a table of measurements, and as a
 * trace, whose machines are replaced by as many */
#include "config.h"

#include "planner/transient/survival.h"
#include "planner/transient/samples.h"
#include "planner/transient/trace.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_curve(const struct pl_survival *c)
{
	double before = 0;

	for (double s = 0; s < 4 * PL_LIFE_MAX_S; s = 1.7 * s + 1) {
		const double lost = pl_survival_lost(c, s);

		if (!(lost >= before && lost <= 1))
			abort();
		before = lost;
	}
	if (!(pl_survival_mean_s(c) >= 0) || !(pl_survival_age(c, 0.5) >= 0))
		abort();
}

static void try_lives(struct pl_text *text)
{
	struct pl_lifetimes l = {0};
	struct pl_err err = {0};

	if (pl_lifetimes_parse(&l, text, &err) &&
	    (err.code != PL_EINPUT || err.line < 1 || err.col < 1))
		abort();
	for (size_t i = 0; i < l.n; i++) {
		struct pl_survival c = {0};

		if (pl_survival_make(&c, &l.group[i], l.limit_s, &err) == 0)
			check_curve(&c);
		else if (l.group[i].n)
			abort();
		pl_survival_fini(&c);
	}
	pl_lifetimes_fini(&l);
}

static void try_samples(struct pl_text *text)
{
	static const struct pl_columns columns = {
		.feature = {"a", "b"}, .n_features = 2, .target = "s"};
	struct pl_samples s = {0};
	struct pl_err err = {0};

	text->pos = 0;
	text->line = 0;
	if (pl_samples_parse(&s, text, &columns, &err)) {
		if (err.code != PL_EINPUT || err.line < 1 || err.col < 1 || s.n)
			abort();
		return;
	}
	for (size_t i = 0; i < 2 * s.n; i++)
		if (!isfinite(s.x[i]) || !isfinite(s.y[i / 2]))
			abort();
	pl_samples_fini(&s);
}

static void try_trace(const struct pl_text *text)
{
	struct pl_spot_trace trace = {0};
	struct pl_spot_trace_lives lives = {0};
	struct pl_err err = {0};
	size_t n_lost = 0;

	if (pl_spot_trace_parse(&trace, text, &err)) {
		if (err.code != PL_EINPUT || err.line < 1 || trace.count)
			abort();
		return;
	}
	if (pl_spot_trace_follow(&lives, &trace, &(struct pl_spot_trace_part){.to = trace.n}, &err))
		abort();
	for (size_t i = 0; i < lives.n; i++)
		n_lost += lives.life[i].lost;
	if (lives.n_waits > n_lost)
		abort();
	pl_trace_lives_fini(&lives);
	pl_spot_trace_fini(&trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_text text;

	if (pl_text_copy(&text, "fuzz", data, size, NULL))
		return 0;
	try_lives(&text);
	try_samples(&text);
	try_trace(&text);
	pl_text_fini(&text);
	return 0;
}

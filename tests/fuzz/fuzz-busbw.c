/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-busbw.c - any bytes as a table of bandwidths: all above 0, or an
 * error */
#include "config.h"

#include "planner/srift/comm/busbw.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_busbw *t)
{
	const struct pl_comm comm = pl_busbw_comm(t);
	const size_t n = t->world[0].n_ranks ? t->world[0].n_ranks : 2;
	struct pl_err err;
	double b, cap;

	if (t->n_worlds != 1 || t->world[0].n < 1 || n < 2 || comm.cap(comm.model, n, &cap, &err) ||
	    !(cap > 0))
		abort();
	for (size_t i = 0; i < t->world[0].n; i++)
		if (i && !(t->world[0].point[i].bytes > t->world[0].point[i - 1].bytes))
			abort();
	for (double s = 1; s < 1e12; s *= 7)
		if (comm.bandwidth(comm.model, s, n, &b, &err) || !(b > 0) || isinf(b))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_busbw t = {0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return 0;
	if (pl_busbw_parse(&t, &text, "DP", &err) == 0)
		check(&t);
	else if (err.code != PL_EINPUT || t.n_worlds)
		abort();
	pl_busbw_fini(&t);
	pl_text_fini(&text);
	return 0;
}

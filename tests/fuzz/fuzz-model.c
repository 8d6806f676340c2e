/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-model.c - any bytes behind a right checksum as a model: bandwidths, or an error */
#include "config.h"

#include "planner/srift/learned/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_learned *m)
{
	static const size_t machine[] = {0};
	struct pl_learned_net net;
	struct pl_comm comm;
	struct pl_err err;
	double b;

	if (pl_learned_net_init(&net, m, machine, 1))
		return;
	comm = pl_learned_comm(&net);
	for (double s = 1; s < 1e12; s *= 30)
		if (comm.bandwidth(comm.model, s, m->machine[0].ranks[0], &b, &err) == 0 &&
		    (!(b > 0) || isinf(b)))
			abort();
	pl_learned_net_fini(&net);
}

/* A first line for these bytes, which XGBoost then gets to see if we let it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pl_model_piece rest = {(const char *)data, size};
	char sum[PL_MODEL_DIGEST_CHARS], *all;
	struct pl_learned m = {0};
	struct pl_text text;
	struct pl_err err = {0};
	int n;

	all = malloc(size + 256);
	if (!all || pl_model_digest(sum, &rest, 1, &err))
		abort();
	n = snprintf(all, 256, PL_MODEL_MAGIC " 1 %s\n", sum);
	memcpy(all + n, data, size);
	if (pl_text_copy(&text, "fuzz", all, (size_t)n + size, &err) == 0) {
		if (pl_learned_parse(&m, &text, &err) == 0)
			check(&m);
		else if (err.code != PL_EINPUT || m.machine)
			abort();
		pl_learned_fini(&m);
		pl_text_fini(&text);
	}
	free(all);
	return 0;
}

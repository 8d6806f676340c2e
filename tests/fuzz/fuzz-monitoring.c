/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-monitoring.c - any bytes as Open MPI's monitoring: sums, or an error with its place */
#include "config.h"

#include "audit/monitoring.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_monitoring *m)
{
	struct pl_audit_pairs pairs = {.n = 0};
	struct pl_err err = {0};

	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].src >= m->n_ranks || m->v[i].dst >= m->n_ranks)
			abort();
	if (pl_monitoring_count(m, &pairs, m->n_ranks, &err))
		abort();
	if (pairs.n > m->n)
		abort();
	pl_pairs_fini(&pairs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_monitoring m = {.n = 0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz.1.prof", data, size, &err))
		return 0;
	if (pl_monitoring_add(&m, &text, &err) == 0)
		check(&m);
	else if (err.code != PL_EINPUT || err.line < 1 || err.col < 1)
		abort();
	pl_monitoring_fini(&m);
	pl_text_fini(&text);
	return 0;
}

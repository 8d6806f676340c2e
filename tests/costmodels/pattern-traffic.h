/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern-traffic.h - the bytes between every two positions of a pattern */
#ifndef PLINK_TESTS_COSTMODELS_PATTERN_TRAFFIC_H
#define PLINK_TESTS_COSTMODELS_PATTERN_TRAFFIC_H

#include "costmodels/pattern.h"

#include <string.h>

/* bytes[n_pos * n_pos], row = source: what each position sends to each
 * other. */
static inline void pattern_traffic(const struct pl_pattern *p, uint64_t *bytes)
{
	memset(bytes, 0, p->n_pos * p->n_pos * sizeof(*bytes));
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct pl_message *m = &p->message[i];

		bytes[m->src * p->n_pos + m->dst] += m->bytes;
	}
}

#endif

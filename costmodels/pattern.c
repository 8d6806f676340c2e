/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.c - who sends how much to whom in a collective */
#include "config.h"

#include "costmodels/pattern.h"

#include <stdlib.h>
#include <string.h>

void pl_pattern_fini(struct pl_pattern *p)
{
	free(p->message);
	free(p->from);
	free(p->received);
	free(p->into);
	free(p->n_steps);
	free(p->work);
	memset(p, 0, sizeof(*p));
}

void pl_pattern_traffic(const struct pl_pattern *p, uint64_t *bytes)
{
	memset(bytes, 0, p->n_pos * p->n_pos * sizeof(*bytes));
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct pl_message *m = &p->message[i];
		uint64_t *cell = &bytes[m->src * p->n_pos + m->dst];

		*cell = *cell > UINT64_MAX - m->bytes ? UINT64_MAX
						      : *cell + m->bytes;
	}
}

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
	free(p->strand);
	memset(p, 0, sizeof(*p));
}

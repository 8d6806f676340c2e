/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint.c - hands out what was measured so far before the run has ended */
#include "config.h"

#include "probes/run/checkpoint.h"

#include "base/clock.h"

#include <stdio.h>

#define LEAST_NS INT64_C(1000000000)
#define SHARE 50 /* the share of the time that may be spent on it */

static int save(const struct pl_probe_options *o, struct pl_matrix *m)
{
	if (pl_matrix_print_header(m, "partial", "ways-missing=%zu under way",
				   pl_matrix_missing(m)))
		return -1;
	o->save(o->save_arg, m);
	pl_matrix_drop_header(m);
	return 0;
}

int pl_checkpoint_offer(struct pl_checkpoint *c, const struct pl_probe_options *options,
			struct pl_matrix *m)
{
	c->unsaved = true;
	return pl_checkpoint_look(c, options, m);
}

int pl_checkpoint_look(struct pl_checkpoint *c, const struct pl_probe_options *options,
		       struct pl_matrix *m)
{
	int64_t now, pause;

	if (!options->save || !c->unsaved)
		return 0;
	now = pl_clock_ns();
	if (now < c->next_ns)
		return 0;
	if (save(options, m))
		return -1;
	c->unsaved = false;
	pause = SHARE * (pl_clock_ns() - now);
	c->next_ns = pl_clock_ns() + (pause > LEAST_NS ? pause : LEAST_NS);
	return 0;
}

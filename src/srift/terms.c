/* SPDX-License-Identifier: BSD-3-Clause */
/* terms.c - the parts of an iteration's time, written */
#include "config.h"

#include "src/srift/terms.h"

#include "base/text/size.h"
#include "src/common/json.h"

static struct pl_origin constant(enum pl_origin_kind kind, const char *with)
{
	return (struct pl_origin){.kind = kind, .with = (char *)(uintptr_t)with};
}

struct pl_origin srift_network_origin(const struct srift_options *o, bool hubs)
{
	if (o->learned)
		return constant(PL_ORIGIN_FITTED,
				hubs ? "plink-srift train, with hubs" : "plink-srift train");
	if (o->matrix)
		return constant(PL_ORIGIN_SIMULATED,
				hubs ? "hubs on a measured network" : "a measured network");
	if (o->rated_bps > 0)
		return constant(PL_ORIGIN_GIVEN,
				hubs ? "rated bandwidth, with hubs" : "rated bandwidth");
	return constant(PL_ORIGIN_SIMULATED,
			hubs ? "measured all-reduces, with hubs" : "measured all-reduces");
}

void srift_terms_write(const struct pl_iteration_terms *t, bool hubs, FILE *out)
{
	bool more = hubs || t->s[PL_TERM_PREP] > 0 || t->s[PL_TERM_FETCH] > 0;

	more |= t->origin[PL_TERM_INTERCONNECT].kind == PL_ORIGIN_MEASURED;
	if (!more)
		return;
	fprintf(out, "of which\n");
	for (size_t i = 0; i < PL_TERMS; i++)
		if (t->s[i] > 0)
			fprintf(out, "  %-13s %s (%s)\n", pl_iteration_term_name[i],
				PL_TIME_TEXT(t->s[i]), PL_ORIGIN_TEXT(&t->origin[i]));
}

json_t *srift_terms_json(const struct pl_iteration_terms *t)
{
	json_t *all = json_object();

	for (size_t i = 0; i < PL_TERMS; i++) {
		json_t *one = json_pack("{sf}", "s", t->s[i]);

		if (one && pl_origin_write(&t->origin[i], one)) {
			json_decref(one);
			one = NULL;
		}
		pl_obj_set(&all, pl_iteration_term_name[i], one);
	}
	return all;
}

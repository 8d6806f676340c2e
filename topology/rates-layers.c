/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-layers.c - flows between all pairs, as a matrix has them, and the rates that they show */
#include "config.h"

#include "topology/rates.h"

#include "base/tournament.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* plink-matrix(5): the layers, the line that says how they were measured, and how notes on their
 * cells begin that say that the number tells little. */
#define ALONE "alone"
#define TOGETHER "together"
#define HOW "bandwidth"
#define BY_TCP "method=tcp "
#define DOUBT TOGETHER ": not reliable: "

static bool is_by_tcp(const struct pl_matrix *m)
{
	const char *how = pl_matrix_header(m, HOW);

	return how && !strncmp(how, BY_TCP, strlen(BY_TCP));
}

bool pl_rates_are_told(const struct pl_matrix *m)
{
	return pl_matrix_header(m, "card") || pl_matrix_header(m, "uplink");
}

int pl_rates_known_groups(struct pl_tiers *t, const struct pl_matrix *m, struct pl_err *err)
{
	return pl_matrix_header(m, "rack") ? pl_tiers_read(t, m, err) : pl_rates_groups(t, m, err);
}

/* The rounds of schedule.h, each a set. */
static int take_together(struct pl_rate_flows *f, const struct pl_layer *l)
{
	const size_t n = l->n;

	for (size_t round = 0; round < pl_tournament_rounds(n); round++)
		for (size_t i = 0; i < n; i++) {
			const size_t j = pl_tournament_peer(n, round, i);
			struct pl_rate_flow flow = {.set = round, .src = i, .dst = j};

			if (j == PL_TOURNAMENT_REST)
				continue;
			flow.bytes_per_s = l->cell[i * n + j];
			if (pl_rate_flows_add(f, &flow))
				return -1;
		}
	return 0;
}

/* Flows of a round stand in the order of their sources. */
static void take_doubts(struct pl_rate_flows *f, const struct pl_matrix *m)
{
	const size_t n = m->hosts.n, per_round = 2 * (n / 2);

	for (size_t k = 0; k < m->n_notes; k++) {
		const struct pl_cell_note *note = &m->note[k];
		struct pl_rate_flow *v;

		if (strncmp(note->text, DOUBT, strlen(DOUBT)) != 0)
			continue;
		v = f->v + per_round * pl_tournament_round(n, note->src, note->dst);
		for (size_t i = 0; i < per_round; i++)
			if (v[i].src == note->src)
				v[i].doubted = true;
	}
}

static int infer(struct pl_tiers *t, const struct pl_matrix *m, const struct pl_layer *alone,
		 const struct pl_layer *together, struct pl_err *err)
{
	struct pl_rate_flows f = {.alone = alone ? alone->cell : NULL};
	int rc = 0;

	if (together) {
		if (take_together(&f, together))
			rc = pl_err_nomem(err);
		else
			take_doubts(&f, m);
	}
	if (rc == 0)
		rc = pl_rates_infer(t, &f, err);
	pl_rate_flows_fini(&f);
	return rc;
}

int pl_rates_complete(struct pl_matrix *m, char text[PL_RATES_TEXT], struct pl_err *err)
{
	const struct pl_layer *alone = pl_matrix_bandwidths(m, ALONE);
	const struct pl_layer *together = pl_matrix_bandwidths(m, TOGETHER);
	struct pl_tiers t;
	int rc;

	text[0] = '\0';
	if (m->few || (!alone && !together) || !is_by_tcp(m) || pl_rates_are_told(m))
		return 0;
	if (pl_rates_known_groups(&t, m, err))
		return -1;
	rc = infer(&t, m, alone, together, err);
	if (rc == 0 && pl_tiers_have_rates(&t)) {
		pl_rates_describe(&t, m, text);
		rc = pl_tiers_write(&t, m, err);
	}
	pl_tiers_fini(&t);
	return rc;
}

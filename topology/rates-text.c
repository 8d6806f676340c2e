/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-text.c - racks, cards and uplinks in a few words */
#include "config.h"

#include "topology/racks.h"
#include "topology/rates-parts.h"
#include "topology/rates.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Rates that differ by less than this factor are printed as one number. */
#define ALIKE 1.01

struct text {
	char *to;
	size_t len;
};

/* Text that does not fit is cut. */
__attribute__((format(printf, 2, 3))) static void add(struct text *x, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(x->to + x->len, PL_RATES_TEXT - x->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		x->len += (size_t)n;
	if (x->len >= PL_RATES_TEXT)
		x->len = PL_RATES_TEXT - 1;
}

/* Least and greatest of rates that are known. */
struct range {
	double least, most;
	size_t n_known, n;
};

static void take(struct range *r, double bps)
{
	r->n++;
	if (bps <= 0)
		return;
	r->least = r->n_known ? fmin(r->least, bps) : bps;
	r->most = fmax(r->most, bps);
	r->n_known++;
}

static void add_rate(struct text *x, double bps)
{
	if (bps < 999.5e6)
		add(x, " %.3g Mbit/s", bps / 1e6);
	else
		add(x, " %.3g Gbit/s", bps / 1e9);
}

static void add_range(struct text *x, const struct range *r, const char *way)
{
	if (r->n_known == 0) {
		add(x, " not known %s", way);
		return;
	}
	add_rate(x, r->least);
	if (r->most > r->least * ALIKE) {
		add(x, " to");
		add_rate(x, r->most);
	}
	add(x, " %s", way);
	if (r->n_known < r->n)
		add(x, " (%zu of %zu not known)", r->n - r->n_known, r->n);
}

static void add_cards(struct text *x, const struct pl_tiers *t)
{
	struct range out = {0}, in = {0};

	for (size_t h = 0; h < t->n; h++) {
		take(&out, t->card[h].out_bps);
		take(&in, t->card[h].in_bps);
	}
	add(x, "; cards");
	add_range(x, &out, "out");
	add(x, ",");
	add_range(x, &in, "in");
}

static size_t count_hosts(const struct pl_tiers *t, size_t group, size_t *last)
{
	size_t n = 0;

	for (size_t h = 0; h < t->n; h++)
		if (t->rack[h] == group) {
			*last = h;
			n++;
		}
	return n;
}

/* Racks, or the groups around them. */
struct groups {
	size_t n, least, most; /* hosts of a rack */
	size_t n_lonely;       /* hosts of which nothing was measured */
	struct range out, in;  /* uplinks */
};

static struct groups look(const struct pl_tiers *t, const struct pl_matrix *m, bool racks)
{
	const bool told = pl_matrix_header(m, "rack") != NULL;
	struct groups all = {.least = t->n};

	for (size_t g = 0; g < t->n_groups; g++) {
		size_t last = 0;
		const size_t n = count_hosts(t, g, &last);

		if ((n > 0) != racks)
			continue;
		if (n == 1 && !told && pl_rates_is_lonely(m, last)) {
			all.n_lonely++;
			continue;
		}
		all.n++;
		all.least = n < all.least ? n : all.least;
		all.most = n > all.most ? n : all.most;
		take(&all.out, t->uplink[g].out_bps);
		take(&all.in, t->uplink[g].in_bps);
	}
	return all;
}

static void add_racks(struct text *x, const struct groups *racks, const struct groups *wider,
		      const struct pl_matrix *m)
{
	if (racks->n == 0) {
		add(x, pl_rates_too_few(m) ? PL_RACKS_TOO_FEW : "racks not known");
		return;
	}
	add(x, "%zu rack%s of %zu", racks->n, racks->n == 1 ? "" : "s", racks->least);
	if (racks->most > racks->least)
		add(x, " to %zu", racks->most);
	add(x, " hosts");
	if (racks->n_lonely > 0)
		add(x, ", %zu host%s not measured", racks->n_lonely,
		    racks->n_lonely == 1 ? "" : "s");
	if (wider->n > 0)
		add(x, " in %zu wider group%s", wider->n, wider->n == 1 ? "" : "s");
}

static void add_uplinks(struct text *x, const struct groups *groups, const char *what)
{
	if (groups->n < 2)
		return;
	add(x, "; uplinks of %s", what);
	add_range(x, &groups->out, "out");
	add(x, ",");
	add_range(x, &groups->in, "in");
}

void pl_rates_describe(const struct pl_tiers *t, const struct pl_matrix *m,
		       char text[PL_RATES_TEXT])
{
	const struct groups racks = look(t, m, true);
	const struct groups wider = look(t, m, false);
	struct text x = {.to = text};

	text[0] = '\0';
	add_racks(&x, &racks, &wider, m);
	if (!pl_tiers_have_rates(t))
		return;
	add_cards(&x, t);
	add_uplinks(&x, &racks, "racks");
	add_uplinks(&x, &wider, "wider groups");
}

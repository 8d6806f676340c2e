/* SPDX-License-Identifier: BSD-3-Clause */
/* generate.c - matrices of a cluster of racks */
#include "config.h"

#include "tests/testbed/network/generate.h"

#include "base/rng.h"

#include <inttypes.h>
#include <stdio.h>

enum { STREAM_DEALING, STREAM_NOISE };

static int add_hosts(struct pl_hosts *hosts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char name[32];
		struct pl_host host = {.name = name, .slots = 1};

		snprintf(name, sizeof(name), "h%zu", i);
		if (pl_hosts_add(hosts, &host))
			return -1;
	}
	return 0;
}

static void set_rate(struct pl_link_rate *rate, const struct tb_rate_cycle *of, size_t i)
{
	if (of->n)
		rate->out_bps = rate->in_bps = of->bps[i % of->n];
}

/* Racks, then rows; 0 or -1: no memory. */
static int add_groups(const struct tb_generate_options *opt, struct pl_tiers *t)
{
	for (size_t r = 0; r < opt->n_racks; r++) {
		if (pl_tiers_add_group(t) == PL_NO_GROUP)
			return -1;
		set_rate(&t->uplink[r], &opt->uplink, r);
	}
	for (size_t r = 0; opt->row_racks && r < opt->n_racks; r++) {
		const size_t row = r / opt->row_racks;

		if (r % opt->row_racks == 0) {
			if (pl_tiers_add_group(t) == PL_NO_GROUP)
				return -1;
			set_rate(&t->uplink[opt->n_racks + row], &opt->row_uplink, row);
		}
		t->within[r] = opt->n_racks + row;
	}
	return 0;
}

static void deal(const struct tb_generate_options *opt, struct pl_tiers *t)
{
	struct pl_rng rng;
	size_t h = 0;

	for (size_t r = 0; r < opt->n_racks; r++)
		for (size_t i = 0; i < opt->rack_hosts[r]; i++)
			t->rack[h++] = r;
	for (h = 0; h < t->n; h++)
		set_rate(&t->card[h], &opt->nic, h);
	if (opt->dealing == TB_IN_ORDER)
		return;
	pl_rng_init(&rng, opt->seed, STREAM_DEALING);
	pl_rng_shuffle(&rng, t->rack, t->n);
}

static double delay_us(const struct tb_generate_options *opt, size_t rack_a, size_t rack_b)
{
	if (rack_a == rack_b)
		return opt->intra_us;
	if (opt->row_racks && rack_a / opt->row_racks != rack_b / opt->row_racks)
		return opt->far_us;
	return opt->inter_us;
}

static void fill(const struct tb_generate_options *opt, struct pl_matrix *m, const size_t *rack)
{
	const size_t n = m->hosts.n;
	double *cell = m->layer[0].cell;
	struct pl_rng rng;

	pl_rng_init(&rng, opt->seed, STREAM_NOISE);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			const double base = delay_us(opt, rack[i], rack[j]);
			const double u = 2 * pl_rng_double(&rng) - 1;

			cell[i * n + j] = base * (1 + opt->noise * u);
			cell[j * n + i] = cell[i * n + j];
		}
	}
}

static int add_headers(const struct tb_generate_options *opt, const struct pl_tiers *t,
		       struct pl_matrix *m, struct pl_err *err)
{
	char value[32];

	snprintf(value, sizeof(value), "%" PRIu64, opt->seed);
	if (pl_matrix_add_header(m, "seed", value))
		return pl_err_nomem(err);
	return pl_tiers_write(t, m, err);
}

/* Of hosts h0, h1, ..., without values. */
static struct pl_matrix *make(size_t n, struct pl_err *err)
{
	struct pl_hosts hosts = {0};
	struct pl_matrix *m = NULL;

	if (add_hosts(&hosts, n))
		pl_err_nomem(err);
	else
		m = pl_matrix_create(&hosts, err);
	pl_hosts_fini(&hosts);
	if (!m)
		return NULL;
	m->layer[0].quantity = PL_ONE_WAY;
	m->layer[0].unit = PL_US;
	m->symmetrize = PL_SYM_NONE;
	return m;
}

struct pl_matrix *tb_generate(const struct tb_generate_options *opt, struct pl_err *err)
{
	struct pl_tiers tiers;
	struct pl_matrix *m;
	size_t n = 0;

	for (size_t r = 0; r < opt->n_racks; r++)
		n += opt->rack_hosts[r];
	if (pl_tiers_init(&tiers, n, err))
		return NULL;
	m = make(n, err);
	if (!m)
		goto out;
	if (add_groups(opt, &tiers)) {
		pl_err_nomem(err);
		goto fail;
	}
	deal(opt, &tiers);
	fill(opt, m, tiers.rack);
	if (add_headers(opt, &tiers, m, err) == 0)
		goto out;
fail:
	pl_matrix_destroy(m);
	m = NULL;
out:
	pl_tiers_fini(&tiers);
	return m;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* generate.c - matrices of a cluster of racks */
#include "config.h"

#include "tests/testbed/generate.h"

#include "src/mem.h"
#include "src/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int add_header(struct pl_matrix *m, const char *key, const char *value)
{
	struct pl_header *header;
	void *grown = m->header;

	if (pl_array_grow(&grown, &m->headers_room, m->n_headers,
			  sizeof(*m->header)))
		return -1;
	m->header = grown;
	header = &m->header[m->n_headers];
	header->key = pl_string_copy(key, strlen(key));
	header->value = pl_string_copy(value, strlen(value));
	if (!header->key || !header->value) {
		free(header->key);
		free(header->value);
		return -1;
	}
	m->n_headers++;
	return 0;
}

static int add_headers(struct pl_matrix *m, const size_t *rack, uint64_t seed)
{
	char value[64];

	snprintf(value, sizeof(value), "%llu", (unsigned long long)seed);
	if (add_header(m, "seed", value))
		return -1;
	for (size_t i = 0; i < m->hosts.n; i++) {
		snprintf(value, sizeof(value), "%s %zu", m->hosts.v[i].name,
			 rack[i]);
		if (add_header(m, "rack", value))
			return -1;
	}
	return 0;
}

static void deal(const struct tb_generate_options *opt, size_t n, size_t *rack)
{
	struct pl_rng rng;

	for (size_t i = 0; i < n; i++)
		rack[i] = i / opt->rack_hosts;
	if (opt->dealing == TB_IN_ORDER)
		return;
	pl_rng_init(&rng, opt->seed, STREAM_DEALING);
	pl_rng_shuffle(&rng, rack, n);
}

static void fill(const struct tb_generate_options *opt, struct pl_matrix *m,
		 const size_t *rack)
{
	const size_t n = m->hosts.n;
	double *cell = m->layer[0].cell;
	struct pl_rng rng;

	pl_rng_init(&rng, opt->seed, STREAM_NOISE);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			const double base = rack[i] == rack[j] ? opt->intra_us
							       : opt->inter_us;
			const double u = 2 * pl_rng_double(&rng) - 1;

			cell[i * n + j] = base * (1 + opt->noise * u);
			cell[j * n + i] = cell[i * n + j];
		}
	}
}

struct pl_matrix *tb_generate(const struct tb_generate_options *opt,
			      struct pl_err *err)
{
	const size_t n = opt->n_racks * opt->rack_hosts;
	struct pl_hosts hosts = {0};
	struct pl_matrix *m = NULL;
	size_t *rack = pl_array_create(n, sizeof(*rack));

	if (!rack || add_hosts(&hosts, n)) {
		pl_err_nomem(err);
		goto out;
	}
	m = pl_matrix_create(&hosts, err);
	if (!m)
		goto out;
	m->layer[0].quantity = PL_ONE_WAY;
	m->layer[0].unit = PL_US;
	m->symmetrize = PL_SYM_NONE;
	deal(opt, n, rack);
	fill(opt, m, rack);
	if (add_headers(m, rack, opt->seed)) {
		pl_err_nomem(err);
		pl_matrix_destroy(m);
		m = NULL;
	}
out:
	pl_hosts_fini(&hosts);
	free(rack);
	return m;
}

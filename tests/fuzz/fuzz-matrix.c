/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-matrix.c - any bytes as a matrix: a sound one that reads back, or an error */
#include "config.h"

#include "base/matrix/matrix.h"
#include "base/matrix/message-cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct pl_matrix *parse(const void *data, size_t size)
{
	const struct pl_matrix_options options = {.unit = PL_MS};
	struct pl_text text;
	struct pl_err err = {0};
	struct pl_matrix *m;

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return NULL;
	m = pl_matrix_parse(&text, &options, &err);
	if (!m && (err.code != PL_EINPUT || err.line < 1 || err.col < 1))
		abort();
	pl_text_fini(&text);
	return m;
}

static void check_cells(const struct pl_matrix *m)
{
	const size_t n = m->hosts.n;

	for (size_t l = 0; l < m->n_layers; l++)
		for (size_t i = 0; i < n * n; i++) {
			const double v = m->layer[l].cell[i];

			if (i % (n + 1) == 0 ? v != 0 : v < 0 || isinf(v))
				abort();
		}
}

/* The lines "# message" are costs that can be, or refused. */
static void check_costs(const struct pl_matrix *m)
{
	struct pl_message_cost *cost = calloc(m->hosts.n, sizeof(*cost));
	struct pl_err err = {0};
	int rc;

	if (!cost)
		abort();
	rc = pl_message_costs_read(cost, m, &err);
	if (rc && err.code != PL_EINPUT)
		abort();
	for (size_t h = 0; rc == 0 && h < m->hosts.n; h++)
		if (!(cost[h].share > 0 && cost[h].share <= 1) || !(cost[h].send_s >= 0) ||
		    !(cost[h].wake_s >= 0) || cost[h].wake_s > 1)
			abort();
	free(cost);
}

static char *text_of(const struct pl_matrix *m, size_t *len)
{
	char *s = NULL;
	FILE *f = open_memstream(&s, len);
	struct pl_err err;

	if (!f || pl_matrix_write(m, f, &err) || fclose(f))
		abort();
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_matrix *m = parse(data, size), *back;
	size_t len = 0, len_back = 0;
	char *s, *s_back;

	if (!m)
		return 0;
	check_cells(m);
	check_costs(m);
	s = text_of(m, &len);
	back = parse(s, len);
	if (!back)
		abort();
	s_back = text_of(back, &len_back);
	if (len != len_back || memcmp(s, s_back, len))
		abort();
	free(s);
	free(s_back);
	pl_matrix_destroy(m);
	pl_matrix_destroy(back);
	return 0;
}

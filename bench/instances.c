/* SPDX-License-Identifier: BSD-3-Clause */
/* instances.c - rings to be solved: generated, and from TSPLIB */
#include "config.h"

#include "bench/instances.h"

#include "src/matrix.h"
#include "src/mem.h"
#include "src/number.h"
#include "src/rng.h"
#include "src/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum kind { RACKS, NOISY, DIRECTED };

/* Racks of n/size hosts in shuffled order: 500 within and 5000 across, or
 * 5000 to 15000 by pair of racks with half-normal noise of a tenth. */
static void fill_racks(double *c, size_t n, size_t size, enum kind kind)
{
	struct pl_rng rng;
	size_t *host = pl_array_create(n, sizeof(*host));

	pl_rng_init(&rng, 7, n);
	for (size_t i = 0; host && i < n; i++)
		host[i] = i;
	if (host)
		pl_rng_shuffle(&rng, host, n);
	for (size_t i = 0; host && i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t a = host[i] / size, b = host[j] / size;
			double x = a == b ? 500 : 5000;

			if (kind != RACKS && a != b)
				x *= 1 + (double)((a * 31 + b * 31) % 7) / 3;
			if (kind != RACKS)
				x *= 1 + 0.2 * pl_rng_double(&rng) *
						 pl_rng_double(&rng);
			c[i * n + j] = i == j ? 0 : x;
			if (kind != DIRECTED && j < i)
				c[i * n + j] = c[j * n + i];
		}
	free(host);
}

int instances_generate(size_t hosts_max, instance_fn *take, void *arg,
		       struct pl_err *err)
{
	static const char *const names[] = {"racks", "noisy racks",
					    "directed noisy racks"};
	int rc = 0;

	for (size_t n = 16; rc == 0 && n <= hosts_max; n *= 4)
		for (int kind = RACKS; rc == 0 && kind <= DIRECTED; kind++) {
			const size_t size = n < 64 ? 4 : 16;
			struct instance in = {.name = names[kind], .n = n};

			in.c = pl_array_create(n * n, sizeof(*in.c));
			if (!in.c)
				return pl_err_nomem(err);
			fill_racks(in.c, n, size, (enum kind)kind);
			in.optimum =
				kind == RACKS
					? (double)(n / size) * 5000 +
						  (double)(n - n / size) * 500
					: NAN;
			rc = take(&in, arg, err);
			free(in.c);
		}
	return rc;
}

/* DIR/tsplib/NAME.tsp or DIR/atsp/NAME.atsp; false where there is neither. */
static bool find_file(const char *dir, const char *name, char *path,
		      size_t room)
{
	if (snprintf(path, room, "%s/tsplib/%s.tsp", dir, name) < (int)room &&
	    access(path, R_OK) == 0)
		return true;
	return snprintf(path, room, "%s/atsp/%s.atsp", dir, name) < (int)room &&
	       access(path, R_OK) == 0;
}

/* What is read is for whom. */
struct reading {
	size_t hosts_max;
	instance_fn *take;
	void *arg;
};

static int read_instance(const char *path, const struct instance *known,
			 const struct reading *r, struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = PL_US};
	struct pl_matrix *m = pl_matrix_read(path, &options, err);
	struct instance in = *known;
	int rc = 0;

	if (!m)
		return -1;
	in.n = m->hosts.n;
	if (in.n > r->hosts_max)
		goto out;
	in.c = pl_array_create(in.n * in.n, sizeof(*in.c));
	if (!in.c) {
		rc = pl_err_nomem(err);
		goto out;
	}
	pl_matrix_costs(m, m->symmetrize, in.c);
	rc = r->take(&in, r->arg, err);
out:
	free(in.c);
	pl_matrix_destroy(m);
	return rc;
}

int instances_read(const char *dir, size_t hosts_max, instance_fn *take,
		   void *arg, struct pl_err *err)
{
	const struct reading reading = {hosts_max, take, arg};
	char path[4096];
	struct pl_text text;
	struct pl_line line;
	int rc = 0;

	snprintf(path, sizeof(path), "%s/OPTIMA", dir);
	if (pl_text_load(&text, path, 1 << 20, err))
		return -1;
	while (rc == 0 && pl_text_next(&text, &line)) {
		struct pl_word name, cost;
		char instance[128];
		double optimum;

		if (!pl_line_next(&line, &name) || name.s[0] == '#')
			continue;
		if (!pl_line_next(&line, &cost) ||
		    pl_double_parse(cost.s, cost.len, &optimum)) {
			rc = pl_err_at(err, name.place, "not NAME OPTIMUM");
			break;
		}
		snprintf(instance, sizeof(instance), "%.*s", (int)name.len,
			 name.s);
		if (find_file(dir, instance, path, sizeof(path)))
			rc = read_instance(
				path,
				&(struct instance){.name = instance,
						   .optimum = optimum},
				&reading, err);
	}
	pl_text_fini(&text);
	return rc;
}

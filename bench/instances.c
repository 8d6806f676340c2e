/* SPDX-License-Identifier: BSD-3-Clause */
/* instances.c - rings to be solved: generated, and from TSPLIB */
#include "config.h"

#include "bench/instances.h"

#include "bench/racks.h"
#include "base/matrix/matrix.h"
#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "costmodels/ring.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct racks_kind kinds[] = {
	{.name = "racks"},
	{.name = "uneven racks", .uneven = true},
	{.name = "pods", .racks_in_pod = 4},
	{.name = "uneven pods", .racks_in_pod = 4, .uneven = true},
	{.name = "noisy racks", .uneven = true, .varied = true, .noise = 0.1},
	{.name = "noisy pods", .racks_in_pod = 4, .uneven = true, .noise = 0.1},
	{.name = "directed noisy racks",
	 .uneven = true,
	 .varied = true,
	 .noise = 0.1,
	 .directed = true},
};

static size_t rack_size(size_t n)
{
	return n < 64 ? 2 : n < 256 ? 4 : 16;
}

/* What the planted order costs is least where a hop within is never dearer
 * than one across. */
static double optimum(const struct racks_kind *kind, const struct instance *in,
		      const size_t *planted)
{
	if (kind->varied || kind->noise > 0)
		return NAN;
	return pl_cost_ring(in->c, in->n, planted, in->n);
}

static int generate(const struct racks_kind *kind, size_t n, instance_fn *take, void *arg,
		    struct pl_err *err)
{
	struct instance in = {.name = kind->name, .n = n};
	size_t *planted = pl_array_create(n, sizeof(*planted));
	int rc = -1;

	in.c = pl_array_create(n, n * sizeof(*in.c));
	if (!in.c || !planted) {
		pl_err_nomem(err);
	} else if (racks_fill(kind, n, rack_size(n), 1, in.c, planted, err) == 0) {
		in.optimum = optimum(kind, &in, planted);
		rc = take(&in, arg, err);
	}
	free(in.c);
	free(planted);
	return rc;
}

int instances_generate(size_t hosts_max, instance_fn *take, void *arg, struct pl_err *err)
{
	static const size_t sizes[] = {6, 10, 16, 20, 24, 48, 64, 256, 1024, 4096};
	int rc = 0;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
			if (rc == 0 && sizes[i] <= hosts_max)
				rc = generate(&kinds[k], sizes[i], take, arg, err);
	return rc;
}

/* DIR/tsplib/NAME.tsp or DIR/atsp/NAME.atsp; false where there is neither. */
static bool find_file(const char *dir, const char *name, char *path, size_t room)
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

/* As bench/tsplib prints it. */
static struct pl_matrix *convert(const char *path, struct pl_err *err)
{
	struct pl_matrix *m;
	char command[8192], out[32];
	FILE *f;

	snprintf(command, sizeof(command), "'%s' '%s'", BENCH_TSPLIB, path);
	f = popen(command, "re");
	if (!f) {
		pl_err_errno(err, "cannot run %s", BENCH_TSPLIB);
		return NULL;
	}
	snprintf(out, sizeof(out), "/dev/fd/%d", fileno(f));
	m = pl_matrix_read(out, NULL, err);
	if (pclose(f) && !m)
		pl_err_at(err, (struct pl_place){.file = path},
			  "bench/tsplib makes no matrix of it");
	return m;
}

static int read_instance(const char *path, const struct instance *known, const struct reading *r,
			 struct pl_err *err)
{
	struct pl_matrix *m = convert(path, err);
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

int instances_read(const char *dir, size_t hosts_max, instance_fn *take, void *arg,
		   struct pl_err *err)
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
		if (!pl_line_next(&line, &cost) || pl_double_parse(cost.s, cost.len, &optimum)) {
			rc = pl_err_at(err, name.place, "not NAME OPTIMUM");
			break;
		}
		snprintf(instance, sizeof(instance), "%.*s", (int)name.len, name.s);
		if (find_file(dir, instance, path, sizeof(path)))
			rc = read_instance(path,
					   &(struct instance){.name = instance, .optimum = optimum},
					   &reading, err);
	}
	pl_text_fini(&text);
	return rc;
}

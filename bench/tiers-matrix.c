/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers-matrix.c - for benches: the whole matrix of hosts in tiers */
#include "config.h"

#include "bench/options.h"
#include "bench/tiers.h"
#include "base/matrix/matrix.h"
#include "src/common/tool.h"

#include <stdio.h>

#define TOOL "tiers-matrix"

static const char help[] = "usage: tiers-matrix [OPTION]...\n"
			   "Prints the matrix of hosts h0, h1, ... (see bench/tiers.h).\n"
			   "\n"
			   "  --kind=NAME   of the network (3-tiers)\n"
			   "  --hosts=N     in it (100)\n"
			   "  --seed=N      (1)\n"
			   "  --truth       without noise\n"
			   "  --help, --version\n";

static int print(const struct tiers *t, double cell(const struct tiers *t, size_t a, size_t b),
		 struct pl_err *err)
{
	struct pl_hosts hosts = {0};
	struct pl_matrix *m = NULL;
	char name[32];
	int rc = -1;

	for (size_t i = 0; i < t->n; i++) {
		const struct pl_host host = {.name = name, .slots = 1};

		snprintf(name, sizeof(name), "h%zu", i);
		if (pl_hosts_add(&hosts, &host)) {
			pl_err_nomem(err);
			goto out;
		}
	}
	m = pl_matrix_create(&hosts, err);
	if (!m)
		goto out;
	for (size_t p = 0; p < t->n * t->n; p++)
		if (p % (t->n + 1) != 0)
			m->layer[0].cell[p] = (double)(int64_t)(1000 * cell(t, p / t->n, p % t->n));
	rc = pl_matrix_write(m, stdout, err);
out:
	pl_matrix_destroy(m);
	pl_hosts_fini(&hosts);
	return rc;
}

int main(int argc, char **argv)
{
	const char *kind = "3-tiers";
	int64_t hosts = 100, seed = 1;
	bool truth = false;
	const struct bench_option options[] = {
		{"kind", .text = &kind},
		{"hosts", .whole = &hosts, .least = 1, .most = 16384},
		{"seed", .whole = &seed, .least = 1, .most = INT64_MAX},
		{"truth", .given = &truth},
	};
	int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};
	struct tiers net;

	if (status >= 0)
		return status;
	if (!tiers_find(kind))
		return pl_tool_usage(TOOL, "no kind \"%s\"", kind);
	status = PL_EXIT_DONE;
	if (tiers_init(&net, tiers_find(kind), (size_t)hosts, (uint64_t)seed))
		pl_err_nomem(&err);
	else
		print(&net, truth ? tiers_truth : tiers_measured, &err);
	if (err.code != PL_OK)
		status = pl_tool_fail(TOOL, &err);
	tiers_fini(&net);
	return status;
}

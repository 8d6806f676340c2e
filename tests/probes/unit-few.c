/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-few.c - matrices that take memory by their cells, and counts that take none */
#include "config.h"

#include "base/matrix/matrix.h"
#include "base/rng.h"
#include "probes/run/probe.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#define MANY 8192 /* hosts: a layer of all cells takes 512 MiB */
#define LIMIT_KIB (384 * 1024)

static int name_hosts(struct pl_hosts *hosts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char name[24];
		const struct pl_host host = {.name = name, .slots = 1};

		snprintf(name, sizeof(name), "h%zu", i);
		if (pl_hosts_add(hosts, &host))
			return -1;
	}
	return 0;
}

/* The same cells in both: @n_cells by chance, of two layers. -1: out of
 * memory. */
static int fill(struct pl_matrix *m, size_t n_cells)
{
	const size_t n = m->hosts.n;
	struct pl_rng rng;

	if (!pl_matrix_add_layer(m, "min", PL_RTT, PL_NS))
		return -1;
	pl_rng_init(&rng, n, n_cells);
	for (size_t k = 0; k < n_cells; k++) {
		const size_t at = pl_rng_below(&rng, n * n);
		const double value = (double)pl_rng_below(&rng, 1000);

		if (at % (n + 1) == 0)
			continue;
		if (pl_layer_set(&m->layer[k % 2], at, value ? value : NAN))
			return -1;
	}
	return 0;
}

static char *text_of(const struct pl_matrix *m)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	pl_matrix_write(m, f, NULL);
	fclose(f);
	return text;
}

static size_t n_differ(const struct pl_layer *a, const struct pl_layer *b)
{
	size_t wrong = 0;

	for (size_t at = 0; at < a->n * a->n; at++) {
		const double x = pl_layer_get(a, at), y = pl_layer_get(b, at);

		wrong += isnan(x) ? !isnan(y) : x != y;
	}
	return wrong;
}

static void compare(size_t n, size_t n_cells, const char *what)
{
	struct pl_hosts hosts = {0};
	struct pl_matrix *all, *few;
	char *one, *other;

	name_hosts(&hosts, n);
	all = pl_matrix_create(&hosts, NULL);
	few = pl_matrix_create_few(&hosts, NULL);
	fill(all, n_cells);
	fill(few, n_cells);
	is_int((int64_t)(n_differ(&all->layer[0], &few->layer[0]) +
			 n_differ(&all->layer[1], &few->layer[1])),
	       0, what);
	is_int((int64_t)pl_matrix_missing(few), (int64_t)pl_matrix_missing(all),
	       "as many are missing");
	one = text_of(all);
	other = text_of(few);
	is_str(other, one, "the same file");
	free(one);
	free(other);
	pl_matrix_destroy(all);
	pl_matrix_destroy(few);
	pl_hosts_fini(&hosts);
}

static void test_refused(void)
{
	size_t live, k = 0;
	int wrong = 0;
	bool refused;

	do {
		struct pl_hosts hosts = {0};
		struct pl_matrix *m = NULL;
		int status;

		failalloc_begin(k++);
		status = name_hosts(&hosts, 4);
		if (!status)
			m = pl_matrix_create_few(&hosts, NULL);
		status = !m || fill(m, 500);
		pl_matrix_destroy(m);
		pl_hosts_fini(&hosts);
		refused = failalloc_end(&live);
		wrong += live != 0 || refused != (status != 0);
	} while (refused);
	ok(k > 8, "each of %zu allocations refused in turn", k - 1);
	is_int(wrong, 0, "an error each time, and nothing leaks");
}

/* Two pairs, at once. */
static int next(void *arg, const struct pl_matrix *m, const bool *lost,
		const struct pl_probe_pair **pair, size_t *n, struct pl_err *err)
{
	static const struct pl_probe_pair pairs[] = {{0, 1}, {2, MANY - 1}};

	(void)arg;
	(void)m;
	(void)lost;
	(void)err;
	*pair = pairs;
	*n = 2;
	return 0;
}

static long peak_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Less than one layer, and it was ten of them. */
static void test_count(void)
{
	const struct pl_probe_chooser chooser = {.next = next, .how = ""};
	struct pl_hosts hosts = {0};
	struct pl_probe_count f;
	struct pl_probe_options o;
	const long before = peak_kib();

	pl_probe_defaults(&o);
	name_hosts(&hosts, MANY);
	is_int(pl_probe_count(&hosts, &o, &f, NULL), 0, "a count");
	is_int((int64_t)f.n_pairs, (int64_t)MANY * (MANY - 1) / 2, "of all pairs");
	o.bandwidth = PL_BANDWIDTH_ALONE;
	pl_probe_count(&hosts, &o, &f, NULL);
	is_int((int64_t)f.n_flows, (int64_t)MANY * (MANY - 1), "and flows");
	o.bandwidth = 0;
	o.chooser = &chooser;
	pl_probe_count(&hosts, &o, &f, NULL);
	ok(f.n_pairs == 2 && !f.is_most, "of two that are chosen");
	ok(peak_kib() - before < LIMIT_KIB, "by less memory than a layer has: %ld KiB",
	   peak_kib() - before);
	pl_hosts_fini(&hosts);
}

int main(void)
{
	test_count(); /* first: what a peak hides is not seen */
	compare(9, 0, "no cell");
	compare(9, 30, "a few of 9 hosts");
	compare(9, 2000, "nearly all of 9 hosts");
	compare(100, 300, "a few of 100 hosts");
	compare(100, 4000, "more of 100 hosts");
	compare(100, 90000, "nearly all of 100 hosts");
	test_refused();
	return done_testing();
}

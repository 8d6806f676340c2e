/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix-io.c - how fast matrix files are read and written, against plain C */
#include "config.h"

#include "bench/options.h"
#include "base/clock.h"
#include "base/matrix/matrix.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOOL "matrix-io"
#define REPEATS_MAX 99

static const char help[] =
	"usage: matrix-io [--hosts=N] [--repeats=N] [--seed=N]\n"
	"Writes and reads a matrix of N hosts, and beside it, in turns, does the least\n"
	"that plain C would: printf(\" %.17g\"), fread and strtod. Prints MB/s (of 10^6\n"
	"bytes, medians) and their ratio, for whole numbers, three decimals and doubles\n"
	"in full. The files are in TMPDIR, or /tmp, and are removed.\n"
	"\n"
	"  --hosts=N     1 to 16384 (default 1024)\n"
	"  --repeats=N   1 to 99 (default 5)\n"
	"  --seed=N      of the values (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 4 system.\n";

struct args {
	int64_t hosts, repeats, seed;
};

enum values { WHOLE, DECIMALS, FULL, N_VALUES };

static const char *const value_names[] = {
	[WHOLE] = "whole",
	[DECIMALS] = "decimals",
	[FULL] = "full",
};

/* One way of writing or reading the file: 0, or -1 with @err set. */
typedef int step(const struct pl_matrix *m, const char *path, struct pl_err *err);

static void fill(struct pl_matrix *m, enum values values, uint64_t seed)
{
	const size_t n = m->hosts.n;
	struct pl_rng rng;

	pl_rng_init(&rng, seed, values);
	for (size_t i = 0; i < n * n; i++) {
		double *cell = &m->layer[0].cell[i];

		if (i % (n + 1) == 0)
			*cell = 0;
		else if (values == FULL)
			*cell = 1e6 * pl_rng_double(&rng);
		else
			*cell = (double)pl_rng_below(&rng, 10000000) / (values == WHOLE ? 1 : 1000);
	}
}

static int plink_write(const struct pl_matrix *m, const char *path, struct pl_err *err)
{
	FILE *f = fopen(path, "we");
	int rc;

	if (!f)
		return pl_err_errno(err, "cannot open %s", path);
	rc = pl_matrix_write(m, f, err);
	if (fclose(f) && !rc)
		rc = pl_err_errno(err, "cannot write %s", path);
	return rc;
}

static int plain_write(const struct pl_matrix *m, const char *path, struct pl_err *err)
{
	const size_t n = m->hosts.n;
	FILE *f = fopen(path, "we");
	int bad;

	if (!f)
		return pl_err_errno(err, "cannot open %s", path);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			fprintf(f, " %.17g", m->layer[0].cell[i * n + j]);
		putc('\n', f);
	}
	bad = ferror(f);
	if (fclose(f) || bad)
		return pl_err_errno(err, "cannot write %s", path);
	return 0;
}

static int plink_read(const struct pl_matrix *m, const char *path, struct pl_err *err)
{
	struct pl_matrix *back = pl_matrix_read(path, NULL, err);
	int rc = 0;

	if (!back)
		return -1;
	if (memcmp(back->layer[0].cell, m->layer[0].cell, m->hosts.n * m->hosts.n * sizeof(double)))
		rc = pl_err_set(err, PL_ESYSTEM, "read other values than written");
	pl_matrix_destroy(back);
	return rc;
}

/* All numbers of the text, names and headers apart. */
static double sum_numbers(const char *s)
{
	double sum = 0;
	char *end;

	while (*s) {
		if (*s == '#' || *s == 'h') {
			s += strcspn(s, *s == '#' ? "\n" : " ");
			continue;
		}
		sum += strtod(s, &end);
		s = end == s ? s + 1 : end;
	}
	return sum;
}

static int plain_read(const struct pl_matrix *m, const char *path, struct pl_err *err)
{
	FILE *f = fopen(path, "re");
	char *s = NULL;
	long len;
	int rc = -1;

	(void)m;
	if (!f || fseek(f, 0, SEEK_END) || (len = ftell(f)) < 0) {
		pl_err_errno(err, "cannot read %s", path);
		goto out;
	}
	rewind(f);
	s = pl_array_create((size_t)len + 1, 1);
	if (!s) {
		pl_err_nomem(err);
		goto out;
	}
	if (fread(s, 1, (size_t)len, f) != (size_t)len)
		pl_err_errno(err, "cannot read %s", path);
	else if (!isfinite(sum_numbers(s)))
		pl_err_set(err, PL_ESYSTEM, "%s holds no numbers", path);
	else
		rc = 0;
out:
	free(s);
	if (f)
		fclose(f);
	return rc;
}

static long size_of(const char *path)
{
	FILE *f = fopen(path, "re");
	long len = 0;

	if (f && fseek(f, 0, SEEK_END) == 0)
		len = ftell(f);
	if (f)
		fclose(f);
	return len;
}

/* MB/s of one step, from the size of the file it wrote or read. */
static int timed(step *run, const struct pl_matrix *m, const char *path, double *rate,
		 struct pl_err *err)
{
	const int64_t start = pl_clock_ns();
	int64_t ns;

	if (run(m, path, err))
		return -1;
	ns = pl_clock_ns() - start;
	*rate = (double)size_of(path) * 1e3 / (double)(ns > 0 ? ns : 1);
	return 0;
}

/* Two ways of doing the same, in turns. */
static int compare(const char *what, step *plink, step *plain, const struct pl_matrix *m,
		   const char *path, const struct args *args, struct pl_err *err)
{
	double a[REPEATS_MAX], b[REPEATS_MAX];
	double rate_a, rate_b;
	const size_t n = (size_t)args->repeats;

	for (size_t i = 0; i < n; i++)
		if (timed(plink, m, path, &a[i], err) || timed(plain, m, path, &b[i], err))
			return -1;
	rate_a = pl_median(a, n);
	rate_b = pl_median(b, n);
	printf("%-16s %8.1f %8.1f %8.2f\n", what, rate_a, rate_b, rate_a / rate_b);
	fflush(stdout);
	return 0;
}

static int measure(struct pl_matrix *m, const char *path, const struct args *args,
		   struct pl_err *err)
{
	char what[64];

	printf("%-16s %8s %8s %8s\n", "", "plink", "plain", "ratio");
	for (enum values v = WHOLE; v < N_VALUES; v++) {
		fill(m, v, (uint64_t)args->seed);
		snprintf(what, sizeof(what), "write %s", value_names[v]);
		if (compare(what, plink_write, plain_write, m, path, args, err))
			return -1;
		if (plink_write(m, path, err))
			return -1;
		printf("# %ld bytes\n", size_of(path));
		snprintf(what, sizeof(what), "read %s", value_names[v]);
		if (compare(what, plink_read, plain_read, m, path, args, err))
			return -1;
	}
	return 0;
}

static struct pl_matrix *matrix_of(size_t n, struct pl_err *err)
{
	struct pl_hosts hosts = {0};
	struct pl_matrix *m = NULL;
	char name[32];
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		const struct pl_host host = {.name = name, .slots = 1};

		snprintf(name, sizeof(name), "h%zu", i);
		rc = pl_hosts_add(&hosts, &host);
	}
	if (rc)
		pl_err_nomem(err);
	else
		m = pl_matrix_create(&hosts, err);
	pl_hosts_fini(&hosts);
	return m;
}

static int run(const struct args *args, struct pl_err *err)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	struct pl_matrix *m;
	int fd, rc;

	snprintf(path, sizeof(path), "%s/plink-matrix-io-XXXXXX", dir ? dir : "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		return pl_err_errno(err, "cannot make %s", path);
	close(fd);
	m = matrix_of((size_t)args->hosts, err);
	rc = m ? measure(m, path, args, err) : -1;
	pl_matrix_destroy(m);
	unlink(path);
	return rc;
}

int main(int argc, char **argv)
{
	struct args args = {.hosts = 1024, .repeats = 5, .seed = 1};
	const struct bench_option options[] = {
		{"hosts", .whole = &args.hosts, .least = 1, .most = PL_MATRIX_HOSTS_MAX},
		{"repeats", .whole = &args.repeats, .least = 1, .most = REPEATS_MAX},
		{"seed", .whole = &args.seed, .least = 0, .most = INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	if (run(&args, &err))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* qap-scotch.c - Scotch's gmap, run as a program */
#include "config.h"

#include "bench/qap-baselines.h"

#include "base/mem.h"
#include "solver/assign/flows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whole numbers: the largest weight of an edge. */
#define WEIGHT_MAX 10000

static double there_and_back(const struct pl_assign_flows *f, size_t a, size_t b)
{
	return f->c[a * f->n_hosts + b] + f->c[b * f->n_hosts + a];
}

/* At least 1, as Scotch has it. */
static long whole(double x, double most)
{
	const long w = lround(x / most * WEIGHT_MAX);

	return w > 0 ? w : 1;
}

/* The positions as a graph: what they exchange. */
static void write_flows(const struct pl_assign_flows *f, FILE *out)
{
	double most = 0;

	for (size_t k = 0; k < f->first[f->n_pos]; k++)
		most = fmax(most, pl_assign_exchanged(f, &f->peer[k]));
	fprintf(out, "0\n%zu %zu\n0 010\n", f->n_pos, f->first[f->n_pos]);
	for (size_t p = 0; p < f->n_pos; p++) {
		fprintf(out, "%zu", f->first[p + 1] - f->first[p]);
		for (size_t k = f->first[p]; k < f->first[p + 1]; k++)
			fprintf(out, " %ld %u", whole(pl_assign_exchanged(f, &f->peer[k]), most),
				f->peer[k].pos);
		fputc('\n', out);
	}
}

/* The hosts as a complete graph: their slots, and the costs there and back. */
static void write_hosts(const struct pl_assign_flows *f, FILE *out)
{
	const size_t n = f->n_hosts;
	double most = 0;

	for (size_t k = 0; k < n * n; k++)
		most = fmax(most, there_and_back(f, k / n, k % n));
	fprintf(out, "0\n%zu %zu\n0 011\n", n, n * (n - 1));
	for (size_t a = 0; a < n; a++) {
		fprintf(out, "%zu %zu", f->slot[a + 1] - f->slot[a], n - 1);
		for (size_t b = 0; b < n; b++)
			if (a != b)
				fprintf(out, " %ld %zu", whole(there_and_back(f, a, b), most), b);
		fputc('\n', out);
	}
}

/* DIR/NAME, to be written. */
static FILE *create(const char *dir, const char *name)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return fopen(path, "w");
}

static int write_files(const struct qap_instance *in, const struct pl_assign_flows *f,
		       const char *dir)
{
	FILE *flows = create(dir, "flows");
	FILE *hosts = create(dir, in->tree[0] ? "target" : "hosts");
	int rc = flows && hosts ? 0 : -1;

	if (flows)
		write_flows(f, flows);
	if (hosts && in->tree[0])
		fprintf(hosts, "%s\n", in->tree);
	else if (hosts)
		write_hosts(f, hosts);
	if (flows && fclose(flows))
		rc = -1;
	if (hosts && fclose(hosts))
		rc = -1;
	return rc;
}

/* Slot @slot of @host, the slots host by host. */
static size_t host_of_leaf(const struct qap_instance *in, const struct pl_assign_flows *f,
			   size_t leaf)
{
	if (!in->tree[0])
		return leaf;
	return in->leaf[leaf / (f->n_slots / f->n_hosts)];
}

/* Positions that their host has no slot for go to the nearest that has one. */
static void repair(const struct pl_assign_flows *f, size_t *host_at, size_t *left)
{
	for (size_t h = 0; h < f->n_hosts; h++)
		left[h] = f->slot[h + 1] - f->slot[h];
	for (size_t p = 0; p < f->n_pos; p++)
		if (left[host_at[p]] > 0)
			left[host_at[p]]--;
		else
			host_at[p] += f->n_hosts; /* later */
	for (size_t p = 0; p < f->n_pos; p++) {
		size_t best = SIZE_MAX;

		if (host_at[p] < f->n_hosts)
			continue;
		host_at[p] -= f->n_hosts;
		for (size_t h = 0; h < f->n_hosts; h++)
			if (left[h] > 0 &&
			    (best == SIZE_MAX || there_and_back(f, host_at[p], h) <
							 there_and_back(f, host_at[p], best)))
				best = h;
		host_at[p] = best;
		left[best]--;
	}
}

static int read_mapping(const struct qap_instance *in, const struct pl_assign_flows *f,
			const char *dir, size_t *host_at)
{
	const size_t n_leaves = in->tree[0] ? f->n_slots : f->n_hosts;
	char path[4200];
	size_t n = 0, pos, leaf;
	FILE *file;

	snprintf(path, sizeof(path), "%s/mapping", dir);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%zu", &n) != 1 || n != f->n_pos)
		n = 0;
	for (size_t k = 0; k < n; k++) {
		if (fscanf(file, "%zu %zu", &pos, &leaf) != 2 || pos >= f->n_pos ||
		    leaf >= n_leaves) {
			n = 0;
			break;
		}
		host_at[pos] = host_of_leaf(in, f, leaf);
	}
	fclose(file);
	return n > 0 ? 0 : -1;
}

static int run(const char *dir, const char *command)
{
	char line[4200];

	snprintf(line, sizeof(line), "cd '%s' && %s", dir, command);
	return system(line) ? -1 : 0;
}

static void clean(const char *dir)
{
	static const char *const names[] = {"flows", "hosts", "target", "mapping"};
	char path[4200];

	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[k]);
		unlink(path);
	}
	rmdir(dir);
}

/* host_at[n_pos] becomes the cheapest mapping, if that is cheaper. */
static void try_both(const struct qap_instance *in, const struct pl_assign_flows *f,
		     const char *dir, size_t *host_at, size_t *at, size_t *left)
{
	static const char *const command[] = {
		"scotch_gmap-int64 -b0 flows target mapping",
		"scotch_gmap-int64 flows target mapping",
	};
	double least = INFINITY;

	for (size_t k = 0; k < 2; k++) {
		if (run(dir, command[k]) || read_mapping(in, f, dir, at))
			continue;
		repair(f, at, left);
		if (pl_assign_cost(&in->problem, at) < least) {
			least = pl_assign_cost(&in->problem, at);
			memcpy(host_at, at, f->n_pos * sizeof(*at));
		}
	}
}

static int place(const struct qap_instance *in, const struct pl_assign_flows *f, const char *dir,
		 size_t *host_at)
{
	size_t *at = pl_array_create(f->n_pos + f->n_hosts, sizeof(*at));
	int rc = -1;

	if (at && write_files(in, f, dir) == 0 &&
	    (in->tree[0] || run(dir, "amk_grf-int64 hosts target") == 0)) {
		try_both(in, f, dir, host_at, at, at + f->n_pos);
		rc = 0;
	}
	free(at);
	return rc;
}

int qap_scotch(const struct qap_instance *in, size_t *host_at, struct pl_err *err)
{
	const char *tmp = getenv("TMPDIR");
	struct pl_assign_flows f;
	char dir[4096];
	int rc = -1;

	if (system("command -v scotch_gmap-int64 amk_grf-int64 >/dev/null"))
		return 0;
	snprintf(dir, sizeof(dir), "%s/qap-XXXXXX", tmp ? tmp : "/tmp");
	if (pl_assign_flows_init(&f, &in->problem, NULL, err))
		return -1;
	if (mkdtemp(dir)) {
		rc = place(in, &f, dir, host_at);
		clean(dir);
	}
	pl_assign_flows_fini(&f);
	if (rc < 0)
		return pl_err_set(err, PL_ESYSTEM, "%s: Scotch failed", in->name);
	return 0;
}

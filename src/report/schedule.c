/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.c - a schedule in a report: its masters, what crosses the uplinks */
#include "config.h"

#include "src/report/schedule.h"

#include "base/mem.h"
#include "base/text/size.h"
#include "engine/roles.h"

#include <stdlib.h>

#define ROWS_MAX 40 /* hosts */

/* Sums over the ranks of a host, or over the hosts of a rack; in buffers. */
struct sums {
	double global, local, sent, received;
};

/* One schedule, by host and by rack. */
struct table {
	const struct pl_report *r;
	const struct pl_hosts *hosts;
	size_t *host_of; /* [ranks] */
	struct sums *host, *rack;
};

static void table_fini(struct table *t)
{
	free(t->host_of);
	free(t->host);
	free(t->rack);
}

static int table_init(struct table *t)
{
	size_t rank = 0;

	t->host_of = pl_array_create(pl_hosts_ranks(t->hosts), sizeof(*t->host_of));
	t->host = pl_array_create(t->hosts->n, sizeof(*t->host));
	t->rack = pl_array_create(t->r->n_racks, sizeof(*t->rack));
	if (!t->host_of || !t->host || !t->rack)
		return -1;
	for (size_t h = 0; h < t->hosts->n; h++)
		for (int i = 0; i < t->hosts->v[h].slots; i++)
			t->host_of[rank++] = h;
	return 0;
}

/* Within a host, and within a rack, nothing is sent over what it has of its own. */
static void add_up(struct table *t, const struct pl_roles *roles)
{
	const size_t n = roles->n_ranks;

	for (size_t rank = 0; rank < n; rank++) {
		struct sums *host = &t->host[t->host_of[rank]];

		host->global += roles->global[rank];
		host->local += roles->local[rank];
	}
	for (size_t i = 0; i < n * n; i++) {
		const size_t src = t->host_of[i / n], dst = t->host_of[i % n];
		const size_t from = t->r->rack[src], to = t->r->rack[dst];

		if (src != dst) {
			t->host[src].sent += roles->sent[i];
			t->host[dst].received += roles->sent[i];
		}
		if (from != to) {
			t->rack[from].sent += roles->sent[i];
			t->rack[to].received += roles->sent[i];
		}
	}
	for (size_t h = 0; h < t->hosts->n; h++) {
		t->rack[t->r->rack[h]].global += t->host[h].global;
		t->rack[t->r->rack[h]].local += t->host[h].local;
	}
}

static void write_row(const char *name, size_t rack, const struct sums *s, FILE *out)
{
	fprintf(out, "%-24s %5zu %9.1f %% %9.1f %% %9.3f %9.3f\n", name, rack + 1, 100 * s->global,
		100 * s->local, s->sent, s->received);
}

static int write_table(void *table, FILE *out)
{
	const struct table *t = table;

	fprintf(out, "%-24s %5s %11s %11s %9s %9s\n", "", "rack", "global", "local", "out", "in");
	for (size_t k = 0; t->r->n_racks > 1 && k < t->r->n_racks; k++)
		write_row("all, over the uplink", k, &t->rack[k], out);
	for (size_t h = 0; h < t->hosts->n && h < ROWS_MAX; h++)
		write_row(t->r->label[h], t->r->rack[h], &t->host[h], out);
	if (t->hosts->n > ROWS_MAX)
		fprintf(out, "and %zu hosts more\n", t->hosts->n - ROWS_MAX);
	return 0;
}

/* The heading: for which sizes, and what the columns are. */
static void name_table(char title[PL_REPORT_LINE], const struct pl_schedule *s)
{
	char first[PL_SIZE_CHARS], last[PL_SIZE_CHARS];

	pl_size_format(first, s->size_min);
	pl_size_format(last, s->size_max);
	snprintf(title, PL_REPORT_LINE, "%s from %s%s%s: masters of how much, buffers out and in",
		 s->algorithm, first, s->size_max < UINT64_MAX ? " to " : "",
		 s->size_max < UINT64_MAX ? last : "");
}

static int add_table(struct pl_report *r, struct table *t, const struct pl_schedule *s)
{
	char title[PL_REPORT_LINE];

	name_table(title, s);
	return pl_report_add_table(r, title, write_table, t);
}

static int add_schedule(struct pl_report *r, const struct pl_hosts *hosts,
			const struct pl_schedule *s)
{
	struct table t = {.r = r, .hosts = hosts};
	struct pl_roles roles = {0};
	int rc = pl_roles_init(&roles, &s->slices, pl_hosts_ranks(hosts));

	if (rc == 0)
		rc = table_init(&t);
	if (rc == 0) {
		add_up(&t, &roles);
		rc = add_table(r, &t, s);
	}
	table_fini(&t);
	pl_roles_fini(&roles);
	return rc;
}

int report_add_schedules(struct pl_report *r, const struct pl_schedules *s, struct pl_err *err)
{
	for (size_t i = 0; i < s->n; i++)
		if (add_schedule(r, &s->job.hosts, &s->schedule[i]))
			return pl_err_nomem(err);
	return 0;
}

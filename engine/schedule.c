/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.c - all-reduces written down for the hosts of a job */
#include "config.h"

#include "engine/schedule.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void pl_schedule_fini(struct pl_schedule *s)
{
	free(s->algorithm);
	free(s->parent);
	pl_slices_fini(&s->slices);
	memset(s, 0, sizeof(*s));
}

void pl_schedules_fini(struct pl_schedules *s)
{
	for (size_t i = 0; i < s->n; i++)
		pl_schedule_fini(&s->schedule[i]);
	free(s->schedule);
	for (size_t i = 0; i < s->n_aggregators; i++)
		free(s->aggregator[i]);
	free(s->aggregator);
	pl_plan_fini(&s->job);
	memset(s, 0, sizeof(*s));
}

int pl_schedules_add_take(struct pl_schedules *s, struct pl_schedule *schedule)
{
	void *array = s->schedule;

	if (pl_array_grow(&array, &s->room, s->n, sizeof(*s->schedule)))
		return -1;
	s->schedule = array;
	s->schedule[s->n++] = *schedule;
	return 0;
}

const struct pl_schedule *pl_schedules_find(const struct pl_schedules *s, uint64_t bytes)
{
	for (size_t i = 0; i < s->n; i++)
		if (bytes >= s->schedule[i].size_min && bytes <= s->schedule[i].size_max)
			return &s->schedule[i];
	return NULL;
}

size_t pl_schedules_members(const struct pl_schedules *s)
{
	return pl_hosts_ranks(&s->job.hosts) + s->n_aggregators;
}

int pl_schedules_without_aggregators(const struct pl_schedules *s, struct pl_err *err)
{
	if (s->n_aggregators == 0)
		return 0;
	return pl_err_set(
		err, PL_EINPUT,
		"the schedules have aggregators (\"%s\"), which only libplink and plink_c10d run",
		s->aggregator[0]);
}

int pl_schedules_add_up(const struct pl_schedules *s, struct pl_err *err)
{
	const size_t n = pl_hosts_ranks(&s->job.hosts);
	struct pl_err why;

	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->schedule[i].slices.n; k++)
			if (pl_slice_check(&s->schedule[i].slices.slice[k], n, s->n_aggregators,
					   PL_SLICE_ALL, &why))
				return pl_err_set(err, why.code, "schedule %zu (%s), slice %zu: %s",
						  i + 1, s->schedule[i].algorithm, k + 1, why.text);
	return 0;
}

int pl_schedules_check(const struct pl_schedules *s, struct pl_err *err)
{
	if (pl_schedules_without_aggregators(s, err))
		return -1;
	return pl_schedules_add_up(s, err);
}

static void write_slice(const struct pl_slice *slice, FILE *out)
{
	fprintf(out, "slice %" PRIu64 "\n", slice->weight);
	for (size_t i = 0; i < slice->n_transfers; i++) {
		const struct pl_slice_transfer *t = &slice->transfer[i];
		const bool begins = i == 0 || t->round != t[-1].round;

		if (begins)
			fprintf(out, "%sround", i == 0 ? "" : "\n");
		if (begins || t->adds != t[-1].adds)
			fputs(t->adds ? " add" : " store", out);
		fprintf(out, " %" PRIu32 ">%" PRIu32, t->src, t->dst);
	}
	if (slice->n_transfers > 0)
		fputc('\n', out);
}

static void write_schedule(const struct pl_schedule *s, FILE *out)
{
	fprintf(out, "schedule %s %" PRIu64 "-", s->algorithm, s->size_min);
	if (s->size_max != UINT64_MAX)
		fprintf(out, "%" PRIu64, s->size_max);
	fprintf(out, " chunk=%zu window=%zu%s\n", s->chunk_bytes, s->window,
		s->any_order ? " merge=arrival" : "");
	for (size_t v = 0; v + 1 < s->n_nodes; v++)
		fprintf(out, "%s%" PRIu32, v == 0 ? "tree " : " ", s->parent[v]);
	if (s->n_nodes > 0)
		fputc('\n', out);
	for (size_t i = 0; i < s->slices.n; i++)
		write_slice(&s->slices.slice[i], out);
}

int pl_schedules_write(const struct pl_schedules *s, FILE *out, struct pl_err *err)
{
	if (pl_plan_write_kin(&s->job, "plink-schedule", out, err))
		return -1;
	for (size_t i = 0; i < s->n_aggregators; i++)
		fprintf(out, "aggregator %s\n", s->aggregator[i]);
	if (s->n_connections > 1)
		fprintf(out, "connections %zu\n", s->n_connections);
	if (s->is_tuned && s->tune_percent > 0)
		fprintf(out, "tune change=%u\n", s->tune_percent);
	else if (s->is_tuned)
		fputs("tune\n", out);
	for (size_t i = 0; i < s->n; i++)
		write_schedule(&s->schedule[i], out);
	if (ferror(out))
		return pl_err_errno(err, "cannot write the schedules");
	return 0;
}

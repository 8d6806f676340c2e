/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.c - schedules for engine mode of libplink-mpi (plink-schedule(5)) */
/*
 * Without --algorithm: two levels, with the racks that were measured or told as
 * groups, and global masters where uplinks have room for them. With it: that
 * algorithm's own transfers, in the order found.
 */
#include "config.h"

#include "src/order/format/format.h"

#include "base/clock.h"
#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "engine/schedule.h"
#include "engine/shares.h"
#include "engine/two-level.h"

#include <stdlib.h>
#include <string.h>

/* bench/results/engine.txt: of 16, 32 and 64 KiB and 4 to 32 chunks ahead,
 * these were the best or as good on equal uplinks and with a slow one. */
#define CHUNK_BYTES 32768
#define WINDOW 16
/* smaller all-reduces stay with the library, unless a size was given */
#define SIZE_MIN ((uint64_t)256 << 10)
/* of the call whose pattern is taken, where no size was given */
#define PATTERN_BYTES ((uint64_t)1 << 20)

struct job {
	const struct pl_reorder_answer *a;
	struct pl_schedules schedules;
	struct pl_schedule schedule;
	size_t n_ranks;
};

/* The hosts as the order has them. */
static int add_hosts(struct job *job)
{
	for (size_t k = 0; k < job->a->in->hosts.n; k++)
		if (pl_hosts_add(&job->schedules.job.hosts,
				 pl_reorder_host(job->a, k)))
			return -1;
	job->n_ranks = pl_hosts_ranks(&job->schedules.job.hosts);
	return 0;
}

/* Numbers the racks of @t by the first of their hosts in the order:
 * number[t->n_groups], PL_NO_GROUP for those without. */
static size_t number_racks(const struct job *job, const struct pl_tiers *t,
			   size_t *number)
{
	const struct pl_reorder_answer *a = job->a;
	size_t n = 0;

	for (size_t g = 0; g < t->n_groups; g++)
		number[g] = PL_NO_GROUP;
	for (size_t k = 0; k < a->in->hosts.n; k++) {
		const size_t rack = t->rack[a->in->machine[a->r->host_at[k]]];

		if (rack != PL_NO_GROUP && number[rack] == PL_NO_GROUP)
			number[rack] = n++;
	}
	return n;
}

/* The group of each process, the rate of each group's uplink. */
static void fill_groups(const struct job *job, const struct pl_tiers *t,
			const size_t *number, uint32_t *group, double *rate)
{
	const struct pl_reorder_answer *a = job->a;
	size_t rank = 0;

	for (size_t g = 0; g < t->n_groups; g++) {
		const struct pl_link_rate *up = &t->uplink[g];

		if (number[g] != PL_NO_GROUP)
			rate[number[g]] = up->out_bps < up->in_bps ? up->out_bps
								   : up->in_bps;
	}
	for (size_t k = 0; k < a->in->hosts.n; k++) {
		const size_t host = a->r->host_at[k];

		for (int i = 0; i < a->in->hosts.v[host].slots; i++)
			group[rank++] =
				(uint32_t)number[t->rack[a->in->machine[host]]];
	}
}

static int two_levels(struct job *job, const struct pl_tiers *t,
		      struct pl_err *err)
{
	size_t *number = pl_array_create(t->n_groups, sizeof(*number));
	uint32_t *group = pl_array_create(job->n_ranks, sizeof(*group));
	double *rate = pl_array_create(t->n_groups, sizeof(*rate));
	double *share = pl_array_create(t->n_groups, sizeof(*share));
	struct pl_two_level two = {
		.n_ranks = job->n_ranks, .group = group, .share = share};
	int rc = -1;

	if (!number || !group || !rate || !share) {
		pl_err_nomem(err);
		goto out;
	}
	two.n_groups = number_racks(job, t, number);
	if (two.n_groups < 2) {
		pl_err_set(err, PL_EPARTIAL,
			   "the hosts are in one rack, as far as is known: two "
			   "levels need several (--algorithm takes another "
			   "schedule)");
		goto out;
	}
	fill_groups(job, t, number, group, rate);
	pl_master_shares(two.n_groups, rate, share);
	rc = pl_two_level_slices(&job->schedule.slices, &two, err);
out:
	free(number);
	free(group);
	free(rate);
	free(share);
	return rc;
}

static int of_racks(struct job *job, struct pl_err *err)
{
	struct pl_tiers t = {0};
	int rc;

	if (!job->a->in->matrix)
		return pl_err_set(err, PL_EPARTIAL,
				  "racks are not known without measured times "
				  "(--algorithm takes another schedule)");
	if (pl_tiers_read(&t, job->a->in->matrix, err))
		return -1;
	rc = two_levels(job, &t, err);
	pl_tiers_fini(&t);
	return rc;
}

static int of_algorithm(struct job *job, struct pl_err *err)
{
	const struct pl_order_request *q = &job->a->o->request;
	const struct pl_call call = {.n_pos = job->n_ranks,
				     .bytes = q->usual_sizes ? PATTERN_BYTES
							     : q->size_bytes[0],
				     .radix = q->what.radix};
	struct pl_pattern p = {0};
	int rc = pl_algorithm_pattern(q->what.a, &call, &p, err);

	if (rc == 0)
		rc = pl_slices_of_pattern(&job->schedule.slices, &p, err);
	pl_pattern_fini(&p);
	return rc;
}

static int make_schedule(struct job *job, struct pl_err *err)
{
	const struct pl_order_request *q = &job->a->o->request;
	const char *name = q->names.algorithm ? q->what.name : "two-level";
	struct pl_schedule *s = &job->schedule;

	if (add_hosts(job))
		return pl_err_nomem(err);
	*s = (struct pl_schedule){.chunk_bytes = CHUNK_BYTES,
				  .window = WINDOW,
				  .size_min = SIZE_MIN,
				  .size_max = UINT64_MAX,
				  .algorithm =
					  pl_string_copy(name, strlen(name))};
	for (size_t i = 0; !q->usual_sizes && i < q->n_sizes; i++)
		if (i == 0 || q->size_bytes[i] < s->size_min)
			s->size_min = q->size_bytes[i];
	if (!s->algorithm)
		return pl_err_nomem(err);
	return q->names.algorithm ? of_algorithm(job, err) : of_racks(job, err);
}

static int write_all(struct job *job, FILE *out, struct pl_err *err)
{
	char by[] = PL_REORDER_TOOL " " PACKAGE_VERSION;
	char created[32], digest[PL_DIGEST_CHARS];
	struct pl_plan *head = &job->schedules.job;
	int rc;

	pl_clock_date(created);
	memcpy(digest, job->a->from->digest, sizeof(digest));
	head->created = created;
	head->by = by;
	head->matrix = digest;
	head->has_seed = true;
	head->seed = job->a->o->request.seed;
	rc = pl_schedules_write(&job->schedules, out, err);
	head->created = head->by = head->matrix = NULL; /* borrowed */
	return rc;
}

static int write_schedule(const struct pl_reorder_answer *a, FILE *out,
			  struct pl_err *err)
{
	struct job job = {.a = a};
	int rc = make_schedule(&job, err);

	if (rc == 0 && pl_schedules_add_take(&job.schedules, &job.schedule)) {
		rc = pl_err_nomem(err);
	} else if (rc == 0) {
		job.schedule = (struct pl_schedule){0};
		rc = pl_schedules_check(&job.schedules, err);
	}
	if (rc == 0)
		rc = write_all(&job, out, err);
	free(job.schedule.algorithm);
	pl_slices_fini(&job.schedule.slices);
	pl_schedules_fini(&job.schedules);
	return rc;
}

const struct pl_reorder_form pl_form_schedule = {
	.name = "schedule",
	.file = "schedule",
	.flags = PL_FORM_NO_REPEAT,
	.write = write_schedule,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* whatif.c - training speed by how much of the data set memory holds */
#include "config.h"

#include "planner/stalls/whatif.h"

#include "planner/json.h"
#include "planner/stalls/parts.h"

#include <math.h>
#include <string.h>

#define MIB 1048576.0
#define NUMBER_MIN 1e-9
#define NUMBER_MAX 1e15

/* The members of MODEL.json. */
static const struct {
	const char *key;
	size_t at;
} members[] = {
	{"SPEED_INGESTION", offsetof(struct pl_stall_store, ingestion_per_s)},
	{"SPEED_CACHED", offsetof(struct pl_stall_store, cached_per_s)},
	{"DISK_THR", offsetof(struct pl_stall_store, disk_mib_per_s)},
	{"MEM_THR", offsetof(struct pl_stall_store, memory_gib_per_s)},
	{"AVG_SAMPLE_SIZE", offsetof(struct pl_stall_store, data_gib)},
	{"TOTAL_SAMPLES", offsetof(struct pl_stall_store, samples)},
};
#define N_MEMBERS (sizeof(members) / sizeof(members[0]))

const char *pl_stall_bound_name(enum pl_stall_bound bound)
{
	static const char *const names[] = {"fetch", "prep", "gpu"};

	return names[bound];
}

double pl_stall_fetch_per_s(const struct pl_stall_store *store, double cached)
{
	const double memory_s = cached * store->data_gib / store->memory_gib_per_s;
	const double disk_s = (1 - cached) * store->data_gib * 1024 / store->disk_mib_per_s;

	return store->samples / (memory_s + disk_s);
}

double pl_stall_trained_per_s(const struct pl_stall_store *store, double cached,
			      enum pl_stall_bound *bound)
{
	double least = pl_stall_fetch_per_s(store, cached);

	*bound = PL_BOUND_FETCH;
	if (store->cached_per_s <= least) {
		least = store->cached_per_s;
		*bound = PL_BOUND_PREP;
	}
	if (store->ingestion_per_s <= least) {
		least = store->ingestion_per_s;
		*bound = PL_BOUND_GPU;
	}
	return least;
}

double pl_stall_cache_wanted(const struct pl_stall_store *store)
{
	const double wanted = fmin(store->cached_per_s, store->ingestion_per_s);
	/* seconds for the data set, which fall evenly with the share */
	const double none_s = store->samples / pl_stall_fetch_per_s(store, 0);
	const double all_s = store->samples / pl_stall_fetch_per_s(store, 1);
	const double least_s = store->samples / wanted;

	if (none_s <= least_s)
		return 0;
	return all_s <= least_s ? (none_s - least_s) / (none_s - all_s) : NAN;
}

bool pl_stall_store_is(const struct pl_text *text)
{
	const char *s = text->data + text->pos;

	return s[strspn(s, " \t\r\n")] == '{';
}

int pl_stall_store_parse(struct pl_stall_store *store, const struct pl_text *text,
			 struct pl_err *err)
{
	struct pl_json doc;
	struct pl_json_at root;
	int rc;

	if (pl_json_parse(&doc, text, err))
		return -1;
	root = pl_json_root(&doc);
	rc = pl_json_object(&root, NULL, err);
	for (size_t i = 0; rc == 0 && i < N_MEMBERS; i++)
		rc = pl_json_number_in(&root, members[i].key, NUMBER_MIN, NUMBER_MAX,
				       (double *)((char *)store + members[i].at), err);
	pl_json_fini(&doc);
	return rc;
}

int pl_stall_store_of(struct pl_stall_store *store, const struct pl_stall_run *run,
		      double memory_gib_per_s, struct pl_err *err)
{
	const double together = (double)run->batch * (double)run->gpus;
	const double t2_s = pl_stall_seconds(run, PL_STALL_T2), t3_s = run->t_s[PL_STALL_T3],
		     t4_s = run->t_s[PL_STALL_T4];
	double sample_mib;

	if (isnan(t2_s) || isnan(t3_s) || isnan(t4_s) || run->batch == 0 || run->samples == 0 ||
	    run->data_bytes == 0)
		return pl_err_set(err, PL_EINPUT,
				  "%s on %s lacks one of t2, t3, t4, batch, samples and data-bytes",
				  run->model, run->machine);
	sample_mib = (double)run->data_bytes / MIB / (double)run->samples;
	*store = (struct pl_stall_store){
		.ingestion_per_s = together / t2_s,
		.cached_per_s = together / t4_s,
		.disk_mib_per_s = sample_mib * together / t3_s,
		.memory_gib_per_s = memory_gib_per_s,
		.data_gib = (double)run->data_bytes / MIB / 1024,
		.samples = (double)run->samples,
	};
	return 0;
}

int pl_stall_store_write(const struct pl_stall_store *store, FILE *out, struct pl_err *err)
{
	json_t *all = json_object();
	int rc = all ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < N_MEMBERS; i++)
		rc = json_object_set_new(
			all, members[i].key,
			json_real(*(const double *)((const char *)store + members[i].at)));
	if (rc) {
		json_decref(all);
		return pl_err_nomem(err);
	}
	rc = json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	json_decref(all);
	if (rc || fputc('\n', out) == EOF)
		return pl_err_errno(err, "cannot write");
	return 0;
}

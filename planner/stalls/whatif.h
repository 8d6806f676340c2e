/* SPDX-License-Identifier: BSD-3-Clause */
/* whatif.h - training speed by how much of the data set memory holds (DS-Analyzer) */
#ifndef PLINK_PLANNER_STALLS_WHATIF_H
#define PLINK_PLANNER_STALLS_WHATIF_H

#include "base/err.h"
#include "base/text/text.h"
#include "planner/stalls/runs.h"

#include <stdio.h>

/* What DS-Analyzer keeps in MODEL.json, and its names there. */
struct pl_stall_store {
	double ingestion_per_s;  /* SPEED_INGESTION: samples, synthetic data */
	double cached_per_s;     /* SPEED_CACHED: samples, data in memory */
	double disk_mib_per_s;   /* DISK_THR */
	double memory_gib_per_s; /* MEM_THR */
	double data_gib;         /* AVG_SAMPLE_SIZE: of the whole data set, despite
				  * its name */
	double samples;          /* TOTAL_SAMPLES */
};

/* What a speed is bound by. */
enum pl_stall_bound { PL_BOUND_FETCH, PL_BOUND_PREP, PL_BOUND_GPU };
const char *pl_stall_bound_name(enum pl_stall_bound bound);

/*
 * Samples that storage and memory give in a second if memory holds the share @cached of the data
 * set (what_if_tool.py of DS-Analyzer, with the measured disk in place of its 525 MB/s).
 */
double pl_stall_fetch_per_s(const struct pl_stall_store *store, double cached);

/* Samples trained in a second: the least of what is fetched, prepared and computed; which one that
 * is, in *bound. */
double pl_stall_trained_per_s(const struct pl_stall_store *store, double cached,
			      enum pl_stall_bound *bound);

/* The least share of the data set in memory with which fetching holds nothing up; NaN: not even all
 * of it. */
double pl_stall_cache_wanted(const struct pl_stall_store *store);

/*
 * Reads MODEL.json of DS-Analyzer; members with other names are left alone. 0, or -1 with @err set,
 * PL_EINPUT with the place.
 */
int pl_stall_store_parse(struct pl_stall_store *store, const struct pl_text *text,
			 struct pl_err *err);

/* Is it such a file, rather than one of plink-stalls(5)? */
bool pl_stall_store_is(const struct pl_text *text);

/* The same from the steps of a run: t2, t3 and t4, samples, batch and bytes of data.
 * @memory_gib_per_s is not among them. 0, or -1 with @err set, PL_EINPUT: one of these is
 * missing. */
int pl_stall_store_of(struct pl_stall_store *store, const struct pl_stall_run *run,
		      double memory_gib_per_s, struct pl_err *err);

/* Writes what DS-Analyzer reads. 0, or -1 with @err set. */
int pl_stall_store_write(const struct pl_stall_store *store, FILE *out, struct pl_err *err);

#endif

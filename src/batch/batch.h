/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.h - the command line of plink-batch, and what its verbs do */
#ifndef PLINK_SRC_BATCH_BATCH_H
#define PLINK_SRC_BATCH_BATCH_H

#include "base/err.h"
#include "planner/batch/choice.h"
#include "planner/batch/noise.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BATCH_TOOL "plink-batch"
#define BATCH_LIST_MAX 256

enum batch_verb { BATCH_NOISE, BATCH_MODEL, BATCH_RUN };

enum batch_objective { BATCH_COST, BATCH_TIME, BATCH_KNEE };

struct batch_list {
	uint64_t n[BATCH_LIST_MAX]; /* ascending */
	size_t len;                 /* 0: not given */
};

/* Strings are borrowed from argv. */
struct batch_options {
	enum batch_verb verb;
	bool json, points, corners, full, finish;
	struct pl_noise_options noise;
	struct batch_list workers, batches;
	uint64_t samples; /* 0: what the points say */
	double price, memory_price;
	uint64_t memory_bytes;       /* 0: no limit */
	double time_limit_s, budget; /* of the training; INFINITY: none */
	enum batch_objective objective;
	enum pl_step_form step_law;
	enum pl_epoch_form epoch_law;
	const char *state;   /* run */
	const char *profile; /* NULL: none */
	enum pl_batch_rate rate;
	uint64_t iterations;
	double job_limit_s, search_time_s, search_budget;
	const char *output;
	const char *picture; /* an SVG; NULL: none */
	char **argument;     /* [n_arguments] files, or a command */
	size_t n_arguments;
	bool done; /* help or version was printed: exit with the status */
};

/* Returns the exit status. If it is not PL_EXIT_DONE or @o->done is set, there is nothing more to
 * do. */
int batch_options_parse(struct batch_options *o, int argc, char **argv);

/* Each writes its result, and says what is to be said; *chosen becomes the choice of run, if the
 * exit status is PL_EXIT_DONE. The exit status, or -1 with @err set. */
int batch_noise(const struct batch_options *o, FILE *out, struct pl_batch_cell *chosen,
		struct pl_err *err);
int batch_model(const struct batch_options *o, FILE *out, struct pl_batch_cell *chosen,
		struct pl_err *err);
int batch_run(const struct batch_options *o, FILE *out, struct pl_batch_cell *chosen,
	      struct pl_err *err);

/* The training itself, with the choice of run, until its end. The exit status, or -1 with @err
 * set. */
int batch_train(const struct batch_options *o, const struct pl_batch_cell *chosen,
		struct pl_err *err);

/* A prediction and what it rests on. */
struct batch_answer {
	const struct batch_options *o;
	const struct pl_points *points;
	struct pl_batch_space space;
	struct pl_batch_laws laws;
	struct pl_batch_plan plan;
	size_t chosen; /* plan.n_cells: none */
};

/* Finds what the options ask for, and writes it. *chosen
 * becomes the choice, if the exit status is PL_EXIT_DONE. The exit status, or
 * -1 with @err set. */
int batch_answer(const struct batch_options *o, const struct pl_points *points, FILE *out,
		 struct pl_batch_cell *chosen, struct pl_err *err);
/* Of how many points is the noise not stable? */
size_t batch_unstable(const struct pl_points *points);
void batch_text(const struct batch_answer *a, FILE *out);
int batch_json(const struct batch_answer *a, FILE *out, struct pl_err *err);
/* Writes the file that the options name. 0, or -1 with @err set. */
int batch_picture(const struct batch_answer *a, struct pl_err *err);

/* What a log of norms tells, as a point; says what is wrong with it. 0, or -1 with @err set. */
int batch_point_of(const char *path, const struct pl_noise_options *o, struct pl_batch_point *point,
		   struct pl_noise *noise, struct pl_err *err);

#endif

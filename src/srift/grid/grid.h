/* SPDX-License-Identifier: BSD-3-Clause */
/* grid.h - plink-srift grid: what its command line says, the job that measures, the file that gets
 * the rows */
#ifndef PLINK_SRC_SRIFT_GRID_GRID_H
#define PLINK_SRC_SRIFT_GRID_GRID_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/text/words.h"
#include "planner/srift/learned/grid.h"
#include "src/srift/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Strings are borrowed from argv. */
struct srift_grid_options {
	const char *hosts, *output;
	const char *instance, *cloud, *region, *zone;
	double rated_gbps;
	const char *backend, *mpirun, *python, *program;
	/* all_reduce_perf; NULL: the program measures */
	const char *nccl_tests;
	struct srift_list machines; /* n 0: powers of two, and all */
	struct srift_list together;
	uint64_t bytes_min, bytes_max;
	uint64_t repeat, port; /* port 0: by the process' number */
	double time_limit_s;   /* INFINITY: none */
	double budget, price;  /* dollars, of a machine's hour; NaN: not given */
	bool dry_run, done;
};

/* Returns the exit status, as srift_options_parse(). */
int srift_grid_options_parse(struct srift_grid_options *o, int argc, char **argv);

/* What is to be measured with one number of machines: @times all-reduces of @bytes, @together of
 * them at once. */
struct srift_grid_cell {
	uint64_t bytes;
	size_t together;
	uint64_t times;
};

/* The grid on the disk. Start with {.fd = -1}; end with close. */
struct srift_grid_file {
	const struct srift_grid_options *o;
	int fd;
	struct pl_grid before; /* what was in it when it was opened */
	char *machine;         /* the columns before "bytes"; NULL: not known */
};

/* Makes the file or opens it to go on, in which case a last line that was cut off is removed. No
 * other process can have it open in this way. 0, or -1 with @err set. */
int srift_grid_open(struct srift_grid_file *f, const struct srift_grid_options *o,
		    struct pl_err *err);

/* How often the file has had this measurement. */
uint64_t srift_grid_count(const struct srift_grid_file *f, size_t ranks, uint64_t bytes,
			  size_t together);

/* Takes a machine as the job describes it, in JSON. 0, or -1 with @err set: the file, or the job,
 * has other machines by this name. */
int srift_grid_machine(struct srift_grid_file *f, const char *json, struct pl_err *err);

/* Appends a row, which is on the disk when this returns. 0, or -1 with @err set. */
int srift_grid_append(struct srift_grid_file *f, size_t ranks, uint64_t bytes, size_t together,
		      double seconds, struct pl_err *err);

void srift_grid_close(struct srift_grid_file *f);

/* The job: mpirun with a rank for each slot of the first @n_hosts hosts. Calls @line for each line
 * that rank 0 prints; if that returns -1, the job ends. Returns 0; or -1 with @err set: PL_EPARTIAL
 * if @stop came first. */
struct srift_grid_job {
	const struct srift_grid_options *o;
	const struct pl_hosts *hosts;
	size_t n_hosts, ranks;
	const struct srift_grid_cell *cell;
	size_t n_cells;
	const struct pl_stop *stop;
	int (*line)(void *arg, char *line, struct pl_err *err);
	void *arg;
};
int srift_grid_run(const struct srift_grid_job *job, struct pl_err *err);

/* How many of the cells, from the first one on, one run of all_reduce_perf can measure: of sizes
 * that double, as often each. */
size_t srift_nccl_cells(const struct srift_grid_cell *cell, size_t n);

/* The command of each rank that measures job->cell, which are such. */
void srift_nccl_program(struct pl_words *w, const struct srift_grid_job *job);

#endif

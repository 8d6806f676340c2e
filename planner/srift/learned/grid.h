/* SPDX-License-Identifier: BSD-3-Clause */
/* grid.h - all-reduces measured on rented machines: training data of a bandwidth model */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_GRID_H
#define PLINK_PLANNER_SRIFT_LEARNED_GRID_H

#include "base/err.h"
#include "base/text/text.h"

#include <stddef.h>
#include <stdint.h>

#define PL_GRID_BYTES_MAX ((uint64_t)1 << 50)
#define PL_GRID_COUNT_MAX 1000000

/* Properties of a machine that are names. */
enum pl_grid_text {
	PL_GRID_CLOUD,
	PL_GRID_REGION,
	PL_GRID_ZONE,
	PL_GRID_GPU,
	PL_GRID_CPU,
	PL_GRID_TEXTS
};

/* Properties of a machine that are numbers: cores, GiB of memory, Gbit/s as stated by the
 * provider. */
enum pl_grid_number { PL_GRID_CORES, PL_GRID_MEMORY_GIB, PL_GRID_RATED_GBPS, PL_GRID_NUMBERS };

/* A type of machine in one place, and the range of its measurements. */
struct pl_grid_machine {
	char *instance;
	char *text[PL_GRID_TEXTS];
	double number[PL_GRID_NUMBERS];
	size_t *ranks; /* [n_ranks] numbers of ranks measured, ascending */
	size_t n_ranks, ranks_room;
	uint64_t bytes_min, bytes_max;
	size_t async_min, async_max;
};

/* @async all-reduces of @bytes each, begun together by @ranks ranks on machines of one type. */
struct pl_grid_row {
	size_t machine; /* index in machine[] */
	uint64_t bytes;
	size_t ranks, async;
	double bytes_per_s; /* bus bandwidth of each: 2 s (n - 1) / (n t) */
};

/* Start with {0}, end with fini. */
struct pl_grid {
	struct pl_grid_machine *machine;
	size_t n_machines, machine_room;
	struct pl_grid_row *row;
	size_t n_rows, row_room;
};

/* Reads plink-grid(5). 0, or -1 with the grid empty and @err set: PL_EINPUT
 * with the place: no header, a column missing or twice, a field that is not a
 * number or is out of range, a machine described differently before, or no
 * row. */
int pl_grid_parse(struct pl_grid *g, struct pl_text *text, struct pl_err *err);
int pl_grid_read(struct pl_grid *g, const char *path, struct pl_err *err);
void pl_grid_fini(struct pl_grid *g);
void pl_grid_machine_fini(struct pl_grid_machine *m);

/* The names of the columns, such as "zone". */
extern const char *const pl_grid_text_name[PL_GRID_TEXTS];
extern const char *const pl_grid_number_name[PL_GRID_NUMBERS];

#endif

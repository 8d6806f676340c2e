/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - what plink-stalls table shows */
#ifndef PLINK_SRC_STALLS_TABLE_H
#define PLINK_SRC_STALLS_TABLE_H

#include "base/err.h"
#include "planner/catalogue/catalogue.h"
#include "planner/stalls/runs.h"

#include <stdbool.h>
#include <stdio.h>

/* Start with {0}. Strings are borrowed from argv. */
struct stalls_table {
	const char *catalogue, *region, *output;
	const char *picture; /* an SVG; NULL: none */
	bool spot, json;
	struct pl_stall_runs runs;
	struct pl_catalogue prices; /* empty without a catalogue */
};

/* Dollars for an hour of a machine of the type; NaN: no price is known. */
double stalls_table_price(const struct stalls_table *t, const char *machine);

/* The type of its machine, or of those of t5, and whether it has these. */
const char *stalls_table_machine(const struct pl_stall_run *run, bool apart);
bool stalls_table_apart(const struct pl_stall_run *run);

/* Draws t->picture. 0, or -1 with @err set. */
int stalls_table_picture(const struct stalls_table *t, struct pl_err *err);

/* 0, or -1 with @err set. @table is a struct stalls_table. */
int stalls_table_text(const void *table, FILE *out, struct pl_err *err);
int stalls_table_json(const void *table, FILE *out, struct pl_err *err);

#endif

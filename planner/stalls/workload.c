/* SPDX-License-Identifier: BSD-3-Clause */
/* workload.c - a workload of MLPerf Storage, as what-if takes it */
#include "config.h"

#include "planner/stalls/workload.h"

#include "base/text/number.h"

#include <string.h>

#define NUMBER_MIN 1e-9
#define NUMBER_MAX 1e15
#define GIB 1073741824.0

enum { FILES, PER_FILE, RECORD_BYTES, BATCH, COMPUTE_S, KEYS };

static const char *const keys[KEYS] = {
	[FILES] = "num_files_train:",
	[PER_FILE] = "num_samples_per_file:",
	[RECORD_BYTES] = "record_length_bytes:",
	[BATCH] = "batch_size:",
	[COMPUTE_S] = "computation_time:",
};

bool pl_stall_workload_is(const struct pl_text *text)
{
	const char *s = text->data + text->pos;

	return strncmp(s + strspn(s, " \t\r\n"), "model:", 6) == 0;
}

static int take_line(double value[KEYS], struct pl_line *line, struct pl_err *err)
{
	struct pl_word key, word;
	int i = 0;

	if (!pl_line_next(line, &key))
		return 0;
	while (i < KEYS && !pl_word_is(&key, keys[i]))
		i++;
	if (i == KEYS)
		return 0;
	if (value[i] > 0)
		return pl_err_at(err, key.place, "given twice");
	if (!pl_line_next(line, &word) || pl_double_parse(word.s, word.len, &value[i]) ||
	    !(value[i] >= NUMBER_MIN && value[i] <= NUMBER_MAX))
		return pl_err_at(err, key.place, "a number above 0 must stand behind it");
	return 0;
}

int pl_stall_workload_parse(struct pl_stall_store *store, struct pl_text *text, struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name, .line = 1, .col = 1};
	double value[KEYS] = {0};
	struct pl_line line;

	while (pl_text_next(text, &line))
		if (take_line(value, &line, err))
			return -1;
	for (int i = 0; i < KEYS; i++)
		if (value[i] == 0)
			return pl_err_at(err, whole, "this workload has no \"%s\"", keys[i]);
	store->samples = value[FILES] * value[PER_FILE];
	store->data_gib = store->samples * value[RECORD_BYTES] / GIB;
	store->ingestion_per_s = value[BATCH] / value[COMPUTE_S];
	store->cached_per_s = store->ingestion_per_s;
	return 0;
}

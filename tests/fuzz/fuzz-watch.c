/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-watch.c - any bytes as progress, as an answer, as a launch's names, as a journal */
#include "config.h"

#include "planner/srift/watch/history.h"
#include "planner/srift/watch/hooks.h"
#include "planner/srift/watch/journal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tell(void *ctx, const struct pl_srift_watch *w, const struct pl_watch_event *e)
{
	(void)ctx;
	if (!e->name || !isfinite(pl_watch_dollars(w, 1)))
		abort();
}

static const struct pl_watch_job job = {
	.iterations = 100,
	.time_limit_s = 1000,
	.budget = INFINITY,
	.silence_s = 10,
	.can_checkpoint = true,
	.can_stop = true,
};

/* To a watch that has a machine. */
static void try_progress(const uint8_t *data, size_t size)
{
	struct pl_progress_lines lines = {.file = "fuzz"};
	const struct pl_node node = {.name = (char *)(uintptr_t) "h",
				     .type = (char *)(uintptr_t) "t",
				     .spot = true,
				     .ended_s = NAN};
	struct pl_srift_watch w;
	struct pl_said p;
	struct pl_err err;
	double at_s = 0;

	pl_watch_init(&w, &job, tell, NULL);
	w.phase = PL_WATCH_RUN;
	pl_nodes_add(&w.nodes, &node);
	for (size_t at = 0; at < size; at_s++) {
		int status;

		at += pl_progress_feed(&lines, (const char *)data + at, size - at, &p, &status,
				       &err);
		if (status < 0 && (err.line < 1 || err.col < 1))
			abort();
		if (status > 0 && pl_watch_progress(&w, at_s, &p, &err))
			abort();
	}
	pl_watch_fini(&w);
}

static void try_outputs(struct pl_text *text)
{
	struct pl_srift_fleet fleet = {0};
	struct pl_words names = {0};
	struct pl_err err = {0};
	uint64_t saved;

	if (!pl_fleet_parse(&fleet, text, &err) &&
	    (!(fleet.iteration_s > 0) || !pl_fleet_machines(&fleet)))
		abort();
	pl_srift_fleet_fini(&fleet);
	text->pos = 0;
	text->line = 0;
	pl_hook_names(text, &names, &err);
	for (size_t i = 0; i < names.n; i++)
		if (!pl_host_name_is_good(names.v[i], strlen(names.v[i])))
			abort();
	pl_words_fini(&names);
	text->pos = 0;
	text->line = 0;
	pl_hook_saved(text, &saved);
	text->pos = 0;
	text->line = 0;
}

/* What is read back can go on. */
static void try_journal(struct pl_text *text)
{
	struct pl_journal_end end;
	struct pl_err err = {0};
	struct pl_srift_watch w;

	pl_watch_init(&w, &job, tell, NULL);
	if (pl_journal_parse(text, &w, &end, &err) == 0) {
		if (end.found && pl_watch_begin(&w, end.at_s, &err))
			abort();
		for (int i = 0; i < 8 && w.n_acts; i++)
			if (pl_watch_act_ended(&w, end.at_s, w.act[0].id,
					       &(struct pl_act_result){.failed = "x"}, &err))
				abort();
	} else if (err.code != PL_EINPUT || err.line < 1 || err.col < 1) {
		abort();
	}
	pl_watch_fini(&w);
}

static void try_history(struct pl_text *text)
{
	struct pl_history h = {0};
	struct pl_err err = {0};

	text->pos = 0;
	text->line = 0;
	if (pl_history_parse(&h, text, &err) &&
	    (err.code != PL_EINPUT || err.line < 1 || err.col < 1))
		abort();
	for (size_t i = 0; i < h.n; i++)
		if (h.kind[i].n_lost > h.kind[i].n_machines || !(h.kind[i].held_s >= 0))
			abort();
	pl_history_fini(&h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_text text;

	try_progress(data, size);
	if (pl_text_copy(&text, "fuzz", data, size, NULL))
		return 0;
	try_outputs(&text);
	try_journal(&text);
	try_history(&text);
	pl_text_fini(&text);
	return 0;
}

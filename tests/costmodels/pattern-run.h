/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern-run.h - runs a pattern: does it end, and who has whose data? */
#ifndef PLINK_TESTS_COSTMODELS_PATTERN_RUN_H
#define PLINK_TESTS_COSTMODELS_PATTERN_RUN_H

#include "costmodels/pattern.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* At the start, a position knows only itself. A message carries all that its source knows when it
 * is posted. At most 64 positions. */
struct pattern_run {
	const struct pl_pattern *p;
	uint32_t at[64];    /* the step that each position is in */
	uint64_t knows[64]; /* bit r: data of r has come here */
	uint64_t *carries;  /* by message */
	bool *done;         /* by message */
};

/* Has @pos nothing left to wait for in its step? */
static bool step_over(const struct pattern_run *run, size_t pos)
{
	const struct pl_pattern *p = run->p;

	for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++)
		if (p->message[i].sent_step == run->at[pos] && !run->done[i])
			return false;
	for (size_t i = p->into[pos]; i < p->into[pos + 1]; i++) {
		const struct pl_message *m = &p->message[p->received[i]];

		if (m->received_step == run->at[pos] && !run->done[p->received[i]])
			return false;
	}
	return true;
}

/* Ends the step of @pos: what it has received in this step becomes known; sends of the next step
 * carry what is known then. */
static void next_step(struct pattern_run *run, size_t pos)
{
	const struct pl_pattern *p = run->p;
	const uint32_t step = run->at[pos]++;

	for (size_t i = p->into[pos]; i < p->into[pos + 1]; i++)
		if (p->message[p->received[i]].received_step == step)
			run->knows[pos] |= run->carries[p->received[i]];
	for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++)
		if (p->message[i].send_step == step + 1)
			run->carries[i] = run->knows[pos];
}

/* Delivers the messages of which both ends are posted. True if there was
 * one. */
static bool deliver(struct pattern_run *run)
{
	bool moved = false;

	for (size_t i = 0; i < run->p->n_messages; i++) {
		const struct pl_message *m = &run->p->message[i];

		if (!run->done[i] && run->at[m->src] >= m->send_step &&
		    run->at[m->dst] >= m->recv_step)
			run->done[i] = moved = true;
	}
	return moved;
}

/*
 * Runs the pattern with a rendezvous for every send, the strictest protocol. True if all positions
 * come to their end; knows[n_pos] is what each knows then.
 */
__attribute__((unused)) static bool pattern_run(const struct pl_pattern *p, uint64_t *knows)
{
	struct pattern_run run = {.p = p};
	bool moved = true, ended = true;

	run.carries = calloc(p->n_messages + 1, sizeof(*run.carries));
	run.done = calloc(p->n_messages + 1, sizeof(*run.done));
	for (size_t pos = 0; pos < p->n_pos; pos++)
		run.knows[pos] = (uint64_t)1 << pos;
	for (size_t i = 0; i < p->n_messages; i++)
		if (p->message[i].send_step == 0)
			run.carries[i] = run.knows[p->message[i].src];
	while (moved) {
		moved = deliver(&run);
		for (size_t pos = 0; pos < p->n_pos; pos++)
			while (run.at[pos] < p->n_steps[pos] && step_over(&run, pos)) {
				next_step(&run, pos);
				moved = true;
			}
	}
	for (size_t pos = 0; pos < p->n_pos; pos++) {
		ended = ended && run.at[pos] == p->n_steps[pos];
		knows[pos] = run.knows[pos];
	}
	free(run.carries);
	free(run.done);
	return ended;
}

#endif

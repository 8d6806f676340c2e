/* SPDX-License-Identifier: BSD-3-Clause */
/* part.c - what one rank does in each schedule of a job */
#include "config.h"

#include "engine/part.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void pl_rank_part_fini(struct pl_rank_part *part)
{
	for (size_t i = 0; part->program && i < part->schedules->n; i++)
		pl_program_fini(&part->program[i]);
	free(part->program);
	memset(part, 0, sizeof(*part));
}

int pl_rank_part_init(struct pl_rank_part *part, const struct pl_schedules *schedules,
		      uint32_t rank, struct pl_err *err)
{
	*part = (struct pl_rank_part){
		.schedules = schedules,
		.program = pl_array_create(schedules->n, sizeof(*part->program))};
	if (!part->program)
		return pl_err_nomem(err);
	for (size_t i = 0; i < schedules->n; i++)
		if (pl_program_init(&part->program[i], &schedules->schedule[i].slices, rank, err)) {
			pl_rank_part_fini(part);
			return -1;
		}
	for (size_t i = 0; i < schedules->n; i++)
		part->program[i].begins_empty = schedules->n_aggregators > 0 &&
						rank >= pl_hosts_ranks(&schedules->job.hosts);
	return 0;
}

void pl_rank_part_peers(const struct pl_rank_part *part, bool *is_peer)
{
	const size_t n = pl_hosts_ranks(&part->schedules->job.hosts);

	for (size_t p = 0; part->schedules->is_tuned && p < n; p++)
		is_peer[p] = true;
	for (size_t i = 0; i < part->schedules->n; i++) {
		const struct pl_program *p = &part->program[i];

		for (size_t k = 0; k < p->first[p->n_slices]; k++)
			is_peer[p->act[k].peer] = true;
	}
}

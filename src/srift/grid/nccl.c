/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl.c - the job that measures: all_reduce_perf of nccl-tests */
#include "config.h"

#include "src/srift/grid/grid.h"

#include <inttypes.h>
#include <stdio.h>

/* Each rank tells what its machine is before it becomes all_reduce_perf, which tells nothing of
 * processors and memory. */
static const char describe[] = "json() { tr -d '\"\\\\' | head -n 1; }\n"
			       "gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | json)\n"
			       "cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | json)\n"
			       "kib=$(sed -n 's/^MemTotal: *\\([0-9]*\\).*/\\1/p' /proc/meminfo)\n"
			       "printf 'machine {\"gpu\": \"%s\", \"cpu\": \"%s\", \"cores\": %s, "
			       "\"memory_gib\": %s}\\n' \"$gpu\" \"${cpu:-$(uname -m)}\" "
			       "\"$(getconf _NPROCESSORS_ONLN)\" $(((kib + 524288) / 1048576))\n"
			       "exec \"$@\"\n";

size_t srift_nccl_cells(const struct srift_grid_cell *cell, size_t n)
{
	size_t k = 1;

	while (k < n && cell[k].bytes == 2 * cell[k - 1].bytes && cell[k].times == cell[0].times)
		k++;
	return k;
}

static void add_number(struct pl_words *w, const char *option, uint64_t value)
{
	char s[32];

	snprintf(s, sizeof(s), "%" PRIu64, value);
	pl_words_add(w, option);
	pl_words_add(w, s);
}

void srift_nccl_program(struct pl_words *w, const struct srift_grid_job *job)
{
	pl_words_add(w, "sh");
	pl_words_add(w, "-c");
	pl_words_add(w, describe);
	pl_words_add(w, "sh");
	pl_words_add(w, job->o->nccl_tests);
	add_number(w, "-b", job->cell[0].bytes);
	add_number(w, "-e", job->cell[job->n_cells - 1].bytes);
	add_number(w, "-f", 2); /* from size to size */
	add_number(w, "-N", job->cell[0].times);
	add_number(w, "-a", 3); /* the slowest rank counts */
	add_number(w, "-c", 0); /* results are not checked */
}

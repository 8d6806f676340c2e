/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.c - measured steps of training runs: kept and written */
#include "config.h"

#include "planner/stalls/runs.h"

#include "base/mem.h"
#include "base/text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *pl_stall_step_name(enum pl_stall_step step)
{
	static const char *const names[] = {"t1", "t2", "t3", "t4", "t5"};

	return names[step];
}

static void fini_run(struct pl_stall_run *run)
{
	free(run->model);
	free(run->machine);
	free(run->apart);
	free(run->script);
}

void pl_stall_runs_cut(struct pl_stall_runs *runs, size_t n)
{
	while (runs->n > n)
		fini_run(&runs->v[--runs->n]);
}

void pl_stall_runs_fini(struct pl_stall_runs *runs)
{
	pl_stall_runs_cut(runs, 0);
	free(runs->v);
	memset(runs, 0, sizeof(*runs));
}

struct pl_stall_run *pl_stall_runs_add(struct pl_stall_runs *runs, const char *model,
				       const char *machine)
{
	struct pl_stall_run run = {
		.model = pl_string_copy(model, strlen(model)),
		.machine = pl_string_copy(machine, strlen(machine)),
		.gpus = 1,
		.workers = PL_STALL_WORKERS_UNKNOWN,
	};

	for (int s = 0; s < PL_STALL_STEPS; s++)
		run.t_s[s] = NAN;
	if (!run.model || !run.machine ||
	    pl_array_grow((void **)&runs->v, &runs->room, runs->n, sizeof(*runs->v))) {
		fini_run(&run);
		return NULL;
	}
	runs->v[runs->n] = run;
	return &runs->v[runs->n++];
}

static void write_step(const struct pl_stall_run *run, int step, FILE *out)
{
	char number[PL_DOUBLE_CHARS];

	if (isnan(run->t_s[step]))
		return;
	fprintf(out, "%s %s", pl_stall_step_name((enum pl_stall_step)step),
		pl_double_format(number, run->t_s[step]));
	if (run->iterations[step])
		fprintf(out, " iterations=%" PRIu64, run->iterations[step]);
	if (run->error_s[step] > 0)
		fprintf(out, " error=%s", pl_double_format(number, run->error_s[step]));
	if (step == PL_STALL_T5)
		fprintf(out, " machines=%" PRIu64, run->machines);
	if (step == PL_STALL_T5 && run->apart)
		fprintf(out, " instance=%s", run->apart);
	fputc('\n', out);
}

static void write_run(const struct pl_stall_run *run, FILE *out)
{
	const struct {
		const char *key;
		uint64_t n;
	} known[] = {
		{"batch", run->batch},           {"samples", run->samples},
		{"data-bytes", run->data_bytes}, {"layers", run->layers},
		{"gradients", run->gradients},
	};

	fprintf(out, "run %s %s\ngpus %" PRIu64 "\n", run->model, run->machine, run->gpus);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].n)
			fprintf(out, "%s %" PRIu64 "\n", known[i].key, known[i].n);
	if (run->workers != PL_STALL_WORKERS_UNKNOWN)
		fprintf(out, "workers %" PRIu64 "\n", run->workers);
	if (run->script)
		fprintf(out, "script %s\n", run->script);
	for (int s = 0; s < PL_STALL_STEPS; s++)
		write_step(run, s, out);
}

int pl_stall_runs_write(const struct pl_stall_runs *runs, FILE *out, struct pl_err *err)
{
	fputs("# plink-stalls 1\n", out);
	for (size_t i = 0; i < runs->n; i++)
		write_run(&runs->v[i], out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - a choice of workers and batch, in words */
#include "config.h"

#include "src/batch/batch.h"

#include "base/text/size.h"

#include <math.h>

/* " - 3.2" or " + 3.2" */
static void write_term(double x, FILE *out)
{
	fprintf(out, " %c %.4g", x < 0 ? '-' : '+', fabs(x));
}

static void write_error(const struct pl_law_error *error, FILE *out)
{
	if (error->n)
		fprintf(out, "; at %zu points off by %.1f %% in the mean, %.1f %% at most",
			error->n, 100 * error->mean, 100 * error->most);
	fputc('\n', out);
}

static void write_step(const struct pl_step_law *law, FILE *out)
{
	const double *p = law->p;

	fprintf(out, "seconds of an iteration, K workers of b samples: ");
	if (!law->known) {
		fprintf(out, "too few points for a law\n");
		return;
	}
	if (law->form == PL_LAW_OVERLAP) {
		fprintf(out,
			"(C^%.3g + S^%.3g)^(1/%.3g), C = %.4g + %.4g b, S = %.4g + %.4g (K - 2)",
			p[4], p[4], p[4], p[0], p[1], p[2], p[3]);
	} else {
		fprintf(out, "%.4g", p[0]);
		write_term(p[1], out);
		fprintf(out, " b");
		if (!law->only_workers) {
			write_term(p[2], out);
			fprintf(out, " K");
		}
	}
	write_error(&law->error, out);
}

static void write_noise(const struct pl_epoch_law *law, FILE *out)
{
	if (law->form == PL_LAW_GOODPUT && !isnan(law->scale))
		fprintf(out, "noise scale: %.4g samples\n", law->scale);
	if (law->form == PL_LAW_NOISE && law->noise_known) {
		fprintf(out, "noise: %.4g", law->a);
		write_term(law->b, out);
		fprintf(out, " / sqrt(B)\n");
	}
}

static void write_epochs(const struct pl_epoch_law *law, FILE *out)
{
	const bool noise = law->form == PL_LAW_NOISE;

	write_noise(law, out);
	fprintf(out, "epochs, batches of B samples: ");
	if (!law->known) {
		fprintf(out, "too few points for a law\n");
		return;
	}
	fprintf(out, "%.4g", law->e);
	write_term(law->slope, out);
	fprintf(out, !noise ? " B" : law->noise_known ? " noise" : " / sqrt(B)");
	if (law->losses)
		fprintf(out, " (from the losses of two jobs)");
	if (law->relative)
		fprintf(out, " (no point has epochs: times and costs are those of 1 epoch %s)",
			law->losses ? "with the smaller batch of these"
			: noise     ? "at the largest batch"
				    : "of small batches");
	if (law->proportional)
		fprintf(out, " (from the epochs of one batch, in proportion to %s)",
			law->losses ? "those of the losses"
			: noise     ? "the noise"
				    : "1 + B / noise scale");
	write_error(&law->error, out);
}

static void write_memory(const struct batch_answer *a, FILE *out)
{
	const struct pl_memory_law *law = &a->laws.memory;
	char size[PL_SIZE_CHARS];
	const double limit = a->space.memory_bytes;
	const double most = (double)a->space.batch[a->space.n_batches - 1];

	if (!law->known)
		return;
	fprintf(out, "bytes of a worker: %.4g", law->fixed);
	write_term(law->sample, out);
	fprintf(out, " b");
	if (isfinite(limit) && law->sample > 0)
		fprintf(out, "; %s take %.0f samples, batches of %.0f at least %.0f workers",
			pl_size_format(size, a->o->memory_bytes), pl_memory_law_samples(law, limit),
			most, pl_memory_law_workers(law, limit, most));
	fputc('\n', out);
}

static void write_cell(const struct batch_answer *a, size_t i, FILE *out)
{
	const struct pl_batch_plan *plan = &a->plan;
	const struct pl_batch_cell *c = &plan->cell[i];

	fprintf(out, "%7zu %9.0f %9s%c %8.4g%c %10.0f %9s %9.4f %9.4g%s%s%s\n", c->workers,
		c->batch, PL_TIME_TEXT(c->seconds), c->seconds_measured ? '*' : ' ', c->epochs,
		c->epochs_measured ? '*' : ' ', c->iterations, PL_TIME_TEXT(c->time_s), c->per_hour,
		c->cost, i == plan->fastest ? " fastest" : "",
		i == plan->cheapest ? " cheapest" : "", i == plan->knee ? " knee" : "");
}

size_t batch_unstable(const struct pl_points *points)
{
	size_t n = 0;

	for (size_t i = 0; i < points->n; i++)
		n += points->point[i].error > PL_NOISE_STABLE;
	return n;
}

static void write_unstable(const struct pl_points *points, FILE *out)
{
	const size_t n = batch_unstable(points);

	if (n)
		fprintf(out,
			"noise that is not stable: of %zu of %zu points, whose standard error is "
			"above %.0f %%\n",
			n, points->n, 100 * PL_NOISE_STABLE);
}

static void write_left_out(const struct pl_batch_plan *plan, FILE *out)
{
	if (plan->n_too_large)
		fprintf(out, "%zu choices are too large: for the memory, or because jobs failed\n",
			plan->n_too_large);
	if (plan->n_unknown)
		fprintf(out, "%zu choices cannot be predicted\n", plan->n_unknown);
	if (plan->n_beyond)
		fprintf(out, "%zu choices take too long or cost too much\n", plan->n_beyond);
}

static void write_chosen(const struct batch_answer *a, FILE *out)
{
	static const char *const why[] = {
		[BATCH_COST] = "costs least",
		[BATCH_TIME] = "takes least time",
		[BATCH_KNEE] = "is the knee",
	};
	const struct pl_batch_plan *plan = &a->plan;
	const bool no_knee = a->o->objective == BATCH_KNEE && plan->knee == plan->n_cells;

	if (plan->n_cells == 0) {
		fprintf(out, "no choice is within the limits\n");
		return;
	}
	fprintf(out, "choice: %zu workers, batch %.0f: of %zu choices it %s\n",
		plan->cell[a->chosen].workers, plan->cell[a->chosen].batch, plan->n_cells,
		no_knee ? "costs least (there is no knee)" : why[a->o->objective]);
}

void batch_text(const struct batch_answer *a, FILE *out)
{
	const struct pl_batch_plan *plan = &a->plan;

	write_step(&a->laws.step, out);
	write_epochs(&a->laws.epoch, out);
	write_unstable(a->points, out);
	write_memory(a, out);
	if (a->points->rate_told)
		fprintf(out, "learning rate: %s\n", pl_batch_rate_name[a->points->rate]);
	fprintf(out, "\n%7s %9s %9s  %8s  %10s %9s %9s %9s\n", "workers", "batch", "iteration",
		"epochs", "iterations", "time", "$/h", "$");
	for (size_t i = 0; i < plan->n_front; i++)
		write_cell(a, plan->front[i], out);
	fprintf(out, "(* measured; a choice that is not shown is neither faster nor cheaper than "
		     "one of these)\n");
	write_left_out(plan, out);
	write_chosen(a, out);
}

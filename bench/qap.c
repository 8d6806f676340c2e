/* SPDX-License-Identifier: BSD-3-Clause */
/* qap.c - how cheap a job's ranks with any traffic are placed on hosts */
#include "config.h"

#include "bench/options.h"
#include "bench/qap-baselines.h"
#include "bench/qap-instances.h"
#include "base/mem.h"
#include "solver/assign/assign.h"
#include "src/common/tool.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define TOOL "qap"
#define SEEDS_MAX 99

static const char help[] =
	"usage: qap [OPTION]...\n"
	"Places positions on hosts and prints for each instance: positions, hosts and\n"
	"slots of each; the cost found; how far that is above the best one known, and\n"
	"the worst seed; how far above the bound; as multiples of the cost found, those of\n"
	"the given assignment, of exchanges of two from it, each made as soon as it pays,\n"
	"until none does or for as long, of the heaviest pair first, and of Scotch's gmap,\n"
	"if that is installed; seconds until the cost was found; moves a second. Medians\n"
	"over the seeds. Times are of the processor; a search ends at the best cost known.\n"
	"\n"
	"  --data=DIR         QAPLIB instances besides: DIR/qaplib/NAME.qap\n"
	"  --max-positions=N  no larger ones of those made up (default 100000)\n"
	"  --time=S           for each seed (default 5)\n"
	"  --seeds=N          seeds 1 to N (default 3)\n"
	"  --help, --version\n"
	"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

struct args {
	double seconds;
	int64_t n_seeds;
};

static volatile sig_atomic_t time_is_over;

static void on_timer(int signal)
{
	(void)signal;
	time_is_over = 1;
}

/* Sets the flag after so many seconds of the processor; 0: never. */
static void set_timer(double seconds)
{
	struct itimerval t = {.it_value = {.tv_sec = (time_t)seconds}};

	t.it_value.tv_usec = (suseconds_t)((seconds - floor(seconds)) * 1e6);
	time_is_over = 0;
	setitimer(ITIMER_PROF, &t, NULL);
}

static double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One value a seed. */
struct series {
	double v[SEEDS_MAX];
	size_t n;
};

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double middle(struct series *s)
{
	qsort(s->v, s->n, sizeof(*s->v), by_value);
	return s->v[(s->n - 1) / 2];
}

static double last(struct series *s)
{
	qsort(s->v, s->n, sizeof(*s->v), by_value);
	return s->v[s->n - 1];
}

/* What one instance gave, over the seeds. */
struct outcome {
	double given, bound, exchanged, greedy, scotch;
	double moves, search_seconds;
	struct series cost, seconds;
};

/* When the search had its best assignment. */
struct watch {
	double start, cost, seconds;
};

static void on_progress(void *arg, const struct pl_restarts_progress *now)
{
	struct watch *w = arg;

	if (now->cost < w->cost) {
		w->cost = now->cost;
		w->seconds = processor_seconds() - w->start;
	}
}

static int search(const struct qap_instance *in, const struct args *args, uint64_t seed, size_t *at,
		  struct outcome *o, struct pl_err *err)
{
	const struct pl_stop stop = {.flag = &time_is_over};
	struct watch watch = {.start = processor_seconds(), .cost = INFINITY};
	const struct pl_assign_options options = {
		.seed = seed,
		.moves = UINT64_MAX,
		.target = fmax(o->bound, in->known - in->constant),
		.stop = &stop,
		.progress = on_progress,
		.progress_arg = &watch,
	};
	struct pl_assign_result r;

	memcpy(at, in->given, in->problem.n_pos * sizeof(*at));
	set_timer(args->seconds);
	if (pl_assign_search(&in->problem, &options, at, &r, err))
		return -1;
	o->moves += (double)r.moves;
	o->search_seconds += processor_seconds() - watch.start;
	o->cost.v[o->cost.n++] = r.cost + in->constant;
	o->seconds.v[o->seconds.n++] = watch.seconds;
	return 0;
}

static void percent(double x)
{
	if (isnan(x))
		printf(" %8s", "-");
	else
		printf(" %7.3f%%", 100 * x);
}

static void print_head(void)
{
	printf("%-14s %5s %5s %5s %13s %8s %8s %8s %6s %6s %6s %6s %6s %9s\n", "instance", "pos.",
	       "hosts", "slots", "found", "known", "worst", "bound", "given", "2-swap", "greedy",
	       "Scotch", "found", "moves/s");
	printf("%-14s %5s %5s %5s %13s %8s %8s %8s %6s %6s %6s %6s %6s\n", "", "", "", "", "",
	       "gap", "seed", "gap", "/found", "/found", "/found", "/found", "s");
}

static void print_row(const struct qap_instance *in, struct outcome *o)
{
	const struct pl_assign_problem *p = &in->problem;
	const double cost = middle(&o->cost);

	printf("%-14s %5zu %5zu %5zu %13.9g", in->name, p->n_pos, p->costs->n,
	       p->slots ? p->slots[0] : 1, cost);
	percent(cost / in->known - 1);
	percent(last(&o->cost) / in->known - 1);
	percent(o->bound > 0 ? cost / (o->bound + in->constant) - 1 : NAN);
	printf(" %6.3f %6.3f %6.3f %6.3f %6.2f", o->given / cost, o->exchanged / cost,
	       o->greedy / cost, o->scotch / cost, middle(&o->seconds));
	if (o->search_seconds > 0)
		printf(" %9.0f", o->moves / o->search_seconds);
	putchar('\n');
	fflush(stdout);
}

/* Scotch's cost is NaN where it is not installed. @at: [n_pos] scratch. */
static int try_baselines(const struct qap_instance *in, const struct args *args, size_t *at,
			 struct outcome *o, struct pl_err *err)
{
	const size_t bytes = in->problem.n_pos * sizeof(*at);

	o->given = pl_assign_cost(&in->problem, in->given) + in->constant;
	memcpy(at, in->given, bytes);
	set_timer(args->seconds);
	if (qap_exchange(in, at, &time_is_over, err))
		return -1;
	o->exchanged = pl_assign_cost(&in->problem, at) + in->constant;
	set_timer(0);
	if (qap_greedy(in, at, err))
		return -1;
	o->greedy = pl_assign_cost(&in->problem, at) + in->constant;
	at[0] = SIZE_MAX;
	if (qap_scotch(in, at, err))
		return -1;
	o->scotch = at[0] == SIZE_MAX ? NAN : pl_assign_cost(&in->problem, at) + in->constant;
	return 0;
}

static int try_instance(const struct qap_instance *in, void *arg, struct pl_err *err)
{
	const struct args *args = arg;
	struct outcome o = {0};
	size_t *at;
	int rc;

	if (isnan(in->constant))
		return pl_err_set(err, PL_EINPUT, "%s: diagonals of several values", in->name);
	at = pl_array_create(in->problem.n_pos, sizeof(*at));
	if (!at)
		return pl_err_nomem(err);
	rc = try_baselines(in, args, at, &o, err);
	if (rc == 0)
		rc = pl_assign_bound(&in->problem, &o.bound, err);
	for (int64_t seed = 1; rc == 0 && seed <= args->n_seeds; seed++)
		rc = search(in, args, (uint64_t)seed, at, &o, err);
	if (rc == 0)
		print_row(in, &o);
	free(at);
	return rc;
}

int main(int argc, char **argv)
{
	struct args args = {.seconds = 5, .n_seeds = 3};
	const char *data = NULL;
	int64_t pos_max = 100000;
	const struct bench_option options[] = {
		{"data", .text = &data},
		{"max-positions", .whole = &pos_max, .least = 0, .most = INT32_MAX},
		{"time", .seconds = &args.seconds},
		{"seeds", .whole = &args.n_seeds, .least = 1, .most = SEEDS_MAX},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	signal(SIGPROF, on_timer);
	print_head();
	if ((data && qap_instances_read(data, try_instance, &args, &err)) ||
	    qap_instances_make((size_t)pos_max, try_instance, &args, &err))
		return pl_tool_fail(TOOL, &err);
	return PL_EXIT_DONE;
}

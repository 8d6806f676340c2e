/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - plink-srift profile: a profile from traces of PyTorch's
 * profiler */
#include "config.h"

#include "src/srift/profile.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/outfile.h"
#include "planner/srift/profile/kineto.h"
#include "src/common/tool.h"
#include "src/srift/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_MAX 1000000000
#define RANKS_MAX 1024
#define NAME_MAX_BYTES 255

static const char help[] =
	"Usage: plink-srift profile --batches=LIST [OPTION]... TRACE...\n"
	"Makes a profile (plink-profile(5)) from traces of PyTorch's profiler, "
	"one trace\n"
	"for each batch. Without traces, use plink_profile.py instead.\n"
	"\n"
	"  --batches=LIST       samples of an iteration in each trace: "
	"1,8,16,24\n"
	"  --ranks=N            accelerators in a machine; the traces are of "
	"one (1)\n"
	"  --model=NAME         name of the model (traced)\n"
	"  --instance=NAME      type of the machine (here)\n"
	"  -o, --output=FILE    write the profile to FILE (standard output)\n"
	"      --help, --version\n"
	"\n"
	"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

enum { BATCHES = 256, RANKS, MODEL, INSTANCE, SHOW_HELP, SHOW_VERSION };

static const struct option longs[] = {
	{"batches", required_argument, NULL, BATCHES},
	{"ranks", required_argument, NULL, RANKS},
	{"model", required_argument, NULL, MODEL},
	{"instance", required_argument, NULL, INSTANCE},
	{"output", required_argument, NULL, 'o'},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

/* Strings are borrowed from argv. */
struct options {
	double batch[PL_PROFILE_POINTS_MAX]; /* of a rank */
	size_t n_batches;
	uint64_t ranks;
	const char *model, *instance, *output;
	char **trace; /* [n_batches] */
	bool done;
};

static int take_batches(struct options *o, const char *s)
{
	int64_t batch = 0, before;

	for (o->n_batches = 0; o->n_batches < PL_PROFILE_POINTS_MAX;) {
		const size_t len = strcspn(s, ",");

		before = batch;
		if (pl_int_parse(s, len, before + 1, BATCH_MAX, &batch))
			break;
		o->batch[o->n_batches++] = (double)batch;
		if (!s[len])
			return PL_EXIT_DONE;
		s += len + 1;
	}
	return pl_tool_usage(SRIFT_TOOL,
			     "--batches wants numbers of samples that ascend, "
			     "as 1,8,16,24, at most %d",
			     PL_PROFILE_POINTS_MAX);
}

static int take_name(int opt, const char *s, const char **name)
{
	const size_t len = strlen(s);

	*name = s;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			return pl_tool_usage(SRIFT_TOOL,
					     "--%s: a control character",
					     pl_tool_option(longs, opt));
	if (len >= 1 && len <= NAME_MAX_BYTES)
		return PL_EXIT_DONE;
	return pl_tool_usage(SRIFT_TOOL, "--%s wants 1 to %d bytes",
			     pl_tool_option(longs, opt), NAME_MAX_BYTES);
}

static int take(struct options *o, int opt, const char *s)
{
	switch (opt) {
	case BATCHES:
		return take_batches(o, s);
	case RANKS:
		return pl_tool_take_whole(SRIFT_TOOL, longs, opt, s, 1,
					  RANKS_MAX, &o->ranks);
	case MODEL:
		return take_name(opt, s, &o->model);
	case INSTANCE:
		return take_name(opt, s, &o->instance);
	case 'o':
		o->output = s;
		return PL_EXIT_DONE;
	case SHOW_HELP:
		o->done = true;
		return pl_tool_help(SRIFT_TOOL, help);
	case SHOW_VERSION:
		o->done = true;
		return pl_tool_version(SRIFT_TOOL);
	default:
		return pl_tool_usage(SRIFT_TOOL, "unknown option, or a value "
						 "is missing");
	}
}

static int parse(struct options *o, int argc, char **argv)
{
	int opt, status = PL_EXIT_DONE;

	*o = (struct options){
		.ranks = 1, .model = "traced", .instance = "here"};
	opterr = 0;
	while (status == PL_EXIT_DONE && !o->done &&
	       (opt = getopt_long(argc, argv, "o:", longs, NULL)) != -1)
		status = take(o, opt, optarg);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	o->trace = argv + optind;
	if (argc == optind)
		return pl_tool_usage(SRIFT_TOOL, "a trace is wanted");
	if (o->n_batches == 0)
		return pl_tool_usage(SRIFT_TOOL,
				     "--batches is wanted: traces do not "
				     "contain the samples of an iteration");
	if (o->n_batches != (size_t)(argc - optind))
		return pl_tool_usage(SRIFT_TOOL,
				     "%zu batches and %d traces: give one "
				     "batch for each trace",
				     o->n_batches, argc - optind);
	for (int i = optind; i < argc && !status; i++)
		status = pl_tool_spares(SRIFT_TOOL, o->output, argv[i]);
	return status;
}

/* What the profile rests on, and what it lacks. */
static void say(const char *trace, double batch, const struct pl_kineto *k)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < k->n_gradients; i++)
		bytes += k->gradient[i].bytes;
	pl_tool_say(SRIFT_TOOL,
		    "%s: %g samples: forward %.6g s, backward %.6g s, of %zu "
		    "iteration%s, on the %s; %zu %s of %.6g MB in all",
		    trace, batch, k->forward_s, k->backward_s, k->n_steps,
		    k->n_steps == 1 ? "" : "s",
		    k->n_kernels ? "accelerator" : "processor", k->n_gradients,
		    k->by_message ? "all-reduces" : "gradients",
		    (double)bytes / 1e6);
	if (k->unmarked)
		pl_tool_say(SRIFT_TOOL,
			    "%s: no iterations are marked: the whole trace "
			    "counts as one",
			    trace);
	if (k->n_partial + k->n_other)
		pl_tool_say(SRIFT_TOOL,
			    "%s: left out: %zu without both passes, %zu with "
			    "other gradients than the last",
			    trace, k->n_partial, k->n_other);
}

static int read_traces(const struct options *o, struct pl_kineto *k,
		       struct pl_err *err)
{
	for (size_t i = 0; i < o->n_batches; i++) {
		if (pl_kineto_read(&k[i], o->trace[i], err))
			return -1;
		say(o->trace[i], o->batch[i], &k[i]);
	}
	if (k[0].by_message)
		pl_tool_say(SRIFT_TOOL,
			    "the trace has no shapes: each all-reduce counts "
			    "as one gradient; predict without --buckets");
	if (k[o->n_batches - 1].straggler == 0)
		pl_tool_say(SRIFT_TOOL,
			    "too few iterations to see how much they differ: "
			    "straggler is 0 (set it with predict --straggler)");
	return 0;
}

static int write(const struct options *o, const struct pl_profile *p,
		 struct pl_err *err)
{
	struct pl_outfile out = {0};
	int rc = pl_outfile_open(&out, o->output, err);

	if (rc == 0)
		rc = pl_profile_write(p, out.f, err);
	if (rc == 0)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	return rc;
}

static int run(struct options *o, struct pl_err *err)
{
	struct pl_kineto *k = pl_array_create(o->n_batches, sizeof(*k));
	struct pl_profile p = {0};
	int rc = -1;

	if (!k)
		return pl_err_nomem(err);
	if (read_traces(o, k, err))
		goto out;
	for (size_t i = 0; i < o->n_batches; i++)
		o->batch[i] *= (double)o->ranks;
	if (pl_kineto_profile(&p, k, o->batch, o->n_batches, o->model,
			      o->instance, err))
		goto out;
	p.instance[0].ranks = o->ranks;
	rc = write(o, &p, err);
out:
	pl_profile_fini(&p);
	for (size_t i = 0; i < o->n_batches; i++)
		pl_kineto_fini(&k[i]);
	free(k);
	return rc;
}

int srift_profile(int argc, char **argv)
{
	struct options o;
	struct pl_err err = {0};
	const int status = parse(&o, argc, argv);

	if (status != PL_EXIT_DONE || o.done)
		return status;
	return run(&o, &err) ? pl_tool_fail(SRIFT_TOOL, &err) : PL_EXIT_DONE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - plink-srift profile: a profile from traces of PyTorch's
 * profiler */
#include "config.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/outfile.h"
#include "base/text/size.h"
#include "planner/srift/profile/kineto.h"
#include "src/common/tool.h"
#include "src/srift/options.h"
#include "src/srift/verbs.h"

#include <stdlib.h>
#include <string.h>

#define BATCH_MAX 1000000000
#define RANKS_MAX 1024
#define NAME_MAX_BYTES 255

/* clang-format off */
static const char help[] =
"Usage: plink-srift profile --batches=LIST [OPTION]... TRACE...\n"
"Makes a profile (plink-profile(5)) from traces of PyTorch's profiler, one trace\n"
"for each batch. Without traces, use plink_profile.py instead.\n"
"\n"
"  --batches=LIST       samples of an iteration in each trace: 1,8,16,24\n"
"  --ranks=N            accelerators in a machine; the traces are of one (1)\n"
"  --model=NAME         name of the model (traced)\n"
"  --instance=NAME      type of the machine (here)\n"
"  -o, --output=FILE    write the profile to FILE (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

/* Strings are borrowed from argv. */
struct options {
	double batch[PL_PROFILE_POINTS_MAX]; /* of a rank */
	size_t n_batches;
	uint64_t ranks;
	const char *model, *instance, *output;
	char **trace; /* [n_batches] */
	bool done;
};

static int take_batches(void *options, const struct pl_option *option, const char *s,
			struct pl_err *err)
{
	struct options *o = options;
	int64_t batch = 0, before;

	for (o->n_batches = 0; o->n_batches < PL_PROFILE_POINTS_MAX;) {
		const size_t len = strcspn(s, ",");

		before = batch;
		if (pl_int_parse(s, len, before + 1, BATCH_MAX, &batch))
			break;
		o->batch[o->n_batches++] = (double)batch;
		if (!s[len])
			return 0;
		s += len + 1;
	}
	return pl_err_set(err, PL_EUSAGE,
			  "--%s wants numbers of samples that ascend, as 1,8,16,24, at most %d",
			  option->name, PL_PROFILE_POINTS_MAX);
}

static int take_name(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	const size_t len = strlen(value);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)value[i] < ' ' || value[i] == 0x7f)
			return pl_err_set(err, PL_EUSAGE, "--%s: a control character",
					  option->name);
	if (len >= 1 && len <= NAME_MAX_BYTES)
		return pl_take_text(o, option, value, err);
	return pl_err_set(err, PL_EUSAGE, "--%s wants 1 to %d bytes", option->name, NAME_MAX_BYTES);
}

#define AT(member) PL_OPTION_AT(struct options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"batches", required_argument, 0, .take = take_batches},
	{"ranks", required_argument, 0, pl_take_whole, AT(ranks), 1, RANKS_MAX},
	{"model", required_argument, 0, take_name, AT(model)},
	{"instance", required_argument, 0, take_name, AT(instance)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

static int parse(struct options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SRIFT_TOOL, .option = table, .help = help};
	int status;

	*o = (struct options){.ranks = 1, .model = "traced", .instance = "here"};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	o->trace = argv + optind;
	if (argc == optind)
		return srift_usage("a trace is wanted");
	if (o->n_batches == 0)
		return srift_usage(
			"--batches is wanted: traces do not contain the samples of an iteration");
	if (o->n_batches != (size_t)(argc - optind))
		return srift_usage("%zu batches and %d traces: give one batch for each trace",
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
	srift_say("%s: %g samples: forward %s, backward %s, of %zu iteration%s, on the %s; %zu %s "
		  "of %.6g MB in all",
		  trace, batch, PL_TIME_TEXT(k->forward_s), PL_TIME_TEXT(k->backward_s), k->n_steps,
		  k->n_steps == 1 ? "" : "s", k->n_kernels ? "accelerator" : "processor",
		  k->n_gradients, k->by_message ? "all-reduces" : "gradients", (double)bytes / 1e6);
	if (k->damage.code)
		srift_say("%s:%ld:%ld: %s", k->damage.file, k->damage.line, k->damage.col,
			  k->damage.text);
	if (k->unmarked)
		srift_say("%s: no iterations are marked: the whole trace counts as one", trace);
	if (k->n_partial + k->n_other)
		srift_say("%s: left out: %zu without both passes, %zu with other gradients", trace,
			  k->n_partial, k->n_other);
}

static int read_traces(const struct options *o, struct pl_kineto *k, struct pl_err *err)
{
	for (size_t i = 0; i < o->n_batches; i++) {
		if (pl_kineto_read(&k[i], o->trace[i], err))
			return -1;
		say(o->trace[i], o->batch[i], &k[i]);
	}
	if (k[0].by_message)
		srift_say("the trace has no shapes: each all-reduce counts as one gradient; "
			  "predict without --buckets");
	if (k[o->n_batches - 1].straggler == 0)
		srift_say("too few iterations to see how much they differ: straggler is 0 (set it "
			  "with predict --straggler)");
	return 0;
}

static int write(const struct options *o, const struct pl_profile *p, struct pl_err *err)
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
	static const char with[] = "traces of PyTorch's profiler";
	struct pl_kineto *k = pl_array_create(o->n_batches, sizeof(*k));
	struct pl_profile p = {0};
	int rc = -1;

	if (!k)
		return pl_err_nomem(err);
	if (read_traces(o, k, err))
		goto out;
	for (size_t i = 0; i < o->n_batches; i++)
		o->batch[i] *= (double)o->ranks;
	if (pl_kineto_profile(&p, k, o->batch, o->n_batches, o->model, o->instance, err))
		goto out;
	p.instance[0].ranks = o->ranks;
	p.instance[0].origin.kind = PL_ORIGIN_MEASURED;
	p.instance[0].origin.with = pl_string_copy(with, strlen(with));
	rc = p.instance[0].origin.with ? write(o, &p, err) : pl_err_nomem(err);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.c - plink-srift merge: profiles of a model on several types of machines as one */
#include "config.h"

#include "src/srift/network.h"
#include "src/srift/verbs.h"

#include <string.h>

/* clang-format off */
static const struct pl_option table[] = {
	{"output", required_argument, 'o', pl_take_filled, SRIFT_AT(output)},
	{0},
};
/* clang-format on */

static int parse(struct srift_options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SRIFT_TOOL, .option = table, .help = srift_merge_help};
	int status;

	srift_options_init(o);
	o->data = PL_DATA_NONE; /* times stay as they are */
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	o->n_profiles = (size_t)(argc - optind);
	if (o->n_profiles < 1 || o->n_profiles > SRIFT_PROFILES_MAX)
		return srift_usage("merge takes 1 to %d profiles", SRIFT_PROFILES_MAX);
	for (size_t i = 0; i < o->n_profiles; i++)
		o->profile[i] = argv[optind + (int)i];
	return PL_EXIT_DONE;
}

static int write_profile(const void *profile, FILE *out, struct pl_err *err)
{
	return pl_profile_write(profile, out, err);
}

int srift_merge(int argc, char **argv)
{
	struct srift_options o;
	struct pl_profile p = {0};
	struct pl_err err = {0};
	int status = parse(&o, argc, argv);

	if (status != PL_EXIT_DONE || o.done)
		return status;
	if (srift_profile_load(&p, &o, &err))
		status = pl_tool_fail(SRIFT_TOOL, &err);
	else
		status = pl_tool_output(SRIFT_TOOL, o.output, write_profile, &p);
	pl_profile_fini(&p);
	return status;
}

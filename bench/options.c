/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of a benchmark, from a table */
#include "config.h"

#include "bench/options.h"

#include "base/text/number.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <string.h>

#define OPTIONS_MAX 16

/* What getopt_long returns: places in the table, and behind them: */
enum { SAY_HELP = OPTIONS_MAX, SAY_VERSION };

static bool takes_value(const struct bench_option *o)
{
	return !o->given;
}

/* 0, or -1: a bad value. */
static int take(const struct bench_option *o, const char *value)
{
	const size_t len = value ? strlen(value) : 0;

	if (o->given)
		*o->given = true;
	else if (o->text)
		*o->text = value;
	else if (o->whole)
		return pl_int_parse(value, len, o->least, o->most, o->whole);
	else if (pl_double_parse(value, len, o->seconds) ||
		 !(*o->seconds > 0 && *o->seconds <= 1e6))
		return -1;
	return 0;
}

int bench_options(const char *tool, const char *help, const struct bench_option *options, size_t n,
		  int argc, char **argv)
{
	struct option all[OPTIONS_MAX + 3] = {
		{"help", no_argument, NULL, SAY_HELP},
		{"version", no_argument, NULL, SAY_VERSION},
	};
	int id;

	for (size_t i = 0; i < n && i < OPTIONS_MAX; i++) {
		all[2 + i].name = options[i].name;
		all[2 + i].has_arg = takes_value(&options[i]) ? required_argument : no_argument;
		all[2 + i].val = (int)i;
	}
	opterr = 0;
	while ((id = getopt_long(argc, argv, "", all, NULL)) != -1) {
		if (id == SAY_HELP)
			return pl_tool_help(tool, help);
		if (id == SAY_VERSION)
			return pl_tool_version(tool);
		if (id == '?' || take(&options[id], optarg))
			return pl_tool_usage(tool, "bad option %s", argv[optind - 1]);
	}
	if (optind < argc)
		return pl_tool_usage(tool, "no arguments are taken");
	return -1;
}

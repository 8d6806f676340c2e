/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-srift grid */
#include "config.h"

#include "src/srift/grid/grid.h"

#include "base/text/number.h"
#include "base/text/size.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/srift/options.h"
#include "src/srift/verbs.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define TIME_MAX_S 1e9
#define DOLLARS_MAX 1e12
#define NAME_MAX_BYTES 255
#define BYTES_MAX ((uint64_t)1 << 40)

/* A name that becomes a field of the grid, and is read back the same. */
static bool is_name(const char *s)
{
	const size_t len = strlen(s);
	json_t *utf8 = json_string(s); /* NULL: it is none */
	bool is = utf8 && len > 0 && len <= NAME_MAX_BYTES && !strchr("# \t", s[0]) &&
		  !strchr(" \t", s[len - 1]);

	json_decref(utf8);
	for (size_t i = 0; i < len; i++)
		is = is && (unsigned char)s[i] >= ' ' && s[i] != 0x7f && s[i] != '"';
	return is;
}

static int take_name(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	if (is_name(value))
		return pl_take_text(o, option, value, err);
	return pl_err_set(err, PL_EUSAGE,
			  "--%s wants 1 to %d bytes of UTF-8 without quotes, control characters, "
			  "blanks at the ends and # at the beginning",
			  option->name, NAME_MAX_BYTES);
}

static bool is_power_of_two(uint64_t x)
{
	return x && (x & (x - 1)) == 0;
}

/* "4-512M": powers of two, or one of them. */
static int take_sizes(void *options, const struct pl_option *option, const char *value,
		      struct pl_err *err)
{
	struct srift_grid_options *o = options;
	const size_t len = strcspn(value, "-");
	const char *to = value[len] ? value + len + 1 : value;

	if (pl_size_parse(value, len, &o->bytes_min) == 0 &&
	    pl_size_parse(to, strlen(to), &o->bytes_max) == 0 && o->bytes_min >= 4 &&
	    o->bytes_min <= o->bytes_max && o->bytes_max <= BYTES_MAX &&
	    is_power_of_two(o->bytes_min) && is_power_of_two(o->bytes_max))
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "--%s wants two powers of two from 4 to 1024G, as 4-512M, not \"%s\"",
			  option->name, value);
}

#define AT(member) PL_OPTION_AT(struct srift_grid_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{"instance", required_argument, 0, take_name, AT(instance)},
	{"cloud", required_argument, 0, take_name, AT(cloud)},
	{"region", required_argument, 0, take_name, AT(region)},
	{"zone", required_argument, 0, take_name, AT(zone)},
	{"rated", required_argument, 0, pl_take_rate, AT(rated_gbps)},
	{"backend", required_argument, 0, take_name, AT(backend)},
	{"nccl-tests", required_argument, 0, pl_take_filled, AT(nccl_tests)},
	{"machines", required_argument, 0, srift_take_list, AT(machines), 2,
	 PL_HOSTS_MAX},
	{"together", required_argument, 0, srift_take_list, AT(together), 1,
	 1024},
	{"sizes", required_argument, 0, .take = take_sizes},
	{"repeat", required_argument, 0, pl_take_whole, AT(repeat), 1, 1000},
	{"mpirun", required_argument, 0, pl_take_filled, AT(mpirun)},
	{"python", required_argument, 0, pl_take_filled, AT(python)},
	{"program", required_argument, 0, pl_take_filled, AT(program)},
	{"port", required_argument, 0, pl_take_whole, AT(port), 1, 65535},
	{"time-limit", required_argument, 0, pl_take_seconds, AT(time_limit_s),
	 .least = 1, .most = TIME_MAX_S},
	{"budget", required_argument, 0, pl_take_number, AT(budget),
	 .least = 1e-6, .most = DOLLARS_MAX},
	{"price", required_argument, 0, pl_take_number, AT(price),
	 .least = 1e-6, .most = DOLLARS_MAX},
	{"dry-run", no_argument, 0, pl_take_flag, AT(dry_run)},
	{0},
};
/* clang-format on */

static int check(struct srift_grid_options *o, int argc, char **argv)
{
	if (optind + 1 != argc)
		return srift_usage("one list of hosts is wanted");
	o->hosts = argv[optind];
	if (!o->output || strcmp(o->output, "-") == 0)
		return srift_usage("--output is wanted, a file: what is measured is added to it");
	if (!o->instance)
		return srift_usage("--instance is wanted: the name of this type of machine");
	if (!(o->rated_gbps > 0))
		return srift_usage("--rated is wanted: the bandwidth that the provider promises "
				   "for a machine, as 10Gbit");
	if (o->mpirun[strspn(o->mpirun, " ")] == '\0')
		return srift_usage("--mpirun wants a command");
	if (o->nccl_tests && (o->backend || o->together.n > 1 || o->together.v[0] != 1))
		return srift_usage(
			"--nccl-tests has no backend, and runs one all-reduce at a time");
	if (!o->backend)
		o->backend = "gloo";
	if (isnan(o->budget) != isnan(o->price))
		return srift_usage("--budget and --price belong together");
	return pl_tool_spares(SRIFT_TOOL, o->output, o->hosts);
}

int srift_grid_options_parse(struct srift_grid_options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SRIFT_TOOL, .option = table, .help = srift_grid_help};
	int status;

	*o = (struct srift_grid_options){
		.cloud = "",
		.region = "",
		.zone = "",
		.mpirun = "mpirun",
		.python = "python3",
		.program = PL_PKGDATADIR "/plink_allreduce.py",
		.together = {{1}, 1},
		.bytes_min = 4,
		.bytes_max = (uint64_t)512 << 20,
		.repeat = 3,
		.time_limit_s = INFINITY,
		.budget = NAN,
		.price = NAN,
	};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	o->rated_gbps /= 1e9;
	return check(o, argc, argv);
}

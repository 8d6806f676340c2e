/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-stalls run */
#include "config.h"

#include "src/stalls/run/run.h"

#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/stalls/stalls.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITERATIONS_MAX 1000000

/* clang-format off */
static const char help[] =
"Usage: plink-stalls run -o FILE [OPTION]... [--] COMMAND...\n"
"Runs an unmodified PyTorch training script once for each step until enough\n"
"iterations are timed, writes the steps to FILE (plink-stalls(5)) and prints\n"
"their table. COMMAND is torchrun with --nproc_per_node, or python.\n"
"\n"
"  -o, --output=FILE    the measured steps; those that FILE has do not run again\n"
"  --data=PATH          the files of the data set on this machine: dropped from\n"
"                       memory before t3, read before t4\n"
"  --steps=LIST         some of t1 to t5 (t1,t2,t3,t4)\n"
"  --machines=N         with t5: number of machines; run this on each of them,\n"
"                       with torchrun --nnodes=N\n"
"  --instance=TYPE      with t5: type of these machines (that of --machine)\n"
"  --iterations=N       timed in each step (50)\n"
"  --warmup=N           iterations before these, not timed (5)\n"
"  --model=NAME         name of the model (that of the script)\n"
"  --machine=TYPE       type of the machine (here)\n"
"  --profile=FILE       write the stalls into this profile (plink-profile(5))\n"
"  --hook=DIR           folder of plink's sitecustomize.py\n"
"  --json               the table as JSON\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 1 done in part, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

static int take_steps(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err)
{
	struct stalls_run *r = o;

	memset(r->wanted, 0, sizeof(r->wanted));
	for (const char *s = value;; s += 3) {
		if (s[0] != 't' || s[1] < '1' || s[1] > '5' || (s[2] && s[2] != ','))
			return pl_err_set(err, PL_EUSAGE,
					  "--%s wants some of t1,t2,t3,t4,t5, not \"%s\"",
					  option->name, value);
		r->wanted[s[1] - '1'] = true;
		if (!s[2])
			return 0;
	}
}

/* A name becomes a word of the file. */
static int take_name(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	if (strlen(value) > PL_STALL_NAME_MAX || strpbrk(value, " \t\r\n"))
		return pl_err_set(err, PL_EUSAGE, "--%s wants up to %d bytes without blanks",
				  option->name, PL_STALL_NAME_MAX);
	return pl_take_filled(o, option, value, err);
}

#define AT(member) PL_OPTION_AT(struct stalls_run, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{"data", required_argument, 0, pl_take_filled, AT(data)},
	{"steps", required_argument, 0, .take = take_steps},
	{"machines", required_argument, 0, pl_take_whole, AT(machines),
	 .min = 2, .max = PL_STALL_MACHINES_MAX},
	{"instance", required_argument, 0, take_name, AT(instance)},
	{"iterations", required_argument, 0, pl_take_whole, AT(iterations),
	 .min = 1, .max = ITERATIONS_MAX},
	{"warmup", required_argument, 0, pl_take_whole, AT(warmup),
	 .min = 0, .max = ITERATIONS_MAX},
	{"model", required_argument, 0, take_name, AT(model)},
	{"machine", required_argument, 0, take_name, AT(machine)},
	{"profile", required_argument, 0, pl_take_filled, AT(profile)},
	{"hook", required_argument, 0, pl_take_filled, AT(hook)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{0},
};
/* clang-format on */

/* The script is the first word that ends in .py, and the command's name where none does; the
 * model's name, without the folder and .py. */
static void find_script(struct stalls_run *r)
{
	static char model[PL_STALL_NAME_MAX + 1];
	const char *slash;

	r->script = r->command[0];
	for (char **word = r->command; *word; word++) {
		const size_t len = strlen(*word);

		if (len > 3 && strcmp(*word + len - 3, ".py") == 0) {
			r->script = *word;
			break;
		}
	}
	slash = strrchr(r->script, '/');
	if (slash && slash[1])
		r->script = slash + 1;
	if (r->model)
		return;
	snprintf(model, sizeof(model), "%s", r->script);
	if (strrchr(model, '.') && strrchr(model, '.') > model)
		*strrchr(model, '.') = '\0';
	for (char *s = model; *s; s++)
		if (*s == ' ' || *s == '\t')
			*s = '_';
	r->model = model;
}

static bool starts_several(char **word)
{
	for (; *word; word++)
		if (strncmp(*word, "--nproc_per_node", 16) == 0 ||
		    strncmp(*word, "--nproc-per-node", 16) == 0)
			return true;
	return false;
}

static int check(const struct stalls_run *r)
{
	const bool apart = r->wanted[PL_STALL_T5];

	if (!r->command[0])
		return pl_tool_usage(STALLS_TOOL, "run needs the command that trains");
	if (!r->output || strcmp(r->output, "-") == 0)
		return pl_tool_usage(STALLS_TOOL, "run needs --output=FILE for the measured steps");
	if (apart != (r->machines > 0))
		return pl_tool_usage(STALLS_TOOL,
				     apart ? "t5 needs --machines" : "--machines needs --steps=t5");
	if (pl_tool_spares(STALLS_TOOL, r->output, r->profile))
		return PL_EXIT_USAGE;
	if (r->instance && !apart)
		return pl_tool_usage(STALLS_TOOL, "--instance needs --steps=t5");
	for (int i = 0; apart && i < PL_STALL_T5; i++)
		if (r->wanted[i])
			return pl_tool_usage(STALLS_TOOL,
					     "t5 needs another command than %s: run it alone, with "
					     "the same --output",
					     pl_stall_step_name((enum pl_stall_step)i));
	return PL_EXIT_DONE;
}

#define HOOK "/sitecustomize.py"

/* Beside the tool in a tree that is built, or where it is installed. */
static const char *find_hook(void)
{
	static char path[PATH_MAX];
	const ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 32);
	char *slash;

	path[len > 0 ? len : 0] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return PL_PKGDATADIR "/stalls";
	strcpy(slash, "/stalls" HOOK);
	if (access(path, R_OK))
		return PL_PKGDATADIR "/stalls";
	*strrchr(path, '/') = '\0';
	return path;
}

static int check_hook(const struct stalls_run *r)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s" HOOK, r->hook);
	if (access(path, R_OK) == 0)
		return PL_EXIT_DONE;
	return pl_tool_usage(STALLS_TOOL, "there is no %s: --hook names its folder", path);
}

int stalls_run_parse(struct stalls_run *r, int argc, char **argv, bool *done)
{
	static const struct pl_options options = {
		.tool = STALLS_TOOL, .option = table, .help = help, .in_order = true};
	int status;

	r->machine = "here";
	r->hook = find_hook();
	r->iterations = 50;
	r->warmup = 5;
	for (int i = 0; i < PL_STALL_T5; i++)
		r->wanted[i] = true;
	status = pl_options_parse(&options, argc, argv, r, done);
	if (status != PL_EXIT_DONE || *done)
		return status;
	r->command = argv + optind;
	status = check(r);
	if (status == PL_EXIT_DONE)
		status = check_hook(r);
	if (status != PL_EXIT_DONE)
		return status;
	find_script(r);
	r->several = starts_several(r->command);
	return PL_EXIT_DONE;
}

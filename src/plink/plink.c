/* SPDX-License-Identifier: BSD-3-Clause */
/* plink.c - leads to the tools: lists them, runs them, opens their pages */
#include "config.h"

#include "base/text/names.h"
#include "base/text/path.h"
#include "src/common/options.h"
#include "src/common/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOOL "plink"

/* What `plink NAME` runs, most used first. */
static const struct {
	const char *name, *does;
} tools[] = {
	{"doctor", "check that hosts have what plink needs"},
	{"probe", "measure the network between hosts: a matrix"},
	{"order", "hosts or a matrix in, the fastest order out"},
	{"exec", "run a process with the numbers that a plan gives it"},
	{"mpirun", "run mpirun with ranks that follow a plan"},
	{"report", "show a matrix and its orders: page, picture, text"},
	{"groups", "find racks or groups of hosts in a matrix"},
	{"job", "write or show what a job sends in a step"},
	{"audit", "compare what a job sent with a pattern"},
	{"srift", "predict time and cost of training, choose machines"},
	{"stalls", "find what a training step waits for"},
	{"spot", "predict jobs on machines that may be taken away"},
	{"batch", "choose the number of workers and the batch of a training"},
	{"probe-mpi", "measure from within an MPI job"},
	{"nccl-bw", "measure hosts with GPUs by NCCL"},
	{"hub", "aggregates the all-reduces of a job, beside its ranks"},
	{"agent", "runs on each host while a measurement lasts"},
};
#define N_TOOLS (sizeof(tools) / sizeof(tools[0]))

/* clang-format off */
static const char usage[] =
"Usage: plink TOOL [ARGUMENT]...   run plink-TOOL\n"
"       plink help [TOOL|PAGE]     open its manual page\n"
"       plink [-h|--help|--version]\n"
"\n"
"The usual sequence, for the hosts that hosts.txt lists:\n"
"  plink doctor hosts.txt              is everything there?\n"
"  plink probe -o net.matrix hosts.txt\n"
"  plink order --matrix=net.matrix -o hostfile hosts.txt\n"
"and then the mpirun command that plink order prints; or, in one step:\n"
"  plink order hosts.txt > hostfile\n"
"\n"
"Tools\n";
/* clang-format on */

static int list(void)
{
	fputs(usage, stdout);
	for (size_t i = 0; i < N_TOOLS; i++)
		printf("  %-10s  %s\n", tools[i].name, tools[i].does);
	puts("\n`plink TOOL --help` lists a tool's options; `man 7 plink` tells all steps.");
	return pl_tool_end_output(TOOL);
}

/* Executes plink-@name from this program's folder or else from PATH. @argv[0] is free. Returns only
 * if that fails, with errno set. */
static void become(const char *folder, const char *name, char **argv)
{
	char *path;

	if (strchr(name, '/')) { /* it would be a path */
		errno = ENOENT;
		return;
	}
	if (asprintf(&path, "%s/plink-%s", folder, name) < 0)
		return;
	argv[0] = strrchr(path, '/') + 1;
	execv(path, argv);
	if (errno == ENOENT)
		execvp(argv[0], argv);
	free(path);
}

static int fail(const char *name)
{
	const char *meant;

	if (errno != ENOENT) {
		pl_tool_say(TOOL, "cannot run plink-%s: %s", name, strerror(errno));
		return PL_EXIT_SYSTEM;
	}
	for (size_t i = 0; i < N_TOOLS; i++)
		if (strcmp(tools[i].name, name) == 0)
			return pl_tool_usage(TOOL, "plink-%s is not installed", name);
	meant = pl_nearest(name, tools, sizeof(tools[0]), N_TOOLS);
	return pl_tool_usage(TOOL, meant ? "no tool \"%s\" (did you mean %s?)" : "no tool \"%s\"",
			     name, meant);
}

/* The page of a tool, a file or plink itself; of a build that is not installed, from there. Without
 * man(1), what the tool's --help says. */
static int help(const char *folder, const char *topic)
{
	const char *dash = *topic && strncmp(topic, "plink", 5) ? "plink-" : "";
	char *page, *installed, *argv[] = {NULL, "--help", NULL};

	for (const char *s = "157"; *s; s++) {
		if (asprintf(&page, "%s/man/%s%s.%c", folder, dash, topic, *s) < 0)
			return PL_EXIT_SYSTEM;
		if (access(page, R_OK) == 0)
			execlp("man", "man", page, (char *)NULL);
		free(page);
	}
	if (asprintf(&installed, "%s%s", dash, topic) < 0)
		return PL_EXIT_SYSTEM;
	execlp("man", "man", "--", installed, (char *)NULL);
	if (strcmp(topic, TOOL) == 0)
		return list();
	become(folder, installed + strlen("plink-"), argv);
	free(installed);
	return fail(topic);
}

/* @argv is what to run, or "help" and a topic. */
static int lead(char **argv)
{
	char *self = realpath("/proc/self/exe", NULL);
	char *folder = pl_path_folder(self ? self : "/bin/plink");
	const char *name = argv[0];
	int status;

	free(self);
	if (!folder)
		status = PL_EXIT_SYSTEM;
	else if (strcmp(name, "help") == 0)
		status = help(folder, argv[1]);
	else {
		become(folder, name, argv);
		status = fail(name);
	}
	free(folder);
	return status;
}

int main(int argc, char **argv)
{
	static const struct pl_option none[] = {{0}};
	static const struct pl_options options = {
		.tool = TOOL, .option = none, .help = "", .in_order = true};
	bool done;
	int status;

	pl_tool_begin();
	if (argc < 2 || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") ||
	    (argc == 2 && !strcmp(argv[1], "help")))
		return list();
	status = pl_options_parse(&options, argc, argv, NULL, &done);
	if (status != PL_EXIT_DONE || done)
		return status;
	return optind < argc ? lead(argv + optind) : list();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* remedy.c - what to do about what was not measured */
#include "config.h"

#include "src/probe/show.h"

#include "base/text/shell.h"
#include "base/text/words.h"
#include "src/common/tool.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char tool[] = "plink-probe";

/* The file that standard output is; NULL: it is none. */
static const char *stdout_file(char path[PATH_MAX])
{
	struct stat st, same;
	const ssize_t n = readlink("/proc/self/fd/1", path, PATH_MAX - 1);

	path[n > 0 ? n : 0] = '\0';
	if (fstat(STDOUT_FILENO, &st) || !S_ISREG(st.st_mode) || stat(path, &same) ||
	    st.st_ino != same.st_ino)
		return NULL;
	return path;
}

/* plink-order is where this tool is. */
static void say_order(const struct probe_args *args, const char *missing, const char *matrix)
{
	const char *self = args->next.argv[0], *name = strrchr(self, '/');
	struct pl_words words = {0};
	char *command = NULL, order[PATH_MAX];

	snprintf(order, sizeof(order), "%.*splink-order", name ? (int)(name + 1 - self) : 0, self);
	pl_words_add(&words, order);
	pl_words_add_pair(&words, "--matrix", matrix);
	pl_words_add_pair(&words, "--missing", missing);
	if (args->form == PL_HOSTS_SEQ)
		pl_words_add_pair(&words, "--hosts-format", "seq");
	pl_words_add(&words, args->hosts);
	if (!words.failed)
		command = pl_shell_command(words.v);
	if (command)
		pl_tool_say(tool, "to order by what there is: %s", command);
	free(command);
	pl_words_fini(&words);
}

void probe_remedy(const struct probe_args *args, const struct pl_probe_report *report,
		  const struct pl_matrix *m, bool push, struct pl_kept *kept)
{
	const bool to_stdout = !args->output || !strcmp(args->output, "-");
	const char *with[7] = {"resume"}, **more = &with[2];
	/* --push excludes it */
	const char *const without[] = {push ? "agent" : NULL, NULL};
	char path[PATH_MAX];

	if (!report->pairs_missing && !report->flows_missing && !report->interrupted &&
	    !report->budget_spent)
		return; /* a host was lost late */
	if (args->json && kept->path) {
		pl_kept_save(kept, m);
		with[1] = kept->written ? kept->path : NULL;
		kept->written = false; /* it is not to be removed */
	} else if (to_stdout) {
		with[1] = args->json ? NULL : stdout_file(path);
		*more++ = "output";
		*more++ = with[1];
	} else {
		with[1] = args->output;
	}
	if (!with[1]) {
		pl_tool_say(tool, "to measure only what is missing, write a matrix to a file (-o "
				  "FILE), then use --resume=FILE");
		return;
	}
	if (push)
		*more = "push"; /* without a value */
	pl_next_say(tool, "to measure what is missing", &args->next, with, without);
	if (report->pairs_missing > 0 && report->pairs_measured > 0)
		say_order(args, report->n_lost_hosts ? "drop-host" : "estimate", with[1]);
}

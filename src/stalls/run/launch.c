/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.c - a training command, run for a step until enough is timed */
#include "config.h"

#include "src/stalls/run/run.h"

#include "base/child.h"
#include "base/spawn.h"
#include "base/text/words.h"
#include "src/common/tool.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 50
#define FOLDER_CHARS 4096

/* The command, with one process in t1: the value of --nproc_per_node, or of --nproc-per-node,
 * becomes 1. */
static void add_command(struct pl_words *w, const struct stalls_run *r, enum pl_stall_step step)
{
	static const char *const options[] = {"--nproc_per_node", "--nproc-per-node"};

	for (char **word = r->command; *word; word++) {
		const char *found = NULL;

		for (int i = 0; step == PL_STALL_T1 && i < 2; i++)
			if (strncmp(*word, options[i], strlen(options[i])) == 0)
				found = options[i];
		if (!found) {
			pl_words_add(w, *word);
			continue;
		}
		pl_words_add_pair(w, found, "1");
		if (!strchr(*word, '=') && word[1])
			word++;
	}
}

static int set_number(const char *name, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	return setenv(name, text, 1);
}

/* Our folder stands first in PYTHONPATH. */
static int set_path(const char *hook)
{
	const char *path = getenv("PYTHONPATH");
	const size_t len = strlen(hook);
	char *all = NULL;
	int rc;

	if (path && strncmp(path, hook, len) == 0 && (path[len] == ':' || path[len] == '\0'))
		return 0;
	if (asprintf(&all, "%s%s%s", hook, path && *path ? ":" : "", path ? path : "") < 0)
		return -1;
	rc = setenv("PYTHONPATH", all, 1);
	free(all);
	return rc;
}

/* What the hook reads. Torchrun gives each of several processes one thread; the one of t1 must not
 * have more. */
static int set_environment(const struct stalls_run *r, enum pl_stall_step step, const char *folder,
			   struct pl_err *err)
{
	if (set_path(r->hook) || setenv("PLINK_STALLS_STEP", pl_stall_step_name(step), 1) ||
	    setenv("PLINK_STALLS_OUT", folder, 1) ||
	    set_number("PLINK_STALLS_ITERATIONS", r->iterations) ||
	    set_number("PLINK_STALLS_WARMUP", r->warmup) ||
	    (r->several && setenv("OMP_NUM_THREADS", "1", 0)))
		return pl_err_nomem(err);
	return 0;
}

static void show(struct stalls_run *r, enum pl_stall_step step, const char *folder)
{
	unsigned long long done = 0, total = 0;
	char path[FOLDER_CHARS + 16];
	FILE *f;

	snprintf(path, sizeof(path), "%s/progress", folder);
	f = fopen(path, "re");
	if (f && fscanf(f, "%llu %llu", &done, &total) != 2)
		done = total = 0;
	if (f)
		fclose(f);
	pl_progress_show(&r->progress, (struct pl_progress_now){.done = done,
								.total = total,
								.phase = pl_stall_step_name(step),
								.unit = "iterations",
								.left_s = NAN});
}

/* Waits for its end. 0 and its status; or -1 with @err set: interrupted. */
static int follow(struct stalls_run *r, enum pl_stall_step step, const char *folder, pid_t pid,
		  int *status, struct pl_err *err)
{
	while (waitpid(pid, status, WNOHANG) == 0) {
		if (*r->stop) {
			pl_child_end(pid);
			return pl_err_set(err, PL_EPARTIAL, "interrupted");
		}
		show(r, step, folder);
		poll(NULL, 0, LOOK_MS);
	}
	*status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
	return 0;
}

static int start(struct stalls_run *r, enum pl_stall_step step, const char *folder, int *status,
		 struct pl_err *err)
{
	struct pl_words w = {0};
	pid_t pid = 0;
	int rc = set_environment(r, step, folder, err);

	add_command(&w, r, step);
	if (rc == 0 && w.failed)
		rc = pl_err_nomem(err);
	if (rc == 0) {
		/* its output is not ours */
		errno = pl_spawn(
			&(struct pl_spawn){.argv = w.v,
					   .fd = {PL_SPAWN_NULL, STDERR_FILENO, PL_SPAWN_SAME},
					   .own_group = true},
			&pid);
		rc = errno ? pl_err_errno(err, "cannot start %s", w.v[0])
			   : follow(r, step, folder, pid, status, err);
	}
	pl_progress_end(&r->progress);
	pl_words_fini(&w);
	return rc;
}

static void remove_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(folder);
}

int stalls_launch(struct stalls_run *r, enum pl_stall_step step, struct stalls_taken *taken,
		  struct pl_err *err)
{
	const char *tmp = getenv("TMPDIR");
	char folder[FOLDER_CHARS];
	int status = 0, rc;

	snprintf(folder, sizeof(folder), "%s/plink-stalls.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(folder))
		return pl_err_errno(err, "cannot make %s", folder);
	rc = start(r, step, folder, &status, err);
	if (rc == 0)
		rc = stalls_taken_read(taken, folder, r->script, err);
	/* one that was timed has ended well enough */
	if (rc && status && !*r->stop)
		rc = pl_err_set(err, PL_EPARTIAL, "%s ended with status %d", r->command[0], status);
	remove_folder(folder);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* kept.c - FILE.part keeps what was measured if the run is killed */
#include "config.h"

#include "src/common/kept.h"

#include "base/text/outfile.h"
#include "src/common/tool.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define BLOCK_BYTES 512 /* the unit of st_blocks */

/* Is @path, or will it be, a regular file? */
static bool is_file(const char *path)
{
	struct stat st;

	if (!path || !strcmp(path, "-"))
		return false;
	return stat(path, &st) || S_ISREG(st.st_mode);
}

/* The command that goes on from there. */
static void say_next(const struct pl_kept *kept, const char *what)
{
	const char *const with[] = {"resume", kept->path, NULL};

	pl_next_say(kept->tool, what, kept->next, with, NULL);
}

int pl_kept_init(struct pl_kept *kept, const char *tool, const struct pl_next *next,
		 const char *output, const char *resumed, struct pl_err *err)
{
	struct stat st;

	*kept = (struct pl_kept){.tool = tool, .next = next};
	if (!is_file(output))
		return 0;
	if (asprintf(&kept->path, "%s.part", output) < 0) {
		kept->path = NULL;
		return pl_err_nomem(err);
	}
	if (resumed && !strcmp(resumed, kept->path))
		kept->written = true;
	else if (!lstat(kept->path, &st) && S_ISREG(st.st_mode)) {
		pl_tool_warn(
			tool,
			"%s has the measurements of a run that did not end; this run replaces it",
			kept->path);
		say_next(kept, "what would have gone on from there");
	}
	return 0;
}

static int save(struct pl_kept *kept, const struct pl_matrix *m, struct pl_err *err)
{
	struct pl_outfile out = {0};

	if (!pl_outfile_open_new(&out, kept->path, err) && !pl_matrix_write(m, out.f, err) &&
	    !pl_outfile_commit(&out, err)) {
		kept->written = true;
		return 0;
	}
	pl_outfile_abort(&out);
	return -1;
}

void pl_kept_save(void *arg, const struct pl_matrix *m)
{
	struct pl_kept *kept = arg;
	struct pl_err err = {0};

	if (!save(kept, m, &err))
		return;
	if (!kept->failed)
		pl_tool_warn(kept->tool,
			     "%s; the run goes on, but if it is killed, its measurements are lost",
			     err.text);
	kept->failed = true;
}

void pl_kept_rescue(struct pl_kept *kept, const struct pl_matrix *m)
{
	const char *tmp = getenv("TMPDIR");
	const char *const folders[] = {"", tmp && *tmp ? tmp : "/tmp"};
	struct pl_err err = {0};

	for (size_t i = 0; !kept->written && i < 2; i++) {
		free(kept->path);
		if (asprintf(&kept->path, "%s%s%s-%d.part", folders[i], i ? "/" : "", kept->tool,
			     (int)getpid()) < 0)
			kept->path = NULL;
		else
			save(kept, m, &err);
	}
	if (!kept->written)
		pl_tool_warn(kept->tool, "the measurements are lost: %s", err.text);
}

bool pl_kept_gives_way(struct pl_kept *kept, size_t bytes)
{
	struct statvfs fs;
	struct stat st;
	uint64_t room, own;

	if (!kept->written || statvfs(kept->path, &fs) || lstat(kept->path, &st) ||
	    !S_ISREG(st.st_mode))
		return false;
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	own = (uint64_t)st.st_blocks * BLOCK_BYTES;
	bytes += fs.f_frsize; /* it takes whole ones */
	if (bytes <= room || bytes > room + own)
		return false;
	pl_kept_remove(kept);
	return true;
}

void pl_kept_tell(const struct pl_kept *kept)
{
	if (!kept->written)
		return;
	pl_tool_say(kept->tool, "%s has the measurements up to its last update", kept->path);
	say_next(kept, "to go on from there");
}

void pl_kept_remove(struct pl_kept *kept)
{
	if (kept->written)
		unlink(kept->path);
	kept->written = false;
}

void pl_kept_fini(struct pl_kept *kept)
{
	free(kept->path);
	kept->path = NULL;
}

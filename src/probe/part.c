/* SPDX-License-Identifier: BSD-3-Clause */
/* part.c - FILE.part: what there is of FILE should the run be killed */
#include "config.h"

#include "src/probe/part.h"

#include "base/text/outfile.h"
#include "src/common/tool.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char tool[] = "plink-probe";

#define BLOCK_BYTES 512 /* of st_blocks */

/* Is it, or will it be, a file proper? */
static bool is_file(const char *path)
{
	struct stat st;

	if (!path || !strcmp(path, "-"))
		return false;
	return stat(path, &st) || S_ISREG(st.st_mode);
}

int probe_part_init(struct probe_part *part, const char *output,
		    const char *resumed, struct pl_err *err)
{
	struct stat st;

	memset(part, 0, sizeof(*part));
	if (!is_file(output))
		return 0;
	if (asprintf(&part->path, "%s.part", output) < 0) {
		part->path = NULL;
		return pl_err_nomem(err);
	}
	if (resumed && !strcmp(resumed, part->path))
		part->written = true;
	else if (!lstat(part->path, &st) && S_ISREG(st.st_mode))
		pl_tool_warn(
			tool,
			"%s has the measurements of a run that was killed, "
			"for --resume; this run replaces it",
			part->path);
	return 0;
}

void probe_part_save(void *arg, const struct pl_matrix *m)
{
	struct probe_part *part = arg;
	struct pl_outfile out = {0};
	struct pl_err err = {0};

	if (!pl_outfile_open_new(&out, part->path, &err) &&
	    !pl_matrix_write(m, out.f, &err) &&
	    !pl_outfile_commit(&out, &err)) {
		part->written = true;
		return;
	}
	pl_outfile_abort(&out);
	if (!part->failed)
		pl_tool_warn(tool,
			     "%s; the run goes on, but if it is killed, its "
			     "measurements are lost",
			     err.text);
	part->failed = true;
}

bool probe_part_gives_way(struct probe_part *part, size_t bytes)
{
	struct statvfs fs;
	struct stat st;
	uint64_t room, own;

	if (!part->written || statvfs(part->path, &fs) ||
	    lstat(part->path, &st) || !S_ISREG(st.st_mode))
		return false;
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	own = (uint64_t)st.st_blocks * BLOCK_BYTES;
	bytes += fs.f_frsize; /* it takes whole ones */
	if (bytes <= room || bytes > room + own)
		return false;
	probe_part_remove(part);
	return true;
}

void probe_part_tell(const struct probe_part *part)
{
	if (part->written)
		pl_tool_say(tool,
			    "%s has the measurements up to its last update, "
			    "for --resume",
			    part->path);
}

void probe_part_remove(struct probe_part *part)
{
	if (part->written)
		unlink(part->path);
	part->written = false;
}

void probe_part_fini(struct probe_part *part)
{
	free(part->path);
	part->path = NULL;
}

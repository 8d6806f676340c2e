/* SPDX-License-Identifier: BSD-3-Clause */
/* cache.c - files dropped from the page cache, or read into it */
#include "config.h"

#include "src/stalls/run/run.h"

#include "base/mem.h"
#include "src/common/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_BYTES ((size_t)1 << 20)
#define LOOKED_BYTES ((size_t)1 << 30) /* mapped at once */

struct walk {
	struct stalls_run *r;
	struct stalls_cached *c;
	bool fills;
	char *chunk; /* [CHUNK_BYTES] */
	size_t page;
};

/* Adds the pages of a range that are in memory. */
static void look_at(struct walk *w, int fd, off_t at, size_t len)
{
	const size_t n = (len + w->page - 1) / w->page;
	void *map = mmap(NULL, len, PROT_READ, MAP_SHARED, fd, at);
	unsigned char *in = pl_array_create(n, 1);

	if (map != MAP_FAILED && in && mincore(map, len, in) == 0)
		for (size_t i = 0; i < n; i++)
			if (in[i] & 1)
				w->c->cached_bytes += i + 1 < n ? w->page : len - i * w->page;
	if (map != MAP_FAILED)
		munmap(map, len);
	free(in);
}

static void look(struct walk *w, int fd, off_t size)
{
	for (off_t at = 0; at < size; at += (off_t)LOOKED_BYTES)
		look_at(w, fd, at,
			size - at < (off_t)LOOKED_BYTES ? (size_t)(size - at) : LOOKED_BYTES);
}

static void show(struct walk *w)
{
	pl_progress_show(
		&w->r->progress,
		(struct pl_progress_now){.done = w->c->bytes >> 20,
					 .phase = w->fills ? "reading data" : "dropping data",
					 .unit = "MiB",
					 .left_s = NAN});
}

static int read_file(struct walk *w, int fd, const char *path, struct pl_err *err)
{
	ssize_t n;

	while ((n = read(fd, w->chunk, CHUNK_BYTES)) != 0) {
		if (n < 0 && errno != EINTR)
			return pl_err_errno(err, "cannot read %s", path);
		if (*w->r->stop)
			return pl_err_set(err, PL_EPARTIAL, "interrupted");
	}
	return 0;
}

static int visit(struct walk *w, const char *path, struct pl_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOATIME), rc = 0;
	struct stat st;

	if (fd < 0 && errno == EPERM) /* another user's */
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		rc = pl_err_errno(err, "cannot open %s", path);
	else if (w->fills)
		rc = read_file(w, fd, path, err);
	else if (fdatasync(fd) == 0) /* what is not written stays */
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (rc == 0) {
		look(w, fd, st.st_size);
		w->c->bytes += (uint64_t)st.st_size;
		show(w);
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

static int walk(struct stalls_run *r, struct stalls_cached *c, bool fills, struct pl_err *err)
{
	struct walk w = {.r = r,
			 .c = c,
			 .fills = fills,
			 .chunk = pl_array_create(CHUNK_BYTES, 1),
			 .page = (size_t)sysconf(_SC_PAGESIZE)};
	char *path = pl_string_copy(r->data, strlen(r->data));
	char *const roots[] = {path, NULL};
	FTS *fts = path && w.chunk ? fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL) : NULL;
	FTSENT *entry;
	int rc = fts ? 0 : pl_err_nomem(err);

	*c = (struct stalls_cached){.bytes = 0};
	while (rc == 0 && (entry = fts_read(fts))) {
		errno = entry->fts_errno;
		if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS ||
		    entry->fts_info == FTS_DNR)
			rc = pl_err_errno(err, "cannot read %s", entry->fts_path);
		else if (entry->fts_info == FTS_F)
			rc = visit(&w, entry->fts_path, err);
		if (rc == 0 && *r->stop)
			rc = pl_err_set(err, PL_EPARTIAL, "interrupted");
	}
	pl_progress_end(&r->progress);
	if (fts)
		fts_close(fts);
	free(path);
	free(w.chunk);
	if (rc == 0 && c->bytes == 0)
		rc = pl_err_set(err, PL_EINPUT, "there is no data at %s", r->data);
	return rc;
}

int stalls_cache_drop(struct stalls_run *r, struct stalls_cached *c, struct pl_err *err)
{
	return walk(r, c, false, err);
}

int stalls_cache_fill(struct stalls_run *r, struct stalls_cached *c, struct pl_err *err)
{
	return walk(r, c, true, err);
}

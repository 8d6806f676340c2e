/* SPDX-License-Identifier: BSD-3-Clause */
/* find.c - where the real libnccl.so.2 is */
/*
 * This library has its name, so nobody else has loaded the real one: it is looked for where the
 * dynamic linker would have found it for whoever needs it.
 */
#include "config.h"

#include "shim/nccl/find.h"

#include "shim/nccl/objects.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LD_SO_CACHE "/etc/ld.so.cache"

/* Who asks, and for what. */
struct search {
	pl_find_fn *take;
	void *data;
};

static bool try_in(const struct search *search, const char *folder, size_t len)
{
	char path[PATH_MAX];
	const int n = snprintf(path, sizeof(path), "%.*s/" PL_NCCL_SONAME, (int)len, folder);

	return len > 0 && n > 0 && n < (int)sizeof(path) && access(path, R_OK) == 0 &&
	       search->take(search->data, path);
}

/* One folder of a run path, of @len bytes, which may begin with $ORIGIN: where the object @path
 * is. */
static bool try_run_folder(const struct search *search, const char *folder, size_t len,
			   const char *path)
{
	static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
	const char *slash = path ? strrchr(path, '/') : NULL;
	char whole[PATH_MAX];
	int n;

	for (size_t i = 0; slash && i < 2; i++) {
		const size_t skip = strlen(origins[i]);

		if (len < skip || memcmp(folder, origins[i], skip) != 0)
			continue;
		n = snprintf(whole, sizeof(whole), "%.*s%.*s", (int)(slash - path), path,
			     (int)(len - skip), folder + skip);
		return n > 0 && n < (int)sizeof(whole) && try_in(search, whole, (size_t)n);
	}
	return try_in(search, folder, len);
}

/* Folders with colons between them; @path is NULL for LD_LIBRARY_PATH. */
static bool try_folders(const struct search *search, const char *folders, const char *path)
{
	while (folders && *folders) {
		const size_t len = strcspn(folders, ":");

		if (try_run_folder(search, folders, len, path))
			return true;
		folders += len + (folders[len] == ':');
	}
	return false;
}

/* Where pip puts NCCL, seen from another package's library. */
static bool try_packages(const struct search *search, const char *path)
{
	static const char *const roots[] = {"/site-packages/", "/dist-packages/"};
	char folder[PATH_MAX];

	for (size_t i = 0; i < 2; i++) {
		const char *at = strstr(path, roots[i]);
		int n;

		if (!at)
			continue;
		n = snprintf(folder, sizeof(folder), "%.*snvidia/nccl/lib",
			     (int)(at - path + (ptrdiff_t)strlen(roots[i])), path);
		if (n > 0 && n < (int)sizeof(folder) && try_in(search, folder, (size_t)n))
			return true;
	}
	return false;
}

bool pl_nccl_is_file(const char *path)
{
	return strncmp(basename(path), PL_NCCL_SONAME, sizeof(PL_NCCL_SONAME) - 1) == 0;
}

static bool try_loaded(const struct search *search, const struct pl_objects *objects)
{
	for (size_t i = 0; i < objects->n; i++)
		if (pl_nccl_is_file(objects->v[i].path) &&
		    search->take(search->data, objects->v[i].path))
			return true;
	return false;
}

/* Run paths of those that need it, or (@needs false) of all others. */
static bool try_run_paths(const struct search *search, const struct pl_objects *objects, bool needs)
{
	for (size_t i = 0; i < objects->n; i++)
		if (objects->v[i].needs == needs &&
		    try_folders(search, objects->v[i].run_path, objects->v[i].path))
			return true;
	return false;
}

static bool try_objects(const struct search *search, const struct pl_objects *objects)
{
	if (try_loaded(search, objects) || try_run_paths(search, objects, true) ||
	    try_folders(search, getenv("LD_LIBRARY_PATH"), NULL) ||
	    try_run_paths(search, objects, false))
		return true;
	for (size_t i = 0; i < objects->n; i++)
		if (try_packages(search, objects->v[i].path))
			return true;
	return false;
}

bool pl_nccl_find(pl_find_fn *take, void *data)
{
	const struct search search = {.take = take, .data = data};
	const char *named = getenv("PLINK_NCCL_LIBRARY");
	struct pl_objects objects = {0};
	bool taken;

	if (named && *named)
		return take(data, named);
	taken = pl_objects_read(&objects, PL_NCCL_SONAME, NULL) == 0 &&
		try_objects(&search, &objects);
	pl_objects_fini(&objects);
	return taken || pl_cache_find(LD_SO_CACHE, PL_NCCL_SONAME, take, data) ||
	       try_in(&search, "/usr/local/cuda/lib64", 21);
}

bool pl_nccl_is_needed(void)
{
	struct pl_objects objects = {0};
	bool needed = false;

	if (pl_objects_read(&objects, PL_NCCL_SONAME, NULL) == 0)
		for (size_t i = 0; i < objects.n; i++)
			needed = needed || objects.v[i].needs;
	pl_objects_fini(&objects);
	return needed;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* audit.c - libplink-nccl for programs that open libnccl.so.2 by its path */
/*
 * An audit library (rtld-audit(7)) in a namespace of its own: whoever asks for
 * a file of that name gets libplink-nccl.so, which stands beside this one, but
 * for libplink-nccl.so itself: what it asks for is the real one. It may ask for
 * the file that was asked for by its path, under a name of its own.
 */
#include "config.h"
#include "shim/nccl/find.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHIM "libplink-nccl.so"

static char shim_path[PATH_MAX], asked_path[PATH_MAX];

#pragma GCC visibility push(default)
unsigned int la_version(unsigned int version);
char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int flag);
unsigned int la_objopen(struct link_map *map, Lmid_t lmid, uintptr_t *cookie);
#pragma GCC visibility pop

unsigned int la_version(unsigned int version)
{
	const char *slash;
	Dl_info own;
	int n;

	if (!dladdr((const void *)(uintptr_t)la_version, &own))
		return 0;
	slash = strrchr(own.dli_fname, '/');
	n = snprintf(shim_path, sizeof(shim_path), "%.*s" SHIM,
		     slash ? (int)(slash - own.dli_fname + 1) : 0, own.dli_fname);
	/* 0: the linker does without this library */
	if (n < 0 || n >= (int)sizeof(shim_path) || access(shim_path, R_OK))
		return 0;
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/* libnccl.so.2, libnccl.so.2.28.9 */
static int is_nccl(const char *name)
{
	const char *base = basename(name);
	const size_t len = sizeof(PL_NCCL_SONAME) - 1;

	return strncmp(base, PL_NCCL_SONAME, len) == 0 && (base[len] == '\0' || base[len] == '.');
}

/* @cookie is that of the object that asks, whose name is there since
 * la_objopen. */
char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int flag)
{
	(void)flag;
	if (*cookie && strcmp(name, PL_NCCL_ASKED) == 0 && *asked_path)
		return asked_path;
	if (*cookie || !is_nccl(name))
		return (char *)(uintptr_t)name;
	if (strchr(name, '/') && !*asked_path && strlen(name) < PATH_MAX)
		strcpy(asked_path, name);
	return shim_path;
}

/* The cookie says whether the object is libplink-nccl.so. */
unsigned int la_objopen(struct link_map *map, Lmid_t lmid, uintptr_t *cookie)
{
	(void)lmid;
	*cookie = strcmp(basename(map->l_name), SHIM) == 0;
	return 0;
}

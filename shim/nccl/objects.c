/* SPDX-License-Identifier: BSD-3-Clause */
/* objects.c - the objects that this process has loaded */
#include "config.h"

#include "shim/nccl/objects.h"

#include "base/mem.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scan {
	struct pl_objects *objects;
	const char *soname;
	const void *own_base;
	bool failed;
};

/* Where the dynamic linker has put the object's strings. */
static const char *strings_of(const ElfW(Dyn) * dynamic, ElfW(Addr) base)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == DT_STRTAB)
			/* glibc has added the base, but for few machines */
			return (const char *)(dynamic->d_un.d_ptr < base
						      ? base + dynamic->d_un.d_ptr
						      : dynamic->d_un.d_ptr);
	return NULL;
}

static const ElfW(Dyn) * dynamic_of(const struct dl_phdr_info *info)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return NULL;
}

/* The program itself has no name here. */
static char *path_of(const struct dl_phdr_info *info)
{
	char path[PATH_MAX];
	ssize_t len;

	if (info->dlpi_name && *info->dlpi_name)
		return strdup(info->dlpi_name);
	len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	return strdup(path);
}

static int describe(struct pl_object *object, const struct dl_phdr_info *info, const char *soname)
{
	const ElfW(Dyn) *dynamic = dynamic_of(info);
	const char *strings = dynamic ? strings_of(dynamic, info->dlpi_addr) : NULL;
	const char *run_path = NULL, *rpath = NULL;

	for (; strings && dynamic->d_tag != DT_NULL; dynamic++) {
		const char *s = strings + dynamic->d_un.d_val;

		if (dynamic->d_tag == DT_NEEDED && strcmp(s, soname) == 0)
			object->needs = true;
		else if (dynamic->d_tag == DT_RUNPATH)
			run_path = s;
		else if (dynamic->d_tag == DT_RPATH)
			rpath = s;
	}
	if (!run_path)
		run_path = rpath;
	object->addr = info->dlpi_addr;
	object->path = path_of(info);
	object->run_path = run_path ? strdup(run_path) : NULL;
	return object->path && (object->run_path || !run_path) ? 0 : -1;
}

static int add(struct dl_phdr_info *info, size_t size, void *data)
{
	struct scan *scan = data;
	struct pl_objects *objects = scan->objects;
	struct pl_object *object;

	(void)size;
	if ((const void *)info->dlpi_addr == scan->own_base)
		return 0;
	scan->failed = pl_array_grow((void **)&objects->v, &objects->room, objects->n,
				     sizeof(*object)) != 0;
	if (scan->failed)
		return 1;
	object = &objects->v[objects->n++];
	memset(object, 0, sizeof(*object));
	scan->failed = describe(object, info, scan->soname) != 0;
	return scan->failed;
}

/* Which of them define @symbol, as seen from outside? */
static void find_symbol(struct pl_objects *objects, const char *symbol)
{
	for (size_t i = 0; i < objects->n; i++) {
		struct pl_object *object = &objects->v[i];
		void *handle = dlopen(i ? object->path : NULL, RTLD_LAZY | RTLD_NOLOAD);
		void *found = handle ? dlsym(handle, symbol) : NULL;
		struct link_map *map;
		Dl_info where;

		if (found && dladdr1(found, &where, (void **)&map, RTLD_DL_LINKMAP))
			object->defines = map->l_addr == object->addr;
		if (handle)
			dlclose(handle);
	}
}

int pl_objects_read(struct pl_objects *objects, const char *soname, const char *symbol)
{
	struct scan scan = {.objects = objects, .soname = soname};
	Dl_info own;

	if (dladdr((const void *)(uintptr_t)pl_objects_read, &own))
		scan.own_base = own.dli_fbase;
	dl_iterate_phdr(add, &scan);
	if (!scan.failed && symbol)
		find_symbol(objects, symbol);
	return scan.failed ? -1 : 0;
}

void pl_objects_fini(struct pl_objects *objects)
{
	for (size_t i = 0; i < objects->n; i++) {
		free(objects->v[i].path);
		free(objects->v[i].run_path);
	}
	free(objects->v);
	memset(objects, 0, sizeof(*objects));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* objects.h - the objects that this process has loaded */
#ifndef PLINK_SHIM_NCCL_OBJECTS_H
#define PLINK_SHIM_NCCL_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One object. Strings are its own copies; NULL where it has none. */
struct pl_object {
	char *path;     /* of its file */
	char *run_path; /* DT_RUNPATH or, without one, DT_RPATH */
	uintptr_t addr; /* by which it was moved */
	bool needs;     /* the library that was asked for */
	bool defines;   /* the function that was asked for */
};

struct pl_objects {
	struct pl_object *v;
	size_t n, room;
};

/*
 * All but this library itself, in the order of their loading: which of them
 * need @soname, by their own account, and, where @symbol is not NULL, which
 * export a function of that name. @objects must be {0} and is to be given to
 * fini. 0, or -1: no memory.
 */
int pl_objects_read(struct pl_objects *objects, const char *soname,
		    const char *symbol);

void pl_objects_fini(struct pl_objects *objects);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* objects.h - the objects that this process has loaded */
#ifndef PLINK_SHIM_NCCL_OBJECTS_H
#define PLINK_SHIM_NCCL_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One object. Its strings are copies of its own; NULL if it has none. */
struct pl_object {
	char *path;     /* of its file */
	char *run_path; /* DT_RUNPATH or, without one, DT_RPATH */
	uintptr_t addr; /* load address: to be added to the addresses in its
			   file */
	bool needs;     /* the library that was asked for */
	bool defines;   /* the function that was asked for */
};

struct pl_objects {
	struct pl_object *v;
	size_t n, room;
};

/*
 * Lists all loaded objects except this library, in the order in which they were loaded. Sets needs
 * if an object names @soname in its DT_NEEDED and, if @symbol is not NULL, defines if it exports a
 * function of that name. @objects must be {0}; end it with fini in any case. 0, or -1: no memory.
 */
int pl_objects_read(struct pl_objects *objects, const char *soname, const char *symbol);

void pl_objects_fini(struct pl_objects *objects);

#endif

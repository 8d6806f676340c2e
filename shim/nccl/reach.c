/* SPDX-License-Identifier: BSD-3-Clause */
/* reach.c - programs that this library does not reach */
#include "config.h"

#include "shim/nccl/find.h"

#include "shim/nccl/objects.h"
#include "shim/nccl/order.h"
#include "shim/say.h"
#include "shim/stats/path.h"

#include <string.h>

#define DRIVER "libcuda.so.1" /* of every process that uses a GPU */

static bool has_gpu(const struct pl_objects *objects)
{
	for (size_t i = 0; i < objects->n; i++)
		if (strcmp(basename(objects->v[i].path), DRIVER) == 0)
			return true;
	return false;
}

/* The object that has NCCL in it, or NULL. */
static const struct pl_object *find_other(const struct pl_objects *objects)
{
	for (size_t i = 0; i < objects->n; i++)
		if (objects->v[i].defines)
			return &objects->v[i];
	return NULL;
}

static void say(const struct pl_object *other)
{
	if (!other)
		pl_shim_say("no function of NCCL was called through this library; if the program "
			    "uses NCCL, it contains NCCL itself: see plink-exec(1)");
	else if (pl_nccl_is_file(other->path))
		pl_shim_say("%s was opened by its path: have the program open libplink-nccl.so in "
			    "its place, or see plink-exec(1)",
			    other->path);
	else
		pl_shim_say("%s contains NCCL, whose calls this library cannot intercept: see "
			    "plink-exec(1)",
			    other->path);
}

void pl_reach_say(void)
{
	struct pl_objects objects = {0};
	const struct pl_object *other = NULL;

	if (!pl_order()->follows && !pl_stats_is_wanted())
		return;
	if (pl_objects_read(&objects, PL_NCCL_SONAME, "ncclAllReduce") == 0 && has_gpu(&objects)) {
		other = find_other(&objects);
		if (other || pl_order()->verbose)
			say(other);
	}
	pl_objects_fini(&objects);
}

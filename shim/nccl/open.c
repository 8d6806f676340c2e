/* SPDX-License-Identifier: BSD-3-Clause */
/* open.c - opening the real library */
/*
 * It is opened with RTLD_DEEPBIND, so that what it calls of its own public functions stays within
 * it. Not so where another malloc than libc's is loaded: then libc gives it memory of the one, and
 * it would give that back to the other. Calls that come back from within are harmless in either
 * case: a hidden communicator is none that this library knows (comms.h).
 *
 * It is opened for all to see, behind everything that is loaded already, so that a function that it
 * has and our table has not is found when it is called.
 */
#include "config.h"

#include "shim/nccl/real.h"

#include "shim/nccl/find.h"
#include "shim/nccl/order.h"
#include "shim/nccl/stats/stats.h"
#include "shim/say.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define WHY_MAX 512

static bool is_open, was_wanted;
static int version;

bool pl_nccl_is_open(void)
{
	return is_open;
}

int pl_nccl_version(void)
{
	return version;
}

/* Is malloc that of libc? */
static bool has_own_malloc(void)
{
	void *found = dlsym(RTLD_DEFAULT, "malloc");
	void *libc = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
	Dl_info of_malloc, of_libc;

	return found && libc && dladdr(found, &of_malloc) && dladdr(libc, &of_libc) &&
	       of_malloc.dli_fbase != of_libc.dli_fbase;
}

/* What was last tried in vain. */
struct attempt {
	void *handle;
	char why[WHY_MAX];
};

/* Does that address lie in this library? */
static bool is_ours(const void *address)
{
	Dl_info here, there;

	return dladdr((const void *)(uintptr_t)pl_nccl_open, &here) && dladdr(address, &there) &&
	       here.dli_fbase == there.dli_fbase;
}

static bool attempt_open(void *data, const char *path)
{
	struct attempt *attempt = data;
	const int flags = RTLD_NOW | RTLD_GLOBAL | (has_own_malloc() ? 0 : RTLD_DEEPBIND);
	void *handle = dlopen(path, flags);
	void *found = handle ? dlsym(handle, "ncclAllReduce") : NULL;
	const char *why = NULL;

	if (!handle)
		snprintf(attempt->why, sizeof(attempt->why), "%s", dlerror());
	else if (!found)
		why = "it has no ncclAllReduce";
	else if (is_ours(found) || dlsym(handle, "plink_nccl_is_shim"))
		why = "it is libplink-nccl itself";
	if (handle && !why) {
		attempt->handle = handle;
		return true;
	}
	if (handle) {
		snprintf(attempt->why, sizeof(attempt->why), "%s: %s", path, why);
		dlclose(handle);
	}
	return false;
}

/* By this, another copy of the library is known. */
extern __attribute__((visibility("default"))) const char plink_nccl_is_shim;
const char plink_nccl_is_shim = 1;

static void fill(void *handle)
{
	for (const struct pl_nccl_name *i = pl_nccl_names; i->name; i++) {
		void *found = handle ? dlsym(handle, i->name) : NULL;

		if (!found)
			found = (void *)(uintptr_t)i->lacking;
		__atomic_store_n((void **)((char *)&pl_nccl + i->offset), found, __ATOMIC_RELEASE);
	}
}

static void open_once(void)
{
	struct attempt attempt = {0};

	was_wanted = true;
	pl_order_before_open();
	if (pl_nccl_find(attempt_open, &attempt))
		is_open = true;
	else
		pl_shim_say("no NCCL to hand calls on to%s%s; set PLINK_NCCL_LIBRARY to the path "
			    "of the real libnccl.so.2",
			    attempt.why[0] ? ": " : "", attempt.why);
	fill(attempt.handle);
	if (is_open && PL_NCCL(GetVersion)(&version) != ncclSuccess)
		version = 0;
	if (is_open)
		pl_nccl_stats_start();
}

void pl_nccl_open(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, open_once);
}

/* What is linked with NCCL may call a function that the table lacks before any other, so that the
 * real library has to be there. */
__attribute__((constructor)) static void open_early(void)
{
	if (pl_nccl_is_needed())
		pl_nccl_open();
}

__attribute__((destructor)) static void say_if_unused(void)
{
	if (!was_wanted)
		pl_reach_say();
}

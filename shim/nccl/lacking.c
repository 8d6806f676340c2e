/* SPDX-License-Identifier: BSD-3-Clause */
/* lacking.c - functions that the real library does not have */
#include "config.h"

#include "shim/nccl/lacking.h"

#include "shim/nccl/real.h"
#include "shim/say.h"

/* Where there is no NCCL at all, that has been said. */
static void say_once(const char *name)
{
	static bool said;

	if (!pl_nccl_is_open() || __atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		return;
	pl_shim_say("the program calls %s, which this NCCL (%d) lacks", name, pl_nccl_version());
}

ncclResult_t pl_lacking_ncclResult_t(const char *name)
{
	say_once(name);
	return pl_nccl_is_open() ? ncclInvalidUsage : ncclSystemError;
}

const char *pl_lacking_const_char(const char *name)
{
	say_once(name);
	return "libplink-nccl found no NCCL to hand the call on to";
}

ncclTeam_t pl_lacking_ncclTeam_t(const char *name)
{
	say_once(name);
	return (ncclTeam_t){0};
}

int pl_lacking_int(const char *name)
{
	say_once(name);
	return -1;
}

void pl_lacking_void(const char *name)
{
	say_once(name);
}

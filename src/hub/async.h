/* SPDX-License-Identifier: BSD-3-Clause */
/* async.h - asynchronous calls: ranks that push and pull by themselves */
/*
 * After the call that begins them, each rank pushes gradients and pulls parameters without waiting
 * for others, until it makes a call for which all are needed. A thread serves each rank. A rank
 * that has pushed a key more than `staleness` times more often than another one waits for it.
 */
#ifndef PLINK_SRC_HUB_ASYNC_H
#define PLINK_SRC_HUB_ASYNC_H

#include "base/err.h"
#include "engine/hub.h"
#include "engine/keys.h"
#include "engine/part.h"
#include "src/hub/serve.h"

struct hub_async {
	const struct pl_mesh *mesh;
	struct pl_rank_part *part; /* the hub's */
	struct pl_keys *keys;
	const struct pl_hub_ears *ears; /* the last call begins all this */
};

/* Serves all ranks until none makes asynchronous calls any more; *done counts on. 0, or -1 with
 * @err set and all ranks told why. */
int hub_async_serve(const struct hub_async *a, struct hub_done *done, struct pl_err *err);

#endif

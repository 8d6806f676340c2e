/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.h - the connections of a rank to those that it exchanges chunks with */
/*
 * Every rank listens, and connects to its peers of lower numbers. Who connects
 * says who it is and shows the job's key and the digest of what it will run;
 * who cannot is dropped.
 */
#ifndef PLINK_ENGINE_MESH_H
#define PLINK_ENGINE_MESH_H

#include "base/err.h"
#include "engine/lane.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define PL_MESH_KEY_BYTES 16

struct pl_mesh_options {
	uint32_t rank, n_ranks;
	size_t n_lanes; /* connections to each peer; at least 1 */
	unsigned char key[PL_MESH_KEY_BYTES]; /* of the job, secret */
	uint64_t digest;     /* of the schedule, the same on all ranks */
	int64_t patience_ns; /* until all peers are there */
};

/* Start with listen, end with fini. */
struct pl_mesh {
	struct pl_mesh_options options;
	int listener, epoll;
	/* lane k of peer p is lane[p * n_lanes + k]; fd -1: none */
	struct pl_lane *lane;
};

/* Listens at @address, whose port 0 becomes the one that the kernel chooses. 0,
 * or -1 with @err set (PL_ESYSTEM) and nothing to release. */
int pl_mesh_listen(struct pl_mesh *m, const struct pl_mesh_options *options,
		   struct sockaddr_storage *address, struct pl_err *err);

/* Connects to the ranks of which is_peer[n_ranks] is true, which is so both
 * ways, at address[n_ranks]. 0, or -1 with @err set: PL_ESYSTEM for who has not
 * come in time, PL_EINPUT for a peer with another digest. Listens no longer. */
int pl_mesh_connect(struct pl_mesh *m, const bool *is_peer,
		    const struct sockaddr_storage *address, struct pl_err *err);

void pl_mesh_fini(struct pl_mesh *m);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.h - the connections of a rank to those that it exchanges chunks with */
/*
 * Every rank listens, and connects to its peers of lower numbers. Who connects says who it is and
 * shows the job's key and the digest of what it will run; who cannot is dropped, and keeps no rank
 * from another.
 *
 * A peer whose machine is lost says nothing more. The connections that carry chunks cannot tell it
 * from one that is late and takes no more: so there is another one to each peer that carries
 * nothing, on which the kernels ask one another every few seconds.
 *
 * Between ranks of one machine, which is to say of one address, lanes get memory that both share
 * (fifo.h), where it can be had: processes of different users or containers have none.
 */
#ifndef PLINK_ENGINE_MESH_H
#define PLINK_ENGINE_MESH_H

#include "base/err.h"
#include "engine/lane.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define PL_MESH_KEY_BYTES 16

struct pl_mesh_options {
	uint32_t rank, n_ranks; /* hubs are numbered on from the ranks: */
	uint32_t first_hub;
	char *const *hub;                     /* their names, borrowed; NULL: there are none */
	size_t n_lanes;                       /* connections to each peer; at least 1 */
	bool shares_memory;                   /* with ranks of its machine, where it can */
	unsigned char key[PL_MESH_KEY_BYTES]; /* of the job, secret */
	uint64_t digest;                      /* of the schedule, the same on all ranks */
	int64_t patience_ns;                  /* until all peers are there */
};

/* Writes what the peer is called in messages. Returns @buf. */
const char *pl_mesh_peer(const struct pl_mesh_options *o, uint32_t peer, char buf[PL_PEER_CHARS]);

/* Some of the lanes; zeros: all. */
struct pl_mesh_share {
	struct pl_lane_share lanes; /* of each peer */
	bool one_peer;              /* only those of this one: */
	uint32_t peer;
};

/* Start with listen, end with fini. */
struct pl_mesh {
	struct pl_mesh_options options;
	struct pl_mesh_share share; /* of a view */
	bool is_view;
	int listener, epoll;
	/* lane k of peer p is lane[p * n_lanes + k]; fd -1: none */
	struct pl_lane *lane;
	int *watch;               /* [n_ranks]: carries no chunks; -1: none */
	size_t *shared, n_shared; /* the lanes with shared memory */
};

/* Listens at @address, whose port 0 becomes the one that the kernel chooses. 0, or -1 with @err set
 * (PL_ESYSTEM) and nothing to release. */
int pl_mesh_listen(struct pl_mesh *m, const struct pl_mesh_options *options,
		   struct sockaddr_storage *address, struct pl_err *err);

/* Connects to the ranks of which is_peer[n_ranks] is true, which is so both ways, at
 * address[n_ranks]. 0, or -1 with @err set: PL_ESYSTEM for who has not come in time, PL_EINPUT for
 * a peer with another digest. Listens no longer. */
int pl_mesh_connect(struct pl_mesh *m, const bool *is_peer, const struct sockaddr_storage *address,
		    struct pl_err *err);

/* An event of the mesh's epoll whose number, @at, is none of a lane: 0 if the peer has closed its
 * end, which its lanes say, too; -1 with @err set: PL_ESYSTEM, its machine has not answered for a
 * minute. */
int pl_mesh_watch(const struct pl_mesh *m, size_t at, struct pl_err *err);

/* A view of the mesh, which must be connected and last longer, for a thread that serves some of its
 * lanes. No lane may be served through two views, or a view and the mesh, at once. 0, or -1 with
 * @err set and nothing to release. */
int pl_mesh_view(struct pl_mesh *view, const struct pl_mesh *m, struct pl_mesh_share share,
		 struct pl_err *err);

/* Is lane[at] one of the view's? */
static inline bool pl_mesh_serves(const struct pl_mesh *m, size_t at)
{
	const size_t n = m->options.n_lanes;
	const struct pl_lane_share *lanes = &m->share.lanes;

	return (lanes->n == 0 || at % n % lanes->n == lanes->k) &&
	       (!m->share.one_peer || at / n == m->share.peer);
}

/* Ends all lanes both ways, so that threads that serve them fail. */
void pl_mesh_stop(const struct pl_mesh *m);

void pl_mesh_fini(struct pl_mesh *m);

#endif

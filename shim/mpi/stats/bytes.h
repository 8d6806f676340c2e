/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.h - the bytes of a call, as plink-stats(5) counts them */
/*
 * pl_bytes_X takes the arguments of MPI_X. It is called after the call has succeeded, so the
 * arguments that matter to the call are valid; it looks at no others.
 */
#ifndef PLINK_SHIM_MPI_STATS_BYTES_H
#define PLINK_SHIM_MPI_STATS_BYTES_H

#include PL_MPI_LIBRARY_H

#include <stdint.h>

/* @count elements of one type. */
struct pl_bytes_part {
	int count;
	MPI_Datatype type;
};

/* counts[rank] elements for each rank, of one type. */
struct pl_bytes_parts {
	const int *counts;
	MPI_Datatype type;
};

uint64_t pl_bytes_of(int count, MPI_Datatype type);

/* The bytes of a call with the root @rank, or of a message to @rank. 0 if @rank is MPI_PROC_NULL;
 * @count and @type need not be valid then. */
uint64_t pl_bytes_with(int rank, int count, MPI_Datatype type);

/* The bytes of @own, or of @in_place if @buf is MPI_IN_PLACE. 0 in the root's group of an
 * intercommunicator (MPI_ROOT, MPI_PROC_NULL). In the second function, @in_place counts for the
 * caller's own rank. */
uint64_t pl_bytes_rooted(int root, const void *buf, struct pl_bytes_part own,
			 struct pl_bytes_part in_place);
uint64_t pl_bytes_rooted_v(int root, const void *buf, struct pl_bytes_part own,
			   struct pl_bytes_parts in_place, MPI_Comm comm);

/* The sum over all ranks of @comm, or of its remote group; the first function has the same part for
 * each of them. */
uint64_t pl_bytes_to_all(const void *buf, struct pl_bytes_part own, struct pl_bytes_part in_place,
			 MPI_Comm comm);
uint64_t pl_bytes_to_all_v(const void *buf, struct pl_bytes_parts own,
			   struct pl_bytes_parts in_place, MPI_Comm comm);

/* The same with one type for each rank. */
struct pl_bytes_typed {
	const int *counts;
	const MPI_Datatype *types;
};
uint64_t pl_bytes_to_all_w(const void *buf, struct pl_bytes_typed own,
			   struct pl_bytes_typed in_place, MPI_Comm comm);

/* The sum over the ranks of the caller's own group. */
uint64_t pl_bytes_scattered(const int *counts, MPI_Datatype type, MPI_Comm comm);
uint64_t pl_bytes_scattered_block(int count, MPI_Datatype type, MPI_Comm comm);

#define PL_BYTES_PART(n, t) ((struct pl_bytes_part){n, t})
#define PL_BYTES_PARTS(n, t) ((struct pl_bytes_parts){n, t})
#define PL_BYTES_TYPED(n, t) ((struct pl_bytes_typed){n, t})

/* clang-format off */
#define pl_bytes_Barrier(comm) 0
#define pl_bytes_Bcast(b, n, t, root, comm) pl_bytes_with(root, n, t)
#define pl_bytes_Reduce(s, r, n, t, op, root, comm) pl_bytes_with(root, n, t)
#define pl_bytes_Allreduce(s, r, n, t, op, comm) pl_bytes_of(n, t)
#define pl_bytes_Scan pl_bytes_Allreduce
#define pl_bytes_Exscan pl_bytes_Allreduce
#define pl_bytes_Gather(s, sn, st, r, rn, rt, root, comm) \
	pl_bytes_rooted(root, s, PL_BYTES_PART(sn, st), PL_BYTES_PART(rn, rt))
#define pl_bytes_Gatherv(s, sn, st, r, rn, at, rt, root, comm) \
	pl_bytes_rooted_v(root, s, PL_BYTES_PART(sn, st), \
			  PL_BYTES_PARTS(rn, rt), comm)
#define pl_bytes_Scatter(s, sn, st, r, rn, rt, root, comm) \
	pl_bytes_rooted(root, r, PL_BYTES_PART(rn, rt), PL_BYTES_PART(sn, st))
#define pl_bytes_Scatterv(s, sn, at, st, r, rn, rt, root, comm) \
	pl_bytes_rooted_v(root, r, PL_BYTES_PART(rn, rt), \
			  PL_BYTES_PARTS(sn, st), comm)
#define pl_bytes_Allgather(s, sn, st, r, rn, rt, comm) \
	pl_bytes_rooted(0, s, PL_BYTES_PART(sn, st), PL_BYTES_PART(rn, rt))
#define pl_bytes_Allgatherv(s, sn, st, r, rn, at, rt, comm) \
	pl_bytes_rooted_v(0, s, PL_BYTES_PART(sn, st), \
			  PL_BYTES_PARTS(rn, rt), comm)
#define pl_bytes_Alltoall(s, sn, st, r, rn, rt, comm) \
	pl_bytes_to_all(s, PL_BYTES_PART(sn, st), PL_BYTES_PART(rn, rt), comm)
#define pl_bytes_Alltoallv(s, sn, sat, st, r, rn, rat, rt, comm) \
	pl_bytes_to_all_v(s, PL_BYTES_PARTS(sn, st), PL_BYTES_PARTS(rn, rt), \
			  comm)
#define pl_bytes_Alltoallw(s, sn, sat, st, r, rn, rat, rt, comm) \
	pl_bytes_to_all_w(s, PL_BYTES_TYPED(sn, st), PL_BYTES_TYPED(rn, rt), \
			  comm)
#define pl_bytes_Reduce_scatter(s, r, n, t, op, comm) \
	pl_bytes_scattered(n, t, comm)
#define pl_bytes_Reduce_scatter_block(s, r, n, t, op, comm) \
	pl_bytes_scattered_block(n, t, comm)
#define pl_bytes_Send(b, n, t, dest, tag, comm) pl_bytes_with(dest, n, t)
#define pl_bytes_Bsend pl_bytes_Send
#define pl_bytes_Rsend pl_bytes_Send
#define pl_bytes_Ssend pl_bytes_Send
/* also for MPI_Isendrecv, which has no status */
#define pl_bytes_Sendrecv(s, n, t, dest, ...) pl_bytes_with(dest, n, t)
#define pl_bytes_Sendrecv_replace(b, n, t, dest, ...) pl_bytes_with(dest, n, t)
/* clang-format on */

#endif

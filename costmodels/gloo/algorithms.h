/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - shared by the files of this folder, and used by its table */
/*
 * Gloo sends in two ways, which make different patterns:
 *
 * - The functions (gloo::allreduce() and so on, which PyTorch calls) send
 *   "unbound" buffers. A send waits until the receive has been posted: both
 *   ends announce themselves with a message that is only a header, then the
 *   data follow. The announcements belong to the transport and are not in the
 *   patterns; with them every message is a rendezvous, whatever its size.
 *
 * - The classes (AllreduceRing and so on) write into buffers that were
 *   registered when the object was made. A rank sends an int to tell its peer
 *   that such a buffer is free again. These notifications are messages of the
 *   algorithm and are in the patterns. Here a receive is posted when its buffer
 *   becomes free: at the start, or with the notification.
 *
 * On the wire each message, announcement and notification has a header of 48
 * bytes before its data; patterns count the data alone.
 */
#ifndef PLINK_COSTMODELS_GLOO_ALGORITHMS_H
#define PLINK_COSTMODELS_GLOO_ALGORITHMS_H

#include "costmodels/algorithm.h"

/* The size of the notification that a buffer is free. */
#define PL_GLOO_NOTIFICATION_BYTES 4

/* Consecutive elements of a buffer: the offset of the first, and their
 * number. */
struct pl_gloo_part {
	uint64_t at, count;
};

/* Tags: data and notifications, which have a buffer of their own. */
enum { PL_GLOO_DATA, PL_GLOO_NOTIFY };

/* Send a notification; receive one and wait for it. Both leave the tag at
 * PL_GLOO_DATA, and no data (PL_TAKES_NOTHING). */
void pl_gloo_notify(struct pl_script *s, size_t dst);
void pl_gloo_await(struct pl_script *s, size_t src);

/* Classes count elements and bytes in an int. 0, or -1 with @err set
 * (PL_EUSAGE) if @bytes do not fit. */
int pl_gloo_check_int(uint64_t bytes, struct pl_err *err);

/*
 * The hop of a ring (pl_shape_add_ring) in which each rank waits for its
 * neighbour's notification before it sends @bytes again. Its @rounds rounds
 * take as long as @rounds times the slowest link, there and back.
 */
struct pl_hop pl_gloo_paced_hop(double rounds, double bytes);

/* Generators, and shapes for the algorithms whose cost is not a sum over
 * rounds. */
pl_generate_fn pl_gloo_ring;
pl_shape_fn pl_gloo_ring_shape;
pl_generate_fn pl_gloo_ring_chunked;
pl_shape_fn pl_gloo_ring_chunked_shape;
pl_generate_fn pl_gloo_segmented_ring;
pl_shape_fn pl_gloo_segmented_ring_shape;
pl_generate_fn pl_gloo_halving_doubling;
pl_generate_fn pl_gloo_bcube;
pl_generate_fn pl_gloo_bcube_class;

pl_generate_fn pl_gloo_binomial;
pl_shape_fn pl_gloo_binomial_shape;
pl_generate_fn pl_gloo_one_to_all;

pl_generate_fn pl_gloo_reduce;
pl_shape_fn pl_gloo_reduce_shape;

pl_generate_fn pl_gloo_allgather;
pl_shape_fn pl_gloo_allgather_shape;
pl_generate_fn pl_gloo_allgatherv;
pl_shape_fn pl_gloo_allgatherv_shape;
pl_generate_fn pl_gloo_allgather_ring;
pl_shape_fn pl_gloo_allgather_ring_shape;

pl_generate_fn pl_gloo_reduce_scatter;

pl_generate_fn pl_gloo_alltoall;
pl_shape_fn pl_gloo_alltoall_shape;

pl_generate_fn pl_gloo_dissemination;
pl_generate_fn pl_gloo_all_to_all;
pl_generate_fn pl_gloo_all_to_one;

#endif

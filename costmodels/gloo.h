/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo.h - what the files of Gloo share */
/*
 * Gloo sends in two ways, which make different patterns:
 *
 * - The functions (gloo::allreduce() and so on, which PyTorch calls; gloo.c) send "unbound"
 * buffers. A send waits until the receive has been posted: both ends announce themselves with a
 * message that is only a header, then the data follow. The announcements belong to the transport
 * and are not in the patterns; with them every message is a rendezvous, whatever its size.
 *
 * - The classes (AllreduceRing and so on; gloo-classes.c and gloo-halving.c) write into buffers
 * that were registered when the object was made. A rank sends an int to tell its peer that such a
 * buffer is free again. These notifications are messages of the algorithm and are in the patterns.
 * Here a receive is posted when its buffer becomes free: at the start, or with the notification.
 *
 * On the wire each message, announcement and notification has a header of 48 bytes before its data;
 * patterns count the data alone.
 */
#ifndef PLINK_COSTMODELS_GLOO_H
#define PLINK_COSTMODELS_GLOO_H

#include "costmodels/kernels.h"

/* ---- classes */

/* Tags: data and notifications, which have buffers of their own; so have the data of the last round
 * of ReduceScatterHalvingDoubling. */
enum { PL_GLOO_DATA, PL_GLOO_NOTIFY, PL_GLOO_PARTS };

/* Sends a notification; receives one. */
void pl_gloo_notify(const struct pl_rank *r, size_t dst);
void pl_gloo_await(const struct pl_rank *r, size_t src);

/* Classes count elements and bytes in an int. */
pl_check_fn pl_gloo_check_int;
/* The same of all blocks together. */
pl_check_fn pl_gloo_check_gathered;

/* AllreduceRing, AllreduceRingChunked, AllreduceHalvingDoubling, AllreduceBcube. */
pl_kernel_fn pl_gloo_ring;
pl_kernel_fn pl_gloo_ring_chunked;
pl_objective_fn pl_gloo_ring_chunked_objective;
pl_kernel_fn pl_gloo_halving_doubling;
pl_kernel_fn pl_gloo_bcube_class;
/* BroadcastOneToAll, AllgatherRing, ReduceScatterHalvingDoubling. */
pl_kernel_fn pl_gloo_one_to_all;
pl_kernel_fn pl_gloo_gather_ring;
pl_kernel_fn pl_gloo_reduce_scatter;
/* BarrierAllToAll, BarrierAllToOne. */
pl_kernel_fn pl_gloo_all_to_all;
pl_kernel_fn pl_gloo_all_to_one;

/* ---- objectives */

/*
 * A ring in which each rank waits for its neighbour's word before it sends @bytes again. A round is
 * a message one way and that word back, 2 c + bytes / bw, and whoever waits at the slowest link
 * makes all others wait: no chain of messages round the ring takes longer than going to and fro
 * there, @rounds times. Becomes the slowest hop, of those that are added.
 */
int pl_gloo_add_paced_ring(struct pl_shape *shape, size_t n, bool down, double rounds, double bytes,
			   struct pl_err *err);

#endif

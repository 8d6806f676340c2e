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

/* Tags: data and notifications, which have a buffer of their own. */
enum { PL_GLOO_DATA, PL_GLOO_NOTIFY };

/* Send a notification; receive one and wait for it. Both leave the tag at
 * PL_GLOO_DATA. */
void pl_gloo_notify(struct pl_script *s, size_t dst);
void pl_gloo_await(struct pl_script *s, size_t src);

/* Classes count elements and bytes in an int. 0, or -1 with @err set
 * (PL_EUSAGE) if @bytes do not fit. */
int pl_gloo_check_int(uint64_t bytes, struct pl_err *err);

/*
 * Adds to *shape a ring in which each rank waits for its neighbour's
 * notification before it sends again. Its @rounds rounds take as long as
 * @rounds times the slowest link, there and back. @step is 1 or n_pos - 1: the
 * distance to the rank that a rank's messages, of @bytes, go to. 0, or -1 with
 * @err set and *shape empty.
 */
struct pl_gloo_paced_ring {
	size_t n_pos, step;
	double rounds, bytes;
};
int pl_gloo_add_paced_ring(struct pl_shape *shape,
			   const struct pl_gloo_paced_ring *ring,
			   struct pl_err *err);

/* Generators, and shapes for the algorithms whose cost is not a sum over
 * rounds. */
#define PL_GLOO_GENERATOR(name)                                                \
	int pl_gloo_##name(struct pl_script *s, const struct pl_call *call,    \
			   struct pl_err *err)
#define PL_GLOO_SHAPE(name)                                                    \
	int pl_gloo_##name##_shape(struct pl_shape *shape,                     \
				   const struct pl_call *call,                 \
				   struct pl_err *err)

PL_GLOO_GENERATOR(ring);
PL_GLOO_SHAPE(ring);
PL_GLOO_GENERATOR(ring_chunked);
PL_GLOO_SHAPE(ring_chunked);
PL_GLOO_GENERATOR(segmented_ring);
PL_GLOO_SHAPE(segmented_ring);
PL_GLOO_GENERATOR(halving_doubling);
PL_GLOO_GENERATOR(bcube);
PL_GLOO_GENERATOR(bcube_class);

PL_GLOO_GENERATOR(binomial);
PL_GLOO_SHAPE(binomial);
PL_GLOO_GENERATOR(one_to_all);

PL_GLOO_GENERATOR(reduce);
PL_GLOO_SHAPE(reduce);

PL_GLOO_GENERATOR(allgather);
PL_GLOO_SHAPE(allgather);
PL_GLOO_GENERATOR(allgatherv);
PL_GLOO_SHAPE(allgatherv);
PL_GLOO_GENERATOR(allgather_ring);
PL_GLOO_SHAPE(allgather_ring);

PL_GLOO_GENERATOR(reduce_scatter);

PL_GLOO_GENERATOR(dissemination);
PL_GLOO_GENERATOR(all_to_all);
PL_GLOO_GENERATOR(all_to_one);

#endif

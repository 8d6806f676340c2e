/* SPDX-License-Identifier: BSD-3-Clause */
/* flow-parts.h - what the sender and the receiver of a flow share */
#ifndef PLINK_PROBES_BANDWIDTH_FLOW_PARTS_H
#define PLINK_PROBES_BANDWIDTH_FLOW_PARTS_H

#include "probes/bandwidth/flow.h"

#include <sys/types.h>

#define PL_FLOW_CHUNK (256u << 10) /* bytes sent or received at a time */
#define PL_FLOW_CHUNKS 16          /* chunks of a stream before others have a turn */

/* Has the connection ended or failed? @got is what recv() returned; errno must be unchanged. */
bool pl_flow_is_broken(ssize_t got);

/* For how long nothing may come, in seconds. */
static inline double pl_flow_silence_s(const struct pl_flow *f)
{
	return (double)f->ask.silence_ns / 1e9;
}

/* Marks the flow as failed with this reason, unless it has failed already. */
void pl_flow_fail(struct pl_flow *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reads the packet that a connection begins with. 1: *packet is authentic, of this flow and in
 * direction @wanted; 0: not complete yet; -1: it is not valid, or the connection has ended. */
int pl_flow_greeting(const struct pl_flow *f, struct pl_stream *s, enum pl_direction wanted,
		     struct pl_packet *packet);

/* Writes that packet for stream @seq. 0, or -1. */
int pl_flow_greet(const struct pl_flow *f, int fd, enum pl_direction what, uint32_t seq);

void pl_flow_close(struct pl_stream *s);
bool pl_flow_all_closed(const struct pl_flow *f);

/* The parts of pl_flow_step for either end: they advance stage and why. */
void pl_flow_step_receiver(struct pl_flow *f, int64_t now_ns);
void pl_flow_step_sender(struct pl_flow *f, int64_t now_ns);

#endif

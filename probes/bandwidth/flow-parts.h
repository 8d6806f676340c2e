/* SPDX-License-Identifier: BSD-3-Clause */
/* flow-parts.h - what both ends of a flow do alike */
#ifndef PLINK_PROBES_BANDWIDTH_FLOW_PARTS_H
#define PLINK_PROBES_BANDWIDTH_FLOW_PARTS_H

#include "probes/bandwidth/flow.h"

#include <sys/types.h>

#define PL_FLOW_CHUNK (256u << 10) /* bytes sent or received at a time */
#define PL_FLOW_CHUNKS 16          /* of a stream before others have a turn */

/* Something else than bytes has come: recv() said so with errno, or 0. */
bool pl_flow_is_broken(ssize_t got);

/* The flow goes wrong, unless it has already. */
void pl_flow_fail(struct pl_flow *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Reads what a connection begins with. 1: *packet is authentic and of this
 * flow, in the direction @wanted; 0: not all of it is there; -1: it is not, or
 * it is over. */
int pl_flow_greeting(const struct pl_flow *f, struct pl_stream *s,
		     enum pl_direction wanted, struct pl_packet *packet);

/* Writes it, for stream @seq. 0, or -1. */
int pl_flow_greet(const struct pl_flow *f, int fd, enum pl_direction what,
		  uint32_t seq);

void pl_flow_close(struct pl_stream *s);
bool pl_flow_all_closed(const struct pl_flow *f);

/* The two ends' parts of pl_flow_step: they advance stage and why. */
void pl_flow_step_receiver(struct pl_flow *f, int64_t now_ns);
void pl_flow_step_sender(struct pl_flow *f, int64_t now_ns);

#endif

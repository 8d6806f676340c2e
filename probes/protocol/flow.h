/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.h - a flow of bytes from one host to another by TCP: request and
 * result */
#ifndef PLINK_PROBES_PROTOCOL_FLOW_H
#define PLINK_PROBES_PROTOCOL_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#define PL_STREAMS_MAX 16 /* connections of a flow */
#define PL_FLOW_MILLION 1000000
#define PL_FLOW_BYTES_LIMIT INT64_C(1000000000000000)

/* A flow ends when its rate has settled, or at its limit of time or bytes. */
struct pl_flow_ask {
	unsigned n_streams;
	int64_t limit_ns;   /* from the first byte on */
	uint64_t bytes_max; /* all streams together */
	int64_t silence_ns; /* give up after this long without bytes */
	/* settled when the rate changes by less than this, in millionths; 0: the flow takes its
	 * whole time, and its rate is that of the middle */
	uint32_t settle_ppm;
};

/* The result at either end; rate and settled are the receiver's. */
struct pl_flow_figures {
	uint64_t bytes; /* sent, or received */
	int64_t ns;     /* from the first byte to the last that counts */
	uint64_t bytes_per_s;
	bool settled;
	uint64_t resent; /* segments sent again, by the sender's kernel */
};

#endif

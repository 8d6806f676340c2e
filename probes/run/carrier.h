/* SPDX-License-Identifier: BSD-3-Clause */
/* carrier.h - a relay's connection, as a host uses it that is behind the
 * relay */
#ifndef PLINK_PROBES_RUN_CARRIER_H
#define PLINK_PROBES_RUN_CARRIER_H

#include "probes/protocol/frames.h"

#include <stdbool.h>
#include <stdint.h>

/* Start with pl_carrier_init; end with pl_carrier_fini. Where there is no
 * connection any more what is sent is dropped: whoever serves the relay says
 * why. */
struct pl_carrier {
	const char *host; /* where the relay is; borrowed */
	int fd;           /* its input; borrowed, -1: there is none any more */
	struct pl_outbox out;
};

void pl_carrier_init(struct pl_carrier *c, const char *host);

/* Frames for the relay (probes/protocol/frames.h). 0, or -1: it does not take
 * them. */
int pl_carrier_send(struct pl_carrier *c, enum pl_frame_kind kind,
		    uint16_t channel, const void *data, size_t len);
int pl_carrier_start(struct pl_carrier *c, uint16_t channel, bool push,
		     char *const argv[]);

/* Sends what waits, as far as the relay takes it. */
void pl_carrier_flush(struct pl_carrier *c);

void pl_carrier_fini(struct pl_carrier *c);

#endif

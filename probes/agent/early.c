/* SPDX-License-Identifier: BSD-3-Clause */
/* early.c - a request that came before its round began here */
#include "config.h"

#include "probes/agent/early.h"

#include <string.h>

void pl_early_keep(struct pl_early *early, const uint8_t data[PL_PACKET_BYTES],
		   const struct pl_arrival *arrival, unsigned flow)
{
	early->kept = true;
	memcpy(early->data, data, sizeof(early->data));
	early->arrival = *arrival;
	early->flow = flow;
}

bool pl_early_take(struct pl_early *early, struct pl_probe_exchange *x, int64_t now_ns,
		   struct pl_packet *packet)
{
	struct pl_probe_exchange after = *x;

	if (!early->kept || now_ns - early->arrival.at_ns > PL_EARLY_NS)
		return false;
	if (pl_exchange_judge(&after, early->data, sizeof(early->data), &early->arrival.from,
			      early->flow, packet) != PL_ANSWER)
		return false;
	*x = after;
	x->stale--;
	early->kept = false;
	return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* carrier.c - the connection through a relay, as a host behind it uses it */
#include "config.h"

#include "probes/run/carrier.h"

#define WAITING_MOST ((size_t)4 << 20)

void pl_carrier_init(struct pl_carrier *c, const char *host)
{
	*c = (struct pl_carrier){
		.host = host,
		.fd = -1,
		.out = {.most = WAITING_MOST},
	};
}

void pl_carrier_flush(struct pl_carrier *c)
{
	if (c->fd < 0 || pl_outbox_flush(&c->out, c->fd, SIZE_MAX, false) >= 0)
		return;
	/* nobody reads: the end of its output will tell why */
	c->fd = -1;
	pl_outbox_fini(&c->out);
}

int pl_carrier_send(struct pl_carrier *c, enum pl_frame_kind kind, uint16_t channel,
		    const void *data, size_t len)
{
	if (c->fd < 0)
		return 0;
	if (pl_frame_put(&c->out, kind, channel, data, len))
		return -1;
	pl_carrier_flush(c);
	return 0;
}

int pl_carrier_start(struct pl_carrier *c, uint16_t channel, bool push, char *const argv[])
{
	if (c->fd < 0)
		return 0;
	if (pl_frame_put_start(&c->out, channel, push, argv))
		return -1;
	pl_carrier_flush(c);
	return 0;
}

void pl_carrier_fini(struct pl_carrier *c)
{
	pl_outbox_fini(&c->out);
	c->fd = -1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* window.c - the cost of a byte if a connection carries only so many at once */
#include "config.h"

#include "order/window.h"

#include "base/mem.h"
#include "predict/protocol.h"

#include <math.h>

/* LightGBM sets its sockets' buffers: with a few windows, bytes cost more than all hops. The kernel
 * lets the buffers of other libraries grow. */
static bool is_bound(const struct pl_order_request *q)
{
	return q->what.a->impl == PL_LIGHTGBM &&
	       (q->what.has_size || q->what.a->decide || q->tables || pl_order_request_promises(q));
}

int pl_order_take_windows(struct pl_order_input *in, enum pl_quantity quantity,
			  const struct pl_order_request *q, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	struct pl_protocol protocol;

	if (!is_bound(q))
		return 0;
	if (pl_protocol_of(q->what.a, q->what.radix, &protocol, err))
		return -1;
	if (!in->per_byte)
		in->per_byte = pl_array_create(n * n, sizeof(*in->per_byte));
	if (!in->per_byte)
		return pl_err_nomem(err);
	in->window_bytes = protocol.last_window_bytes;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const double there = in->c[i * n + j];
			const double round_trip =
				quantity == PL_RTT ? there : there + in->c[j * n + i];

			in->per_byte[i * n + j] =
				fmax(in->per_byte[i * n + j], round_trip / in->window_bytes);
		}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* window.c - what a byte costs where a connection has only so many under way */
#include "config.h"

#include "src/order/window.h"

#include "predict/protocol.h"
#include "src/mem.h"

#include <math.h>

/* LightGBM sets its sockets' buffers: a few windows, and bytes cost more than all
 * hops. The kernel lets those of others grow. */
static bool is_bound(const struct pl_order_options *o)
{
	return o->what.a->impl == PL_LIGHTGBM &&
	       (o->what.has_size || o->what.a->decide || pl_order_predicts(o) ||
		pl_order_promises(o));
}

int pl_order_take_windows(struct pl_order_input *in, enum pl_quantity quantity,
			  const struct pl_order_options *o, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	struct pl_protocol protocol;

	if (!is_bound(o))
		return 0;
	if (pl_protocol_of(o->what.a, o->what.radix, &protocol, err))
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
				quantity == PL_RTT ? there
						   : there + in->c[j * n + i];

			in->per_byte[i * n + j] =
				fmax(in->per_byte[i * n + j],
				     round_trip / in->window_bytes);
		}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.c - chooses some of the hosts given (--choose) */
#include "config.h"

#include "src/order/choose.h"

#include "base/mem.h"
#include "order/algorithm.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int pl_reorder_choose_check(const struct pl_hosts *hosts, const struct pl_reorder_options *o,
			    struct pl_err *err)
{
	if (o->request.choose == 0)
		return 0;
	if (o->request.choose > hosts->n)
		return pl_err_set(err, PL_EINPUT, "--choose=%zu: there are %zu hosts",
				  o->request.choose, hosts->n);
	if (pl_order_slots(hosts) == 0)
		return pl_err_set(err, PL_EINPUT,
				  "--choose: hosts have different numbers of slots");
	return 0;
}

void pl_reorder_chosen_fini(struct pl_reorder_chosen *chosen)
{
	pl_order_input_fini(&chosen->in);
	pl_order_result_fini(&chosen->r);
	pl_hosts_fini(&chosen->left_out);
}

/* seat_of[n]: the seat of each host, SIZE_MAX if it has none; number[n]: the number of each host
 * among those chosen. */
static int share_out(struct pl_reorder_chosen *chosen, const struct pl_hosts *hosts,
		     const size_t *seat_of, size_t *number)
{
	for (size_t h = 0; h < hosts->n; h++) {
		struct pl_hosts *to =
			seat_of[h] == SIZE_MAX ? &chosen->left_out : &chosen->in.hosts;

		number[h] = to->n;
		if (pl_hosts_add(to, &hosts->v[h]))
			return -1;
	}
	return 0;
}

static int fill(struct pl_reorder_chosen *chosen, const struct pl_hosts *hosts,
		const size_t *host_at, size_t *seat_of, size_t *number, size_t n_seats)
{
	for (size_t h = 0; h < hosts->n; h++)
		seat_of[h] = SIZE_MAX;
	for (size_t seat = 0; seat < n_seats; seat++)
		seat_of[host_at[seat]] = seat;
	if (share_out(chosen, hosts, seat_of, number))
		return -1;
	for (size_t seat = 0; seat < n_seats; seat++)
		chosen->r.host_at[seat] = number[host_at[seat]];
	return 0;
}

static int init(struct pl_reorder_chosen *chosen, const struct pl_order_input *in,
		const struct pl_order_result *r, size_t n_seats)
{
	size_t *seat_of = pl_array_create(in->hosts.n, sizeof(*seat_of));
	size_t *number = pl_array_create(in->hosts.n, sizeof(*number));
	int rc = -1;

	*chosen = (struct pl_reorder_chosen){.r = *r};
	chosen->in.unit = in->unit;
	chosen->in.window_bytes = in->window_bytes;
	chosen->in.pairs_measured = in->pairs_measured;
	chosen->in.pairs_missing = in->pairs_missing;
	chosen->r.host_at = pl_array_create(n_seats, sizeof(*r->host_at));
	if (seat_of && number && chosen->r.host_at)
		rc = fill(chosen, &in->hosts, r->host_at, seat_of, number, n_seats);
	free(seat_of);
	free(number);
	return rc;
}

int pl_reorder_chosen_tell(struct pl_reorder_chosen *chosen, struct pl_reorder_answer *a,
			   size_t n_seats, struct pl_err *err)
{
	if (a->o->request.choose == 0)
		return 0;
	if (init(chosen, a->in, a->r, n_seats)) {
		pl_reorder_chosen_fini(chosen);
		return pl_err_nomem(err);
	}
	a->in = &chosen->in;
	a->r = &chosen->r;
	a->left_out = &chosen->left_out;
	return 0;
}

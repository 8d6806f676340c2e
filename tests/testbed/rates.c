/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.c - links of finite speed, passed cut-through */
#include "config.h"

#include "tests/testbed/rates.h"

#include "src/mem.h"

#include <stdlib.h>
#include <string.h>

int tb_rates_init(struct tb_rates *rates, const struct tb_rates_options *opt,
		  struct pl_err *err)
{
	memset(rates, 0, sizeof(*rates));
	rates->n = opt->n;
	rates->n_racks = opt->n_racks;
	if (opt->nic_bps > 0)
		rates->nic_ns = 8e9 / opt->nic_bps;
	if (opt->uplink_bps > 0)
		rates->uplink_ns = 8e9 / opt->uplink_bps;
	rates->rack = pl_array_create(opt->n, sizeof(*rates->rack));
	rates->out = pl_array_create(opt->n, sizeof(*rates->out));
	rates->in = pl_array_create(opt->n, sizeof(*rates->in));
	rates->up = pl_array_create(opt->n_racks, sizeof(*rates->up));
	rates->down = pl_array_create(opt->n_racks, sizeof(*rates->down));
	if (!rates->rack || !rates->out || !rates->in || !rates->up ||
	    !rates->down) {
		tb_rates_fini(rates);
		return pl_err_nomem(err);
	}
	memcpy(rates->rack, opt->rack, opt->n * sizeof(*rates->rack));
	return 0;
}

void tb_rates_fini(struct tb_rates *rates)
{
	free(rates->rack);
	free(rates->out);
	free(rates->in);
	free(rates->up);
	free(rates->down);
	memset(rates, 0, sizeof(*rates));
}

/* The first bit waits until the link is free; the last comes no sooner than the
 * link can send it, and no sooner than it arrived. */
static void pass(struct tb_link *link, double byte_ns, struct tb_passage *p)
{
	const int64_t start =
		link->free_ns > p->head_ns ? link->free_ns : p->head_ns;
	const int64_t end = start + (int64_t)(byte_ns * p->bytes);

	p->head_ns = start;
	if (end > p->tail_ns)
		p->tail_ns = end;
	link->free_ns = end;
}

bool tb_rates_crosses(const struct tb_rates *rates, size_t src, size_t dst)
{
	return rates->uplink_ns > 0 && rates->rack[src] != rates->rack[dst];
}

void tb_rates_pass(struct tb_rates *rates, enum tb_hop hop,
		   struct tb_passage *p)
{
	const bool crosses = tb_rates_crosses(rates, p->src, p->dst);

	switch (hop) {
	case TB_CARD_OUT:
		if (rates->nic_ns > 0)
			pass(&rates->out[p->src], rates->nic_ns, p);
		break;
	case TB_UPLINK:
		if (crosses)
			pass(&rates->up[rates->rack[p->src]], rates->uplink_ns,
			     p);
		break;
	case TB_DOWNLINK:
		if (crosses)
			pass(&rates->down[rates->rack[p->dst]],
			     rates->uplink_ns, p);
		break;
	case TB_CARD_IN:
		if (rates->nic_ns > 0)
			pass(&rates->in[p->dst], rates->nic_ns, p);
		break;
	}
}

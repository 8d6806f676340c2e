/* SPDX-License-Identifier: BSD-3-Clause */
/* deploy.c - what clusters with aggregators cost, and train for it */
#include "config.h"

#include "planner/rack/deploy.h"

#include <math.h>

/* What a port's part of the network costs: its own card, port of the rack's
 * switch and cable, and of what is between the switches as much as the
 * oversubscription leaves. */
static double network_of(const struct pl_deploy *d, double card, double ratio)
{
	const double port = d->switch_price / (double)d->switch_ports;

	return card + port + d->cable + (4 * port + 2 * d->cable) / ratio;
}

int pl_deploy_cost(const struct pl_deploy *d, uint64_t hubs, double ratio, struct pl_deploy_cost *c,
		   struct pl_err *err)
{
	const double down = floor((double)d->switch_ports * ratio / (ratio + 1) + 1e-9);
	const double taken = (double)hubs * (double)d->hub_ports;
	const double ports = (double)d->hub_ports;
	double hub;

	if (down - taken < 1)
		return pl_err_set(err, PL_EINPUT,
				  "%s: of %.0f ports for machines, the hubs "
				  "take %.0f: none is left for workers",
				  d->name, down, taken);
	hub = d->hub_machine + ports * (d->hub_card + network_of(d, d->hub_card, ratio));
	c->workers = (uint64_t)(down - taken);
	c->network = network_of(d, d->card, ratio);
	c->hub = hubs > 0 ? (double)hubs * hub / (double)c->workers : 0;
	c->worker = d->machine + d->card + (double)d->accelerators * d->accelerator + c->network +
		    c->hub;
	c->per_1000 = 1000 * d->samples_per_s / c->worker;
	return 0;
}

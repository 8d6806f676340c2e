/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-costs.c - what hosts that add up gradients must carry, gain and cost */
#include "config.h"

#include "planner/srift/comm/hub-costs.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double pl_server_need(enum pl_server kind, size_t n_workers, double rate)
{
	const double n = (double)n_workers;

	switch (kind) {
	case PL_SERVER_CC:
		return 2 * (n - 1) * rate;
	case PL_SERVER_CS:
		return 4 * (n - 1) * rate / n;
	case PL_SERVER_NCC:
		return 2 * n * rate;
	default:
		return 2 * rate;
	}
}

void pl_rack_hubs_judge(struct pl_rack_hubs *r)
{
	const double n = (double)r->n_workers, k = (double)r->n_racks;

	r->flat_s = n * (k - 1) / (k * r->core) * r->bits;
	r->local_s = fmax(n / r->hub, 1 / r->worker) * r->bits;
	r->between_s = (k - 1) / (k * fmin(r->hub, r->core)) * r->bits;
	r->pays = r->flat_s > r->local_s + r->between_s;
}

/* Dollars, and numbers of things, which are whole. */
struct prices {
	double machine, card, cable; /* of a worker without accelerators */
	double accelerator, accelerators, samples_per_s;
	double switch_price, switch_ports; /* ports of the workers' speed */
	double hub_machine, hub_card;      /* of a hub; of a port of it */
	double hub_ports, hubs;            /* of a hub; of a rack, or 0 */
};

/* What a port's part of the network costs: its own card, port of the rack's switch and cable, and
 * of what is between the switches as much as the oversubscription leaves. */
static double network_of(const struct prices *p, double card, double ratio)
{
	const double port = p->switch_price / p->switch_ports;

	return card + port + p->cable + (4 * port + 2 * p->cable) / ratio;
}

/* -1: no port is left for workers. */
static int add_costs(struct pl_deploy *d, const struct prices *p)
{
	const double f = d->ratio;
	const double ports = floor(p->switch_ports * f / (f + 1) + 1e-9);
	const double hub =
		p->hub_machine + p->hub_ports * (p->hub_card + network_of(p, p->hub_card, f));

	d->hubs = p->hubs;
	d->workers = ports - p->hubs * p->hub_ports;
	d->network = network_of(p, p->card, f);
	d->hub = p->hubs * hub / d->workers;
	d->worker = p->machine + p->card + p->accelerators * p->accelerator + d->network + d->hub;
	d->per_1000 = 1000 * p->samples_per_s / d->worker;
	return d->workers < 1 ? -1 : 0;
}

/* ---- the file of prices ---- */

#define TEXT_MAX ((size_t)1 << 20)
#define AT(member) .at = offsetof(struct prices, member)
#define PRICE(member) AT(member), 0, 1e9
#define COUNT(member, least) AT(member), least, 1e6, true

/* The members of each object, and the prices that they are; those without limits are read
 * elsewhere. */
static const struct {
	const char *in, *key;
	size_t at;
	double least, most;
	bool whole;
} members[] = {
	{"", .key = "name"},
	{"", "machine", PRICE(machine)},
	{"", "accelerator", PRICE(accelerator)},
	{"", "accelerators", COUNT(accelerators, 0)},
	{"", "card", PRICE(card)},
	{"", "cable", PRICE(cable)},
	{"", .key = "switch"},
	{"switch", "price", PRICE(switch_price)},
	{"switch", "ports", COUNT(switch_ports, 2)},
	{"", .key = "hub"},
	{"hub", "machine", PRICE(hub_machine)},
	{"hub", "card", PRICE(hub_card)},
	{"hub", "ports", COUNT(hub_ports, 1)},
	{"hub", "in_rack", COUNT(hubs, 1)},
	{"", "samples_per_s", PRICE(samples_per_s)},
	{"", .key = "oversubscription"},
	{"", .key = "reported"},
	{"", .key = "why"},
};
#define N_MEMBERS (sizeof(members) / sizeof(*members))

/* Fills @p with the numbers of the object, which has no other members. */
static int read_prices(struct prices *p, const char *in, const struct pl_json_at *at,
		       struct pl_err *err)
{
	const char *keys[N_MEMBERS + 1] = {NULL};
	size_t n = 0;

	for (size_t i = 0; i < N_MEMBERS; i++)
		if (strcmp(members[i].in, in) == 0)
			keys[n++] = members[i].key;
	if (pl_json_object(at, keys, err))
		return -1;
	for (size_t i = 0; i < N_MEMBERS; i++) {
		const struct pl_json_at x = pl_json_member(at, members[i].key);
		double *to = (double *)((char *)p + members[i].at);

		if (strcmp(members[i].in, in) != 0 || members[i].most == 0)
			continue;
		if (pl_json_number(&x, members[i].least, members[i].most, to, err))
			return -1;
		if (members[i].whole && *to != floor(*to))
			return pl_json_fault(&x, err, "%g is not whole", *to);
	}
	return 0;
}

/* A row for each oversubscription; what @d has is in all of them. */
static int add_rows(struct pl_deploys *to, struct pl_deploy d, const struct prices *p,
		    const struct pl_json_at *at, struct pl_err *err)
{
	const struct pl_json_at ratios = pl_json_member(at, "oversubscription");
	const struct pl_json_at reported = pl_json_member(at, "reported");
	size_t n;

	if (pl_json_array(&ratios, 1, PL_DEPLOY_RATIOS_MAX, &n, err) ||
	    (reported.value && pl_json_array(&reported, n, n, &n, err)))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct pl_json_at ratio = pl_json_element(&ratios, i);
		const struct pl_json_at told = pl_json_element(&reported, i);

		d.reported = NAN;
		if (pl_json_number(&ratio, 1, 1000, &d.ratio, err) ||
		    (told.value && pl_json_number(&told, 0, 1e9, &d.reported, err)))
			return -1;
		if (add_costs(&d, p))
			return pl_json_fault(&ratio, err, "no port is left for workers of \"%s\"",
					     d.name);
		if (pl_array_grow((void **)&to->v, &to->room, to->n, sizeof(d)))
			return pl_err_nomem(err);
		to->v[to->n++] = d;
	}
	return 0;
}

static int read_one(struct pl_deploys *to, const struct pl_json_at *at, struct pl_err *err)
{
	const struct pl_json_at name = pl_json_member(at, "name");
	const struct pl_json_at why = pl_json_member(at, "why");
	const struct pl_json_at hub = pl_json_member(at, "hub");
	const struct pl_json_at rack_switch = pl_json_member(at, "switch");
	struct prices p = {0};
	struct pl_deploy d = {0};

	if (read_prices(&p, "", at, err) || pl_json_string(&name, &d.name, err) ||
	    (why.value && pl_json_string(&why, &d.why, err)) ||
	    read_prices(&p, "switch", &rack_switch, err) ||
	    (hub.value && read_prices(&p, "hub", &hub, err)))
		return -1;
	if (p.machine + p.accelerators * p.accelerator == 0)
		return pl_json_fault(at, err, "\"%s\" costs nothing", d.name);
	return add_rows(to, d, &p, at, err);
}

static int read_all(struct pl_deploys *d, struct pl_err *err)
{
	static const char *const keys[] = {"plink-rack", "deployments", NULL};
	const struct pl_json_at root = pl_json_root(&d->doc);
	const struct pl_json_at version = pl_json_member(&root, keys[0]);
	const struct pl_json_at list = pl_json_member(&root, keys[1]);
	int64_t number;
	size_t n;

	if (pl_json_object(&root, keys, err) || pl_json_whole(&version, 1, 1, &number, err) ||
	    pl_json_array(&list, 1, PL_DEPLOY_MAX, &n, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct pl_json_at at = pl_json_element(&list, i);

		if (read_one(d, &at, err))
			return -1;
	}
	return 0;
}

int pl_deploys_parse(struct pl_deploys *d, const struct pl_text *text, struct pl_err *err)
{
	if (pl_json_parse(&d->doc, text, err) == 0 && read_all(d, err) == 0)
		return 0;
	pl_deploys_fini(d);
	return -1;
}

int pl_deploys_read(struct pl_deploys *d, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	rc = pl_deploys_parse(d, &text, err);
	pl_text_fini(&text);
	return rc;
}

void pl_deploys_fini(struct pl_deploys *d)
{
	pl_json_fini(&d->doc);
	free(d->v);
	memset(d, 0, sizeof(*d));
}

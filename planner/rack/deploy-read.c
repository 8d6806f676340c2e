/* SPDX-License-Identifier: BSD-3-Clause */
/* deploy-read.c - prices of deployments, as JSON (plink-rack(1)) */
#include "config.h"

#include "planner/rack/deploy.h"

#include "base/mem.h"
#include "planner/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 20)
#define PRICE_MAX 1e9
#define COUNT_MAX 1000000
#define RATIO_MAX 1000

void pl_deploys_fini(struct pl_deploys *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->v[i].name);
		free(d->v[i].why);
	}
	free(d->v);
	memset(d, 0, sizeof(*d));
}

static int copy_string(const struct pl_json_at *at, char **to, struct pl_err *err)
{
	const char *s;

	if (pl_json_string(at, &s, err))
		return -1;
	*to = pl_string_copy(s, strlen(s));
	return *to ? 0 : pl_err_nomem(err);
}

static int read_ratios(struct pl_deploy *d, const struct pl_json_at *at, struct pl_err *err)
{
	const struct pl_json_at ratios = pl_json_member(at, "oversubscription");
	const struct pl_json_at reported = pl_json_member(at, "reported");
	size_t n;

	if (pl_json_array(&ratios, 1, PL_DEPLOY_RATIOS_MAX, &d->n, err) ||
	    (reported.value && pl_json_array(&reported, d->n, d->n, &n, err)))
		return -1;
	for (size_t i = 0; i < d->n; i++) {
		const struct pl_json_at ratio = pl_json_element(&ratios, i);
		const struct pl_json_at told = pl_json_element(&reported, i);

		d->reported[i] = NAN;
		if (pl_json_number(&ratio, 1, RATIO_MAX, &d->ratio[i], err) ||
		    (reported.value && pl_json_number(&told, 0, PRICE_MAX, &d->reported[i], err)))
			return -1;
	}
	return 0;
}

static int read_hub(struct pl_deploy *d, const struct pl_json_at *at, struct pl_err *err)
{
	static const char *const keys[] = {"machine", "card", "ports", "in_rack", NULL};

	if (!at->value)
		return 0;
	return pl_json_object(at, keys, err) ||
			       pl_json_number_in(at, "machine", 0, PRICE_MAX, &d->hub_machine,
						 err) ||
			       pl_json_number_in(at, "card", 0, PRICE_MAX, &d->hub_card, err) ||
			       pl_json_whole_in(at, "ports", 1, COUNT_MAX, &d->hub_ports, err) ||
			       pl_json_whole_in(at, "in_rack", 1, COUNT_MAX, &d->hubs, err)
		       ? -1
		       : 0;
}

static int read_switch(struct pl_deploy *d, const struct pl_json_at *at, struct pl_err *err)
{
	static const char *const keys[] = {"price", "ports", NULL};

	return pl_json_object(at, keys, err) ||
			       pl_json_number_in(at, "price", 0, PRICE_MAX, &d->switch_price,
						 err) ||
			       pl_json_whole_in(at, "ports", 2, COUNT_MAX, &d->switch_ports, err)
		       ? -1
		       : 0;
}

static int read_one(struct pl_deploy *d, const struct pl_json_at *at, struct pl_err *err)
{
	static const char *const keys[] = {
		"name",     "machine", "accelerator", "accelerators",  "card",
		"cable",    "switch",  "hub",         "samples_per_s", "oversubscription",
		"reported", "why",     NULL};
	const struct pl_json_at name = pl_json_member(at, "name");
	const struct pl_json_at why = pl_json_member(at, "why");
	const struct pl_json_at hub = pl_json_member(at, "hub");
	const struct pl_json_at sw = pl_json_member(at, "switch");

	if (pl_json_object(at, keys, err) || copy_string(&name, &d->name, err) ||
	    pl_json_number_in(at, "machine", 0, PRICE_MAX, &d->machine, err) ||
	    pl_json_number_in(at, "accelerator", 0, PRICE_MAX, &d->accelerator, err) ||
	    pl_json_whole_in(at, "accelerators", 0, COUNT_MAX, &d->accelerators, err) ||
	    pl_json_number_in(at, "card", 0, PRICE_MAX, &d->card, err) ||
	    pl_json_number_in(at, "cable", 0, PRICE_MAX, &d->cable, err) ||
	    pl_json_number_in(at, "samples_per_s", 0, PRICE_MAX, &d->samples_per_s, err) ||
	    read_switch(d, &sw, err) || read_hub(d, &hub, err) || read_ratios(d, at, err))
		return -1;
	if (d->machine + (double)d->accelerators * d->accelerator == 0)
		return pl_json_fault(at, err, "\"%s\" costs nothing", d->name);
	return why.value ? copy_string(&why, &d->why, err) : 0;
}

static int read_all(struct pl_deploys *d, const struct pl_json *doc, struct pl_err *err)
{
	static const char *const keys[] = {"plink-rack", "deployments", NULL};
	const struct pl_json_at root = pl_json_root(doc);
	const struct pl_json_at version = pl_json_member(&root, "plink-rack");
	const struct pl_json_at list = pl_json_member(&root, "deployments");
	int64_t number;
	size_t n;

	if (!json_is_object(root.value) || !version.value)
		return pl_json_fault(&root, err,
				     "this is no file of prices for plink-rack: "
				     "it lacks \"plink-rack\": 1");
	if (pl_json_whole(&version, 1, 1, &number, err) || pl_json_object(&root, keys, err) ||
	    pl_json_array(&list, 1, PL_DEPLOY_MAX, &n, err))
		return -1;
	d->v = pl_array_create(n, sizeof(*d->v));
	if (!d->v)
		return pl_err_nomem(err);
	while (d->n < n) {
		const struct pl_json_at at = pl_json_element(&list, d->n);

		if (read_one(&d->v[d->n++], &at, err))
			return -1;
	}
	return 0;
}

int pl_deploys_parse(struct pl_deploys *d, const struct pl_text *text, struct pl_err *err)
{
	struct pl_json doc;
	int rc;

	if (pl_json_parse(&doc, text, err))
		return -1;
	rc = read_all(d, &doc, err);
	pl_json_fini(&doc);
	if (rc)
		pl_deploys_fini(d);
	return rc;
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

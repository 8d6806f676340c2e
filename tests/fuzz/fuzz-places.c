/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-places.c - any bytes as what a provider tells: places, or an error */
#include "config.h"

#include "topology/places.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_pair(const struct pl_places *p, size_t a, size_t b)
{
	const size_t apart = pl_places_apart(p, a, b);

	if (apart != pl_places_apart(p, b, a) || (apart == 0) != (a == b) ||
	    apart > pl_places_levels(p) + 1)
		abort();
}

static void check(const struct pl_places *p)
{
	char path[256];

	if (p->n < 1 || p->n > PL_PLACES_HOSTS_MAX || !p->form ||
	    pl_places_levels(p) > PL_PLACES_LEVELS_MAX)
		abort();
	for (size_t i = 0; i < p->n && i < 200; i++) {
		const char *name = p->host[i].name;

		if (pl_places_find(p, name, strlen(name)) == PL_PLACES_NONE && *name)
			abort();
		if (strlen(pl_places_path(p, i, path, sizeof(path))) == 0)
			abort();
		check_pair(p, i, 0);
		check_pair(p, i, p->n - 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_places p = {0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return 0;
	if (pl_places_parse(&p, &text, &err) == 0)
		check(&p);
	else if (err.code != PL_EINPUT || p.n || p.host)
		abort();
	pl_places_fini(&p);
	pl_text_fini(&text);
	return 0;
}

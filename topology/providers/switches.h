/* SPDX-License-Identifier: BSD-3-Clause */
/* switches.h - a tree of named switches, each above other switches or hosts */
#ifndef PLINK_TOPOLOGY_PROVIDERS_SWITCHES_H
#define PLINK_TOPOLOGY_PROVIDERS_SWITCHES_H

#include "base/err.h"
#include "base/text/names.h"
#include "base/text/text.h"
#include "topology/places.h"

#include <stddef.h>

/* A switch or a block; strings are borrowed. */
struct pl_switch {
	struct pl_word name;
	size_t above; /* the switch that lists it, or PL_NO_SWITCH */
};
#define PL_NO_SWITCH ((size_t)-1)

/*
 * Start with {.p, .kind, .err}; end with fini. First all switches are added, then all links between
 * them, then all hosts. Each function returns 0, or -1 with err set: PL_EINPUT with the place of
 * the word at fault, no memory.
 */
struct pl_switches {
	struct pl_places *p;
	const char *kind; /* what users call one: "switch" */
	struct pl_err *err;
	struct pl_switch *v;
	size_t n, room;
	struct pl_names names;
};

int pl_switches_add(struct pl_switches *s, const struct pl_word *name);

/* Places the switches of @list, in bracket notation, below switch @name. */
int pl_switches_link(struct pl_switches *s, const struct pl_word *name, const struct pl_word *list);

/* Adds the hosts of @list, which may be empty, below switch @name; also finds circles above it. */
int pl_switches_hosts(struct pl_switches *s, const struct pl_word *name,
		      const struct pl_word *list);

void pl_switches_fini(struct pl_switches *s);

#endif

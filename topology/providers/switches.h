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
	size_t above;    /* a switch that lists it, or PL_NO_SWITCH */
	size_t same;     /* a switch with the same others below, or itself */
	size_t n_below;  /* how many others it lists, those that are the same once */
	size_t n_joined; /* how many it and those that are the same list */
};
#define PL_NO_SWITCH ((size_t)-1)

/* A switch in the list of another. */
struct pl_switch_link {
	size_t above, below;
};

/*
 * Start with {.p, .kind, .err}; end with fini. First all switches are added, then all links between
 * them, then joined, then all hosts. Each function returns 0, or -1 with err set: PL_EINPUT with
 * the place of the word at fault, no memory.
 */
struct pl_switches {
	struct pl_places *p;
	const char *kind; /* what users call one: "switch" */
	struct pl_err *err;
	struct pl_switch *v;
	size_t n, room;
	struct pl_names names;
	struct pl_switch_link *link;
	size_t n_links, links_room;
};

int pl_switches_add(struct pl_switches *s, const struct pl_word *name);

/* Places the switches of @list, in bracket notation, below switch @name. */
int pl_switches_link(struct pl_switches *s, const struct pl_word *name, const struct pl_word *list);

/* Makes a tree of the links: switches with the same others below them are one place, as several
 * core switches above the same leaves are. */
int pl_switches_join(struct pl_switches *s);

/*
 * Adds the hosts of @list, which may be empty, below switch @name; also finds circles above it. The
 * first is for switches without others below and does nothing for others; the second, called after
 * it, is for the others, whose lists may repeat the hosts of those below.
 */
int pl_switches_hosts(struct pl_switches *s, const struct pl_word *name,
		      const struct pl_word *list);
int pl_switches_hosts_above(struct pl_switches *s, const struct pl_word *name,
			    const struct pl_word *list);

void pl_switches_fini(struct pl_switches *s);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* fabric.h - switches, the links between them and the hosts below them */
#ifndef PLINK_TOPOLOGY_PROVIDERS_FABRIC_H
#define PLINK_TOPOLOGY_PROVIDERS_FABRIC_H

#include "base/err.h"
#include "base/text/names.h"
#include "base/text/text.h"
#include "topology/places.h"

#include <stddef.h>

/* Strings are borrowed from the text being read. */
struct pl_fabric_switch {
	struct pl_word id;   /* unique */
	struct pl_word name; /* empty: none, or other switches have it, too */
	size_t rank;         /* hops to the nearest switch with hosts */
	size_t up;           /* link to the parent in a group of switches (union-find) */
};

struct pl_fabric_link {
	size_t a, b; /* switches */
};

struct pl_fabric_host {
	struct pl_word name, adapter;
	size_t at; /* the switch */
};

/* Start with {0}; end with fini. */
struct pl_fabric {
	struct pl_fabric_switch *sw;
	struct pl_fabric_link *link;
	struct pl_fabric_host *host;
	size_t n_switches, n_links, n_hosts;
	size_t switches_room, links_room, hosts_room;
	struct pl_names switches, hosts;
};

/* Sets *at to the switch of that id, which is added if it is new. 0, or -1: no memory. */
int pl_fabric_switch(struct pl_fabric *f, const struct pl_word *id, size_t *at);

/* Adds a link between two switches; it may be added from both ends. 0, or -1: no memory. */
int pl_fabric_link(struct pl_fabric *f, size_t a, size_t b);

/* Adds a host's adapter at a switch. Of a host's several adapters the one whose name sorts first is
 * kept, so that all hosts are placed by the same adapter. 0, or -1: no memory. */
int pl_fabric_host(struct pl_fabric *f, const struct pl_word *name, const struct pl_word *adapter,
		   size_t at);

/*
 * Adds the hosts to @p. A host's narrowest place is its switch (a leaf). Switches k hops above
 * leaves unite the switches below them, and all others that these reach without going higher, into
 * one place: in a fat tree that is a pod. At most PL_PLACES_LEVELS_MAX - 1 hops are considered. 0,
 * or -1 with @err set.
 */
int pl_fabric_places(struct pl_fabric *f, struct pl_places *p, struct pl_err *err);

void pl_fabric_fini(struct pl_fabric *f);

#endif

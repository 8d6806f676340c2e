/* SPDX-License-Identifier: BSD-3-Clause */
/* places.h - where hosts stand: region, zone, rack, as somebody told us */
#ifndef PLINK_TOPOLOGY_PLACES_H
#define PLINK_TOPOLOGY_PLACES_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/text/names.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_PLACES_LEVELS_MAX 16    /* labels of one host */
#define PL_PLACES_HOSTS_MAX 262144 /* hosts in one file */

/* What pl_places_find gives for a name that nobody or more than one has. */
enum { PL_PLACES_NONE = -1, PL_PLACES_SEVERAL = -2 };

/* A place within its parent; number 0 is the whole, of depth 0. Racks of one
 * label in two zones are two places. */
struct pl_places_node {
	size_t parent;
	size_t depth;      /* labels on the way to it */
	size_t height;     /* levels of known places below it, at most */
	char *key;         /* its parent's number and its label */
	const char *label; /* the end of the key; "": not known */
};

/* A host and the narrowest place that it is known to be in. */
struct pl_places_host {
	char *name; /* the first of its names */
	size_t node;
};

/* A name of a host; weak: the part before the first dot of one. */
struct pl_places_alias {
	char *s;
	size_t host;
	bool weak, several;
};

/* Hosts are in the order of the file. Start with {0}; end with fini. */
struct pl_places {
	struct pl_places_host *host;
	size_t n, room;
	struct pl_places_node *node;
	size_t n_nodes, nodes_room;
	struct pl_places_alias *alias;
	size_t n_aliases, aliases_room;
	struct pl_names aliases, nodes;
	const char *form; /* "plain", "ec2", ...: static */
};

/* Labels of a host, the widest place first; a label of no characters is one
 * that is not known. Borrows the strings. */
struct pl_places_path {
	struct {
		const char *s;
		size_t len;
	} label[PL_PLACES_LEVELS_MAX];
	size_t n;
};

/* Appends a label; -1 where there are too many. */
int pl_places_push(struct pl_places_path *path, const char *s, size_t len);

/*
 * Adds a host and copies its name and labels; unknown labels at the end of the
 * path do not count. Names may come again: find then gives PL_PLACES_SEVERAL.
 * Its index, or -1 with @err set: PL_EINPUT where there are too many, memory.
 */
ptrdiff_t pl_places_add(struct pl_places *p, const char *name, size_t len,
			const struct pl_places_path *path, struct pl_err *err);

/* Another name of that host: an address, a private DNS name. 0, or -1 with @err
 * set: no memory. */
int pl_places_also(struct pl_places *p, size_t host, const char *name,
		   size_t len, struct pl_err *err);

/*
 * The host of that name. What stands before the first dot of a name in the file
 * will do, where no other host has it. PL_PLACES_NONE, PL_PLACES_SEVERAL.
 */
ptrdiff_t pl_places_find(const struct pl_places *p, const char *name,
			 size_t len);

/* The same by a host's name, what it calls itself (node), its address, and at
 * last by the part of either name before its first dot. */
ptrdiff_t pl_places_find_host(const struct pl_places *p,
			      const struct pl_host *host);

/*
 * How many levels two hosts of @p share: labels from the widest on that are the
 * same, unknown ones at the end of those not counted.
 */
size_t pl_places_shared(const struct pl_places *p, size_t a, size_t b);

/*
 * How far apart two hosts are: 0 for a host and itself; else 1, and one more
 * for every level of known places below the narrowest one that both are in. An
 * ultrametric: d(a, c) <= max(d(a, b), d(b, c)).
 */
size_t pl_places_apart(const struct pl_places *p, size_t a, size_t b);

/* Known levels of the deepest path; two hosts are at most one more apart. */
size_t pl_places_levels(const struct pl_places *p);

/* "region/zone/rack" of that host, "-" for a label that is not known; cut to
 * @room. Returns @buf. */
const char *pl_places_path(const struct pl_places *p, size_t host, char *buf,
			   size_t room);

/*
 * Reads any form that plink-topology(5) lists, told apart by their content. @p
 * must be empty. 0, or -1 with @p empty and @err set: PL_EINPUT with the place
 * (also for a file without any host), PL_ESYSTEM.
 */
int pl_places_parse(struct pl_places *p, struct pl_text *text,
		    struct pl_err *err);
int pl_places_read(struct pl_places *p, const char *path, struct pl_err *err);

void pl_places_fini(struct pl_places *p);

#endif

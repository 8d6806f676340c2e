/* SPDX-License-Identifier: BSD-3-Clause */
/* places.h - where hosts stand: region, zone, rack, as a file tells */
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

/* What pl_places_find returns for a name that no host or more than one host has; and
 * pl_places_find_host for a host without a place, where others have one (not in plain files, which
 * write "-"). */
enum { PL_PLACES_NONE = -1, PL_PLACES_SEVERAL = -2, PL_PLACES_UNPLACED = -3 };

/* A place within its parent. Node 0 is the root, of depth 0. Two racks with the same label in two
 * zones are two places. */
struct pl_places_node {
	size_t parent;
	size_t depth;      /* number of labels from the root to it */
	size_t height;     /* most levels of known places below it */
	char *key;         /* its parent's number and its label */
	const char *label; /* points to the end of the key; "": not known */
};

/* A host and the narrowest place that it is known to be in. */
struct pl_places_host {
	char *name; /* the first of its names */
	size_t node;
};

/* A name of a host. weak: only the part of a name before a dot. several: more than one host has
 * it. */
struct pl_places_alias {
	char *s;
	size_t host;
	bool weak, several;
};

/* Hosts are in the order of the file. Start with {0}, perhaps with labels set; end with fini. */
struct pl_places {
	struct pl_places_host *host;
	size_t n, room;
	struct pl_places_node *node;
	size_t n_nodes, nodes_room;
	struct pl_places_alias *alias;
	size_t n_aliases, aliases_room;
	struct pl_names aliases, nodes;
	const char *form;   /* "plain", "ec2", ...: static */
	const char *labels; /* "KEY,KEY": those of Kubernetes' nodes, widest first; NULL: known
			     * ones. Borrowed */
};

/* The labels of a host, widest place first; an empty label is one that is not known. Borrows the
 * strings. */
struct pl_places_path {
	struct {
		const char *s;
		size_t len;
	} label[PL_PLACES_LEVELS_MAX];
	size_t n;
};

/* Appends a label. 0, or -1 where there are PL_PLACES_LEVELS_MAX already. */
int pl_places_push(struct pl_places_path *path, const char *s, size_t len);

/*
 * Adds a host and copies its name and labels; unknown labels at the end of the path are dropped. A
 * name may occur again: pl_places_find then returns PL_PLACES_SEVERAL. Returns the index of the
 * host, or -1 with @err set: PL_EINPUT for more than PL_PLACES_HOSTS_MAX hosts, no memory.
 */
ptrdiff_t pl_places_add(struct pl_places *p, const char *name, size_t len,
			const struct pl_places_path *path, struct pl_err *err);

/* Gives the host another name: an address, a private DNS name. 0, or -1 with @err set: no
 * memory. */
int pl_places_also(struct pl_places *p, size_t host, const char *name, size_t len,
		   struct pl_err *err);

/*
 * Returns the index of the host of that name, PL_PLACES_NONE or PL_PLACES_SEVERAL. The part before
 * a dot of a name in the file is enough if only one host has it.
 */
ptrdiff_t pl_places_find(const struct pl_places *p, const char *name, size_t len);

/* The same for a host of a list: looks for its name, its node name (uname -n) and its address, and
 * then for the parts of these before a dot among whole names: PL_ALIKE_DOMAIN. A name in another
 * domain is another host. Also PL_PLACES_UNPLACED. */
ptrdiff_t pl_places_find_host(const struct pl_places *p, const struct pl_host *host);

/*
 * Distance of two hosts: 0 for a host and itself; else 1 plus the number of levels of known places
 * below the narrowest known place that contains both. An ultrametric: d(a, c) <= max(d(a, b), d(b,
 * c)).
 */
size_t pl_places_apart(const struct pl_places *p, size_t a, size_t b);

/* Number of known levels of the deepest path; the distance of two hosts is at most one more. */
size_t pl_places_levels(const struct pl_places *p);

/* Writes the path of the host, as "region/zone/rack" with "-" for an unknown label, into buf[room],
 * cut to fit. Returns @buf. */
const char *pl_places_path(const struct pl_places *p, size_t host, char *buf, size_t room);

/*
 * Reads any form that plink-topology(5) lists; the content shows which. @p must be empty. 0, or -1
 * with @p empty and @err set: PL_EINPUT with file, line and column (also for a file without any
 * host), PL_ESYSTEM.
 */
int pl_places_parse(struct pl_places *p, struct pl_text *text, struct pl_err *err);
int pl_places_read(struct pl_places *p, const char *path, struct pl_err *err);

void pl_places_fini(struct pl_places *p);

/*
 * Explains why pl_places_find_host() returned @found, which is no host, for that
 * host: a name that differs only in case or in zeros, or a file without names of that kind. Fills
 * buf[room] with the end of a sentence that begins with the host's name, and returns buf.
 */
const char *pl_places_why(const struct pl_places *p, const struct pl_host *host, ptrdiff_t found,
			  char *buf, size_t room);

#endif

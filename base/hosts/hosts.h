/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.h - lists of machines, in the order given (plink-hosts(5)) */
#ifndef PLINK_BASE_HOSTS_HOSTS_H
#define PLINK_BASE_HOSTS_HOSTS_H

#include "base/err.h"
#include "base/text/text.h"

#include <stddef.h>
#include <stdint.h>

#define PL_HOSTS_MAX 65536     /* hosts in one list, ranges expanded */
#define PL_HOST_NAME_MAX 255   /* bytes in a name */
#define PL_HOST_SLOTS_MAX 4096 /* ranks on one host */

/* What a name is made of, IPv6 addresses apart. */
#define PL_HOST_NAME_CHARS                                                     \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

/* One machine. Strings belong to the list; optional ones are NULL. */
struct pl_host {
	char *name; /* as in the list, without brackets, port and slots */
	char *node; /* what the machine calls itself (uname -n) */
	char *addr; /* the numeric address its peers used */
	int slots;  /* ranks it runs, >= 1 */
	int port;   /* 0: none given */
};

/* Indexed by host, in the order given. Start with {0}; end with fini. */
struct pl_hosts {
	struct pl_host *v;
	size_t n, room;
};

enum pl_hosts_form {
	PL_HOSTS_LIST, /* a host once, with its slots */
	PL_HOSTS_SEQ,  /* a line per rank: a host may come again */
	PL_HOSTS_ANY,  /* either of them, for whoever wants the order only */
};

/*
 * Reads a host list: one entry a line, or several separated by commas in
 * bracket notation: "name", "name slots=N", "name:N" (slots), "name port",
 * "[::1]:7" (slots, too), "node[01-04,7]"; '#' starts a comment. @hosts must be
 * empty. In PL_HOSTS_SEQ a host that comes again is kept as an entry of its
 * own, and an IPv6 address needs no brackets; several slots are refused, and
 * ports (Open MPI takes them for cores).
 * PL_HOSTS_ANY takes all that either form takes.
 * 0, or -1 with @hosts empty: PL_EINPUT with the place (also for a list without
 * any host, and a host twice where ports do not tell them apart), PL_ESYSTEM.
 */
int pl_hosts_parse(struct pl_hosts *hosts, struct pl_text *text,
		   enum pl_hosts_form form, struct pl_err *err);

/* The same from a file; "-" is standard input. */
int pl_hosts_read(struct pl_hosts *hosts, const char *path,
		  enum pl_hosts_form form, struct pl_err *err);

/* Appends a copy of @host (strings copied). 0, or -1: out of memory. */
int pl_hosts_add(struct pl_hosts *hosts, const struct pl_host *host);

/* @to must be empty; becomes a copy. 0, or -1: out of memory. */
int pl_hosts_copy(struct pl_hosts *to, const struct pl_hosts *from);

/* Index of the first host of that name, or -1. */
ptrdiff_t pl_hosts_find(const struct pl_hosts *hosts, const char *name);

/*
 * Looks for two entries that nothing tells apart: of one name, and not each
 * with a port of its own. 0 with the indices, *first < *again; *again is the
 * first entry at fault, or hosts->n when there is none. -1: out of memory.
 */
int pl_hosts_duplicate(const struct pl_hosts *hosts, size_t *first,
		       size_t *again);

/*
 * What keeps @s (@len bytes) from being a host's name, or NULL if nothing does.
 * Names go onto command lines and into files of words: letters, digits, '.',
 * '-', '_', not starting with '-' or '.'; or an IPv6 address without brackets.
 * *at becomes the offset of the offending byte; the text is static.
 */
const char *pl_host_name_fault(const char *s, size_t len, size_t *at);

/* Sum of slots. */
size_t pl_hosts_ranks(const struct pl_hosts *hosts);

void pl_hosts_fini(struct pl_hosts *hosts);

#endif

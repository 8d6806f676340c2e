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

/* The characters of a name that is not an IPv6 address. */
#define PL_HOST_NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

/* One machine. Strings belong to the list; optional ones are NULL. */
struct pl_host {
	char *name; /* as in the list, without brackets, port or slots */
	char *node; /* its own name, as uname -n prints it */
	char *addr; /* the numeric address its peers used */
	char *type; /* of machine, as a profile calls it */
	char *user; /* to log in as */
	int slots;  /* ranks it runs, >= 1 */
	int port;   /* 0: none given */
};

/* Indexed by host, in the order given. Start with {0}; end with fini. */
struct pl_hosts {
	struct pl_host *v;
	size_t n, room;
};

enum pl_hosts_form {
	PL_HOSTS_LIST, /* each host once, with its slots */
	PL_HOSTS_SEQ,  /* a line per rank: hosts may repeat */
	PL_HOSTS_ANY,  /* either form, where only the order matters */
};

/*
 * Reads a host list: one entry per line, or several in bracket notation
 * separated by commas: "name", "user@name", "name slots=N", "name:N" (slots), "name port",
 * "[::1]:7" (slots as well), "node[01-04,7]", each with "type=NAME"; '#' starts
 * a comment. @hosts must be empty.
 * PL_HOSTS_SEQ makes each repetition of a host an entry of its own, accepts an
 * IPv6 address without brackets, and refuses more than one slot, and ports,
 * which Open MPI would read as cores. PL_HOSTS_ANY accepts all that either form
 * accepts.
 * 0, or -1 with @hosts empty: PL_EINPUT with the place (also for a list without
 * a host, and in PL_HOSTS_LIST for two entries of one name that do not differ
 * in their ports), PL_ESYSTEM.
 */
int pl_hosts_parse(struct pl_hosts *hosts, struct pl_text *text, enum pl_hosts_form form,
		   struct pl_err *err);

/* Like pl_hosts_parse, from a file; "-" is standard input. */
int pl_hosts_read(struct pl_hosts *hosts, const char *path, enum pl_hosts_form form,
		  struct pl_err *err);

/* Appends a copy of @host (strings copied). 0, or -1: out of memory. */
int pl_hosts_add(struct pl_hosts *hosts, const struct pl_host *host);

/* Appends the hosts of @from to @to, each name once. 0, or -1 with @err set: out of memory. */
int pl_hosts_distinct(struct pl_hosts *to, const struct pl_hosts *from, struct pl_err *err);

/* What @to does not say (node, addr, type), it takes from @from. 0, or -1: out of memory. */
int pl_host_adopt(struct pl_host *to, const struct pl_host *from);

/* @to must be empty; becomes a copy. 0, or -1: out of memory. */
int pl_hosts_copy(struct pl_hosts *to, const struct pl_hosts *from);

/* Index of the first host of that name, or -1. */
ptrdiff_t pl_hosts_find(const struct pl_hosts *hosts, const char *name);

/*
 * Looks for two entries that cannot be told apart: they have the same name, and not each has a port
 * of its own. 0 with their indices *first < *again; *again is the first entry at fault, or hosts->n
 * if there is none. -1: out of memory.
 */
int pl_hosts_duplicate(const struct pl_hosts *hosts, size_t *first, size_t *again);

/*
 * The reason why @s (@len bytes) is no host name, as a static text, or NULL if it is one; *at
 * becomes the offset of the byte at fault. Host names go onto command lines and into files of
 * words: they consist of letters, digits, '.', '-' and '_' and do not start with '-' or '.', or are
 * an IPv6 address without brackets.
 */
const char *pl_host_name_fault(const char *s, size_t len, size_t *at);

/*
 * How alike two names of machines are, in any case. One rule for all that compares the name in a
 * list with another one, such as that which the machine has for itself. Addresses are the same or
 * differ.
 */
enum pl_alike {
	PL_ALIKE_NO,
	PL_ALIKE_SHORT,  /* the same up to the first dot, in two domains: n1.a, n1.b */
	PL_ALIKE_DOMAIN, /* one is the other up to a dot of it: n1, n1.a, n1.a.b */
	PL_ALIKE_SAME,
};
enum pl_alike pl_host_names_alike(const char *a, const char *b);

/* How alike @name is to the host's name or to its node name, whichever is more so. */
enum pl_alike pl_host_alike(const struct pl_host *host, const char *name);

/* Are there two hosts with one name up to the first dot? To Open MPI these are one unless it is
 * told not to cut names there. 1 or 0; -1: out of memory. */
int pl_hosts_share_short(const struct pl_hosts *hosts);

/* Is s[@len] a numeric address, of IPv6 perhaps with the interface: fe80::1%eth0? */
bool pl_host_is_address(const char *s, size_t len);

/* Sum of slots. */
size_t pl_hosts_ranks(const struct pl_hosts *hosts);

void pl_hosts_fini(struct pl_hosts *hosts);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.h - orders found for a list of hosts (plink-plan(5)) */
#ifndef PLINK_BASE_PLAN_PLAN_H
#define PLINK_BASE_PLAN_PLAN_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An order and the calls that it is for. Owned by the plan. */
struct pl_order {
	char *collective, *algorithm, *impl; /* "allreduce", "ring", "thesis" */
	uint64_t size_min;                   /* the smallest size in bytes */
	uint64_t size_max;                   /* the largest; UINT64_MAX: no limit */
	uint64_t root;                       /* root rank of a broadcast or reduce, else 0 */
	double cost, given, bound;           /* in the matrix's unit; NaN: not known */
	size_t *host_at;                     /* [hosts.n]: host index by pos, a permutation */
};

/* A plan of more hosts has no costs between them. */
#define PL_PLAN_COSTS_MAX 512

/* Hosts are in the order given; the first order is the default. Start with {0}, end with fini. */
struct pl_plan {
	char *created; /* "2026-11-20T14:00:00Z"; NULL: not known */
	char *by;      /* "plink-order 0.1"; NULL: not known */
	char *matrix;  /* digest of the matrix, a word; NULL: not known */
	bool has_seed;
	uint64_t seed;
	struct pl_hosts hosts;
	/* [hosts.n * hosts.n], finite and not negative, from row to column, 0 from a host to
	 * itself; in the matrix's unit; NULL: not known */
	double *cost;
	struct pl_order *order;
	size_t n_orders, orders_room;
};

/*
 * Copies @order into the plan, which must already have its hosts. host_at must be a permutation of
 * them, names must be words, and costs finite or NaN. 0, or -1 with the plan unchanged: PL_EINPUT
 * (without a place), PL_ESYSTEM.
 */
int pl_plan_add(struct pl_plan *plan, const struct pl_order *order, struct pl_err *err);

/* Reads a plan; @plan must be empty. 0, or -1 with @plan empty: PL_EINPUT with the place (unknown
 * version or key, not a permutation, no order at all), PL_ESYSTEM. */
int pl_plan_parse(struct pl_plan *plan, struct pl_text *text, struct pl_err *err);
int pl_plan_read(struct pl_plan *plan, const char *path, struct pl_err *err);

/* A file of another type that begins as a plan does, with a header and hosts, and goes on with
 * lines of its own. */
struct pl_plan_kin {
	const char *type; /* "plink-schedule": the file starts with "# TYPE 1" */
	/* A line that begins with neither "host" nor "#": its first word, and the rest. The hosts
	 * are complete when the first comes. 0, or -1 with @err set. */
	int (*read)(void *with, const struct pl_word *word, struct pl_line *line,
		    struct pl_err *err);
	void *with;
};

/* Reads such a file: the plan gets no orders. @plan must be empty. Fails as pl_plan_parse does. */
int pl_plan_parse_kin(struct pl_plan *plan, struct pl_text *text, const struct pl_plan_kin *kin,
		      struct pl_err *err);

/* Writes the header and the hosts of such a file; fails as pl_plan_write
 * does. */
int pl_plan_write_kin(const struct pl_plan *plan, const char *type, FILE *out, struct pl_err *err);

/*
 * Writes a plan; reading it back gives the same plan, doubles bit for bit (except NaN, which is
 * left out). A plan that could not be read back is refused before the first byte (PL_EINPUT,
 * without a place): no host or no order, two hosts that cannot be told apart, a name, date or
 * digest that is not a word, costs that cannot be read. 0, or -1; the caller flushes and closes.
 */
int pl_plan_write(const struct pl_plan *plan, FILE *out, struct pl_err *err);

/* Takes the hosts out of the plan for which keep[hosts.n] is false. The others keep their sequence
 * in the list and in each order, the costs of which are then not known. 0, or -1 with the plan
 * unchanged: no memory. */
int pl_plan_restrict(struct pl_plan *plan, const bool *keep);

/* Converts the date of a plan, only in the form "2026-11-20T14:00:00Z", to seconds since 1970. 0,
 * or -1 with *unix_s unchanged. */
int pl_plan_time(const char *created, int64_t *unix_s);

/* Is it a word of a plan: 1 to 255 printable ASCII characters, no blank and no '#'? */
bool pl_plan_is_word(const char *s, size_t len);

/* Is it one or more such words with blanks between them (the name and version of a program)? */
bool pl_plan_is_phrase(const char *s, size_t len);

/* Is the order the given one? */
bool pl_order_is_identity(const struct pl_order *order, size_t n_hosts);

void pl_plan_fini(struct pl_plan *plan);

#endif

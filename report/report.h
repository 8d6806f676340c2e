/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - what a report shows: a matrix, orders over its hosts, what they
 * cost */
#ifndef PLINK_REPORT_REPORT_H
#define PLINK_REPORT_REPORT_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PL_REPORT_TITLE 200
#define PL_REPORT_RACKS_MAX 256 /* hosts: of more, racks are by linkage */
/* of the others nothing but who they are */
#define PL_REPORT_RACKS_LISTED 200

/* A hop of a collective, or several that are the same; hosts by their
 * number. */
struct pl_report_link {
	size_t src, dst;
	size_t group; /* the round or the tree */
	double cost;  /* of the pair, bytes included, in the report's unit */
	double times; /* how often */
	bool missing; /* it was not measured: the cost is what stood for it */
};

struct pl_report_links {
	struct pl_report_link *v;
	size_t n, room;
};

/* An order found and the given one, for one collective. */
struct pl_report_order {
	char title[PL_REPORT_TITLE]; /* "allreduce ring (thesis)" */
	size_t n;                    /* hosts in it */
	size_t *host_at;             /* [n], by pos */
	double given, cost, bound;   /* NaN: not known */
	bool exact;                  /* none is cheaper */
	enum pl_shape_kind kind;
	size_t n_groups;
	struct pl_report_links in_given, in_found;
};

struct pl_report_rack {
	size_t n;            /* hosts */
	double inner, outer; /* median within, and from and to others; or NaN */
};

/* What one algorithm takes at one size, in seconds; NaN: not known. */
struct pl_report_time {
	uint64_t bytes;
	bool has_size, best;
	char name[PL_REPORT_TITLE];
	double given_s, found_s;
};

enum pl_report_part {
	PL_REPORT_ASKED,   /* what the caller asked for */
	PL_REPORT_EFFECT,  /* what took effect */
	PL_REPORT_WARNING, /* what is the matter; no key */
	PL_REPORT_COMMAND, /* what keeps the order; key: in which case */
};

struct pl_report_fact {
	enum pl_report_part part;
	char *key, *value;
};

/* Where all of it comes from; borrowed, and must outlive the report. */
struct pl_report_source {
	const struct pl_matrix *matrix;
	const struct pl_hosts *hosts; /* in the given order */
	const size_t *cell_of;        /* [hosts->n] the matrix's host of each */
	/* [hosts->n * hosts->n] costs, NaN where missing; what stands for what
	 * is missing may be filled in */
	const double *c, *per_byte; /* the latter: NULL where not known */
	const char *tool;
};

/* Start with init, end with fini. Hosts are numbered in the given order. */
struct pl_report {
	struct pl_report_source from;
	size_t n;
	char **label; /* [n] */
	size_t *rack; /* [n] */
	struct pl_report_rack *racks;
	size_t n_racks;
	bool linked; /* racks are groups by average linkage alone */
	double low,
		high; /* of the colours' scale, > 0; NaN: nothing measured */
	double slow;  /* a hop that costs as much is slow */
	size_t n_missing; /* ordered pairs */
	struct pl_report_order *order;
	size_t n_orders, orders_room;
	struct pl_report_time *time;
	size_t n_times, times_room;
	bool times_of_found; /* one order's; else each algorithm's in its own */
	struct pl_report_fact *fact;
	size_t n_facts, facts_room;
};

/* Finds racks (topology/racks.h; of many hosts by linkage.h, cut where heights
 * jump most), the scale and what is slow. 0, or -1 with @err set
 * and nothing to release. */
int pl_report_init(struct pl_report *r, const struct pl_report_source *from,
		   struct pl_err *err);
void pl_report_fini(struct pl_report *r);

/* One call of a collective: its hops over positions, which are ranks (those of
 * a host stand together) or, where @by_host, hosts. */
struct pl_report_call {
	const char *title;
	const struct pl_shape *shape;
	bool by_host;
};

/* Adds the order host_at[n] of @n of the hosts (copied), without costs: the
 * caller fills them in. NULL with @err set. The pointer holds until the next is
 * added. */
struct pl_report_order *pl_report_add_order(struct pl_report *r,
					    const struct pl_report_call *call,
					    const size_t *host_at, size_t n,
					    struct pl_err *err);

/* Adds what one algorithm takes. 0, or -1: no memory. */
int pl_report_add_time(struct pl_report *r, const struct pl_report_time *time);

/* Adds a line of text (copied). 0, or -1: no memory. */
int pl_report_add(struct pl_report *r, enum pl_report_part part,
		  const char *key, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Layer 0's cell from host @i to @j of the report; NaN where missing. */
double pl_report_cell(const struct pl_report *r, size_t i, size_t j);

/* Is a hop of that cost slow? */
bool pl_report_is_slow(const struct pl_report *r,
		       const struct pl_report_link *link);

/* Where on the colours' scale: 0 fast, 1 slow; logarithmic, beyond its ends
 * cut. */
double pl_report_level(const struct pl_report *r, double value);

#define PL_REPORT_NUMBER 32

/* "4.98 ms" for 4980 of unit us: to four digits, in the unit that suits it;
 * bandwidths in bytes per second; others with their unit. "-" for NaN. Returns
 * @buf. */
const char *pl_report_number(char buf[PL_REPORT_NUMBER], double value,
			     enum pl_unit unit);

/* The page, a heat map as SVG, the same as PNG. 0, or -1 with @err set; the
 * caller flushes and closes. */
int pl_report_write_html(const struct pl_report *r, FILE *out,
			 struct pl_err *err);
int pl_report_write_svg(const struct pl_report *r, FILE *out,
			struct pl_err *err);
int pl_report_write_png(const struct pl_report *r, FILE *out,
			struct pl_err *err);

/* By the end of the name, in any case: ".html", ".htm", ".svg", ".png". */
typedef int pl_report_write_fn(const struct pl_report *r, FILE *out,
			       struct pl_err *err);
pl_report_write_fn *pl_report_writer(const char *path);

#endif

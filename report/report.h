/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - the contents of a report: a matrix, orders of its hosts, and their costs */
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
/* with more hosts than this, racks are found by linkage */
#define PL_REPORT_RACKS_MAX 256
/* racks beyond this number have nothing in racks[], only in rack[] */
#define PL_REPORT_RACKS_LISTED 200

/* A hop of a collective, or several hops of one group between the same hosts; hosts are numbered as
 * in the report. */
struct pl_report_link {
	size_t src, dst;
	size_t group; /* the tree, if the cost is a longest path; otherwise 0 */
	/* of one hop, its bytes included, in the unit of layer 0; the largest of several */
	double cost;
	double times; /* how often the hops are taken in all */
	bool missing; /* the pair was not measured; the cost is an estimate */
};

struct pl_report_links {
	struct pl_report_link *v;
	size_t n, room;
};

/* The found order and the given one, for one collective. */
struct pl_report_order {
	char title[PL_REPORT_TITLE]; /* "allreduce ring (thesis)" */
	size_t n;                    /* hosts in it */
	size_t *host_at;             /* [n], by pos */
	/* costs of the given and the found order, lower bound; NaN: not
	 * known */
	double given, cost, bound;
	bool exact; /* no order is cheaper */
	enum pl_shape_kind kind;
	size_t n_groups;
	struct pl_report_links in_given, in_found;
};

struct pl_report_rack {
	size_t n; /* hosts */
	/* medians of the costs within the rack, and between it and others; or NaN */
	double inner, outer;
};

/* The predicted time of one algorithm at one size, in seconds; NaN: not
 * known. */
struct pl_report_time {
	const char *collective; /* "allreduce" */
	uint64_t bytes;
	bool has_size, best;
	bool in_title; /* of one of them at most */
	char name[PL_REPORT_TITLE];
	double given_s, found_s;
};

/* Communicators of a job that make the same calls. A seat is a position in the first order, which
 * has all hosts. */
struct pl_report_kind {
	char *name, *calls; /* "data", "allreduce 64M, 4 groups of 4" */
	/* of group g, in the order of its ranks: seat[first[g]] ..
	 * seat[first[g + 1] - 1], several */
	size_t *seat, *first; /* first: [n_groups + 1] */
	size_t n_groups;
	/* what they take in a step, in the given order, in the one found, and in the one that was
	 * found for them alone; NaN: not known */
	double given, found, alone;
	/* of traffic, the share of bytes that go to another rack, in the given order and in the one
	 * found; NaN: it has groups */
	double apart_given, apart_found;
};

/* How fast the collectives of a job were in an interval. */
struct pl_report_speed {
	double end_s; /* since the beginning of the first one */
	double bytes_per_s;
	bool changed; /* the job's schedules did, in it */
};

enum pl_report_part {
	PL_REPORT_ASKED,   /* the request of the user */
	PL_REPORT_EFFECT,  /* the values that took effect */
	PL_REPORT_WARNING, /* a warning; its key is empty */
	PL_REPORT_TABLE,   /* lines of text below a heading, the key */
	/* a command that runs a program in the found order; key: its case */
	PL_REPORT_COMMAND,
};

struct pl_report_fact {
	enum pl_report_part part;
	char *key, *value;
};

/* The data of the report; borrowed, must outlive the report. */
struct pl_report_source {
	const struct pl_matrix *matrix;
	const struct pl_hosts *hosts; /* in the given order */
	/* [hosts->n] the index of each host in the matrix */
	const size_t *cell_of;
	/* [hosts->n * hosts->n] costs and costs per byte, NaN where missing; missing ones may have
	 * been replaced by estimates. per_byte: NULL if not known */
	const double *c, *per_byte; /* the latter: NULL where not known */
	const char *tool;
	/* The title, if the cells of layer 0 are not measured, but bytes that hosts send one
	 * another. Then racks are told, or there are none. */
	const char *traffic;
	const size_t *rack;           /* [hosts->n], below n_racks; NULL: none */
	const char *const *rack_name; /* [n_racks] */
	size_t n_racks;
};

/* Start with init, end with fini. Hosts are numbered in the given order. */
struct pl_report {
	struct pl_report_source from;
	size_t n;
	char **label; /* [n] */
	/* the bytes of ".cluster.local" at the end of all labels, if it is */
	size_t len_domain;
	size_t *rack; /* [n] */
	struct pl_report_rack *racks;
	size_t n_racks;
	bool linked;  /* racks were found by linkage */
	bool too_few; /* measurements to tell racks: there is one of all hosts
		       */
	/* the ends of the scale of colours, > 0; NaN: nothing was measured */
	double low, high;
	double slow;      /* a hop that costs this much or more is slow */
	size_t n_missing; /* ordered pairs */
	struct pl_report_order *order;
	size_t n_orders, orders_room;
	struct pl_report_time *time;
	size_t n_times, times_room;
	/* found_s is for the first order; otherwise for each algorithm's own order */
	bool times_of_found;
	struct pl_report_speed *speed; /* one after the other */
	size_t n_speeds, speeds_room;
	struct pl_report_kind *kind; /* of a job, whose order is the first */
	size_t n_kinds, kinds_room;
	enum pl_unit kinds_unit; /* of their costs */
	struct pl_report_fact *fact;
	size_t n_facts, facts_room;
};

/* Finds the racks (by topology/racks.h; for many hosts by topology/linkage.h, cut where the heights
 * jump most), the scale of colours and the limit of slow hops. 0, or -1 with @err set and nothing
 * to release. */
int pl_report_init(struct pl_report *r, const struct pl_report_source *from, struct pl_err *err);
void pl_report_fini(struct pl_report *r);

/* One call of a collective: its hops between positions. A position is a rank, and the ranks of a
 * host stand together; with @by_host it is a host. */
struct pl_report_call {
	const char *title;
	const struct pl_shape *shape;
	bool by_host;
};

/* Adds the order host_at[n] of @n of the hosts (copied), without costs, which the caller fills in.
 * The pointer is valid until the next order is added. NULL with @err set: out of memory. */
struct pl_report_order *pl_report_add_order(struct pl_report *r, const struct pl_report_call *call,
					    const size_t *host_at, size_t n, struct pl_err *err);

/* Adds the predicted time of one algorithm. 0, or -1: out of memory. */
int pl_report_add_time(struct pl_report *r, const struct pl_report_time *time);

/* Adds the speed of the next interval. 0, or -1: out of memory. */
int pl_report_add_speed(struct pl_report *r, const struct pl_report_speed *speed);

/* Adds a kind, whose arrays and strings become the report's. 0, or -1 with all of them released:
 * out of memory, or one of them is NULL. */
int pl_report_kind_take(struct pl_report *r, struct pl_report_kind *kind);

/* Adds a line of text (copied). 0, or -1: out of memory. */
int pl_report_add(struct pl_report *r, enum pl_report_part part, const char *key, const char *fmt,
		  ...) __attribute__((format(printf, 4, 5)));

/* Adds a table of what @write writes, which returns 0, or -1: out of memory. The same. */
int pl_report_add_table(struct pl_report *r, const char *title, int (*write)(void *with, FILE *out),
			void *with);

/* The cell of layer 0 from host @i to host @j of the report; NaN if missing. */
double pl_report_cell(const struct pl_report *r, size_t i, size_t j);

/* Is the hop slow? Never with a matrix of bandwidths. */
bool pl_report_is_slow(const struct pl_report *r, const struct pl_report_link *link);

/* How many of the hops are slow. */
size_t pl_report_count_slow(const struct pl_report *r, const struct pl_report_links *links);

/* Is layer 0 of bandwidths? Then more is better. */
bool pl_report_is_rate(const struct pl_report *r);

/* The place of a value on the scale of colours: 0 fast, 1 slow; logarithmic, 0 or 1 for values
 * beyond its ends. */
double pl_report_level(const struct pl_report *r, double value);

#define PL_REPORT_NUMBER 32

/* "4.98 ms" for 4980 of the unit us: four digits, in a suitable unit; bandwidths in bytes per
 * second; values of other units with that unit. "-" for NaN. Returns @buf. */
const char *pl_report_number(char buf[PL_REPORT_NUMBER], double value, enum pl_unit unit);

/* Seconds in three digits: "43.3 ms". Returns @buf. */
const char *pl_report_seconds(char buf[PL_REPORT_NUMBER], double seconds);

/* The same as pl_report_number for a value in the unit of layer 0. */
const char *pl_report_value(char buf[PL_REPORT_NUMBER], const struct pl_report *r, double value);

/* "rack 3", or as it was told. Returns @buf. */
#define PL_REPORT_RACK 64
const char *pl_report_rack_name(char buf[PL_REPORT_RACK], const struct pl_report *r, size_t rack);

/* Bytes in three digits: "1.34 GB". Returns @buf. */
const char *pl_report_bytes(char buf[PL_REPORT_NUMBER], double bytes);

#define PL_REPORT_LINE (2 * PL_REPORT_TITLE)

/* "64 hosts in 8 racks", or that racks cannot be told. Returns @buf. */
char *pl_report_hosts(char buf[PL_REPORT_LINE], const struct pl_report *r);

/*
 * What the order gains: "allreduce of 1 MiB: 2.3 times as fast, 41 ms instead of 94 ms
 * (predicted)", if times were predicted and one is for the title; else what the hops cost; without
 * an order the number of hosts. Returns @buf.
 */
const char *pl_report_title(char buf[PL_REPORT_LINE], const struct pl_report *r);

/* Write the page, or the picture as SVG: title, heat maps and, if there are
 * any, times. 0, or -1 with @err set; the caller flushes and closes
 * @out, and checks for errors. */
int pl_report_write_html(const struct pl_report *r, FILE *out, struct pl_err *err);
int pl_report_write_svg(const struct pl_report *r, FILE *out, struct pl_err *err);
/* The writer for the end of a file name, in upper or lower case: ".html", ".htm", ".svg". NULL for
 * others. */
typedef int pl_report_write_fn(const struct pl_report *r, FILE *out, struct pl_err *err);
pl_report_write_fn *pl_report_writer(const char *path);

/* Can a report be written to @path, given as @option? 0, or -1 with @err set: PL_EUSAGE for the end
 * of its name. */
int pl_report_check_path(const char *option, const char *path, struct pl_err *err);

#endif

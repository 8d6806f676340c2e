/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - the parts of the page */
#ifndef PLINK_REPORT_PAGE_H
#define PLINK_REPORT_PAGE_H

#include "report/report.h"

/* Style and script, from page.css and page.js. */
extern const char pl_page_css[], pl_page_js[];

/* The most bytes of numbers in a page; layers beyond it are left out, but not layer 0. A page of
 * 512 hosts stays below 3 MiB. */
#define PL_PAGE_NUMBERS ((size_t)2200 << 10)

/* The cost of each order, as bars. */
void pl_page_costs(const struct pl_report *r, FILE *out);

/* The groups of a job's kinds over the racks, and what each kind costs. 0, or -1 with @err set; the
 * same holds for the next three. */
int pl_page_groups(const struct pl_report *r, FILE *out, struct pl_err *err);

/* Heat maps. */
int pl_page_maps(const struct pl_report *r, FILE *out, struct pl_err *err);

/* The hops of each order as a drawing, and a list of the slowest ones. */
int pl_page_hops(const struct pl_report *r, FILE *out, struct pl_err *err);

/* The data of the script, as JSON: hosts, orders, the numbers of every pair. */
int pl_page_data(const struct pl_report *r, FILE *out, struct pl_err *err);

/* Tables of text; racks; predicted times; the request, what took effect, and commands; hosts. */
void pl_page_tables(const struct pl_report *r, FILE *out);
void pl_page_racks(const struct pl_report *r, FILE *out);
void pl_page_times(const struct pl_report *r, FILE *out);
void pl_page_speed(const struct pl_report *r, FILE *out);
void pl_page_facts(const struct pl_report *r, FILE *out);
void pl_page_hosts(const struct pl_report *r, FILE *out);

#endif

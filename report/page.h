/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - the parts of the page */
#ifndef PLINK_REPORT_PAGE_H
#define PLINK_REPORT_PAGE_H

#include "report/report.h"

/* Style and script, from page.css and page.js. */
extern const char pl_page_css[], pl_page_js[];

/* Bytes of the numbers that a page carries at most, layer 0 apart, which is
 * always there: a page of 512 hosts stays below 3 MiB. */
#define PL_PAGE_NUMBERS ((size_t)2200 << 10)

/* What each order costs, as bars. */
void pl_page_costs(const struct pl_report *r, FILE *out);

/* Heat maps. 0, or -1 with @err set; so the next two. */
int pl_page_maps(const struct pl_report *r, FILE *out, struct pl_err *err);

/* The hops of each order, drawn, and the slowest of them. */
int pl_page_hops(const struct pl_report *r, FILE *out, struct pl_err *err);

/* What the script knows: hosts, orders, every pair's numbers; as JSON. */
int pl_page_data(const struct pl_report *r, FILE *out, struct pl_err *err);

/* Racks, predicted times, what was asked, commands, hosts. */
void pl_page_racks(const struct pl_report *r, FILE *out);
void pl_page_times(const struct pl_report *r, FILE *out);
void pl_page_facts(const struct pl_report *r, FILE *out);
void pl_page_hosts(const struct pl_report *r, FILE *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* catalogue.h - machines for rent and their prices (plink-catalogue(5)) */
#ifndef PLINK_PLANNER_CATALOGUE_CATALOGUE_H
#define PLINK_PLANNER_CATALOGUE_CATALOGUE_H

#include "base/err.h"
#include "base/text/text.h"

#include <stddef.h>
#include <stdint.h>

#define PL_PRICE_MAX 1e6
#define PL_AVAILABLE_MAX 1000000

/* Two ways to rent a machine: a spot machine may be taken away at any time, an on-demand machine
 * not. */
enum pl_market_kind { PL_SPOT, PL_ON_DEMAND };
#define PL_MARKET_KINDS 2

/* A type of machine in a place, as offered. */
struct pl_offer {
	char *instance;
	char *region, *zone;               /* empty where the catalogue does not say */
	double price[PL_MARKET_KINDS];     /* dollars an hour; NaN: none */
	size_t available[PL_MARKET_KINDS]; /* 0: number not given */
	double taken;                      /* share of spot machines that the provider takes away in
					    * a month; NaN: not known */
	long line, col;                    /* of the entry in the file */
};

/* Offers in the order of the file. Start with {0}, end with fini. */
struct pl_catalogue {
	char *file;
	struct pl_offer *offer;
	size_t n, room;
	/* entries of ec2instances.info that were skipped because they have no Linux price; the name
	 * of the first one, or NULL */
	size_t n_unpriced;
	char *unpriced;
};

/*
 * Reads a catalogue: SkyPilot's CSV, the JSON of ec2instances.info, or plink's own CSV; the
 * beginning of the text shows which. @c must be empty. 0, or -1 with @c empty and @err set:
 * PL_EINPUT with the place. An entry of ec2instances.info without a Linux price is skipped; if all
 * entries lack one, that is an error.
 */
int pl_catalogue_parse(struct pl_catalogue *c, struct pl_text *text, struct pl_err *err);
int pl_catalogue_read(struct pl_catalogue *c, const char *path, struct pl_err *err);
void pl_catalogue_fini(struct pl_catalogue *c);

#endif

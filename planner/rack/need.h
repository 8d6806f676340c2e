/* SPDX-License-Identifier: BSD-3-Clause */
/* need.h - what parameter servers, and hosts that help them, must carry */
/*
 * In an iteration each of N workers sends S bytes of gradients to the servers
 * and gets S bytes of parameters back. Servers are central (one) or sharded,
 * and stand beside the workers or on hosts of their own. The rates are those of
 * chapter 2 of the PLink thesis (table 2.1): sums of both directions.
 */
#ifndef PLINK_PLANNER_RACK_NEED_H
#define PLINK_PLANNER_RACK_NEED_H

#include <stddef.h>

enum pl_rack_server {
	PL_RACK_CC,  /* colocated, central */
	PL_RACK_CS,  /* colocated, sharded: one on each worker */
	PL_RACK_NCC, /* not colocated, central */
	PL_RACK_NCS, /* not colocated, sharded: as many as workers */
	PL_RACK_SERVERS
};

/* "CC", "colocated, central". Static. */
const char *pl_rack_server_short(enum pl_rack_server kind);
const char *pl_rack_server_name(enum pl_rack_server kind);

/* The rate of the host of a server, in the unit of @rate = S / T, which hides
 * the exchange behind iterations of T: 2 (N - 1) rate, 4 (N - 1) rate / N,
 * 2 N rate, 2 rate (table 2.1). */
double pl_rack_need(enum pl_rack_server kind, size_t n_workers, double rate);

/*
 * Seconds of an exchange of @bytes among N >= 2 workers whose cards move
 * @bytes_per_s each way, with shards on all workers and, larger ones, on hosts
 * beside them whose cards move @helpers times as much in all:
 * 2 N (N - 1) / (N^2 + k N - 2 k) S / B for k <= N helpers; beyond that the
 * workers' own cards are the limit, S / B. All cards are then equally busy.
 */
double pl_rack_exchange_s(size_t n_workers, double helpers, double bytes, double bytes_per_s);

/* Bytes a second between processor and memory, of so many additions of floats:
 * two are read, one is written (thesis, 3.2.2). */
double pl_rack_adding_bytes(double adds_per_s);

/* How many workers a server has room for that moves @limit at most, if
 * @n_workers workers take @used of it (thesis, 6.1.8). */
size_t pl_rack_room(double limit, double used, size_t n_workers);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.h - what was measured between every two hosts (plink-matrix(5)) */
#ifndef PLINK_BASE_MATRIX_MATRIX_H
#define PLINK_BASE_MATRIX_MATRIX_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PL_MATRIX_HOSTS_MAX 16384 /* 2 GiB a layer */

enum pl_quantity { PL_RTT, PL_ONE_WAY, PL_BANDWIDTH, PL_COUNT, PL_DISTANCE };
enum pl_unit {
	PL_NS,
	PL_US,
	PL_MS,
	PL_S,
	PL_BYTES_PER_S,
	PL_PROBES,
	PL_LEVELS
};
enum pl_symmetrize { PL_SYM_NONE, PL_SYM_MAX, PL_SYM_MEAN };

struct pl_few;

/* n*n values, row-major: cell[i * n + j] is from host i to host j; NaN where
 * missing; the diagonal is 0. Only in a matrix of few cells there is no @cell
 * but @few, which pl_layer_get and pl_layer_set know. */
struct pl_layer {
	char *statistic; /* "p10", "min", "lost", ... */
	enum pl_quantity quantity;
	enum pl_unit unit;
	size_t n; /* hosts */
	double *cell;
	struct pl_few *few; /* NULL: there is @cell */
};

/* Why one cell is missing, or how it was measured if not as the rest. */
struct pl_cell_note {
	size_t src, dst; /* host indices */
	char *text;
};

/* A header line plink does not know; kept and written back. */
struct pl_header {
	char *key, *value;
	long line, col; /* of the value in the file; 0: it was not read */
};

/*
 * Hosts are in the order given. Layer 0 is the matrix proper, always there;
 * further layers are other statistics of the same pairs. Everything is owned
 * by the matrix.
 */
struct pl_matrix {
	struct pl_hosts hosts;
	struct pl_layer *layer; /* n_layers >= 1 */
	size_t n_layers;
	bool few;                      /* its layers are of few cells */
	char *method;                  /* "udp", ...; NULL: not said */
	char *created;                 /* RFC 3339, NULL: not said */
	enum pl_symmetrize symmetrize; /* what its maker recommends */
	struct pl_cell_note *note;
	size_t n_notes, notes_room;
	struct pl_header *header;
	size_t n_headers, headers_room;
	char *file; /* that its header lines were read from; NULL: none was */
};

/* A matrix over a copy of @hosts, layer 0 all NaN with a zero diagonal,
 * statistic "value", rtt in ns. NULL with @err set. */
struct pl_matrix *pl_matrix_create(const struct pl_hosts *hosts,
				   struct pl_err *err);

/* The same with room for nothing: a matrix takes memory by the cells that are
 * set. What reads cells itself cannot have it: it is to be filled by
 * pl_layer_set, written by pl_matrix_write and asked by pl_layer_get, and no
 * more. */
struct pl_matrix *pl_matrix_create_few(const struct pl_hosts *hosts,
				       struct pl_err *err);
void pl_matrix_destroy(struct pl_matrix *m);

/*
 * Makes a matrix just created one of round trips that are measured now: layers
 * statistic[n], the first n_rtt of them round trips in ns, the others counts of
 * probes; the greater of two directions stands for a pair. 0, or -1: no memory.
 */
int pl_matrix_describe(struct pl_matrix *m, const char *method,
		       const char *const *statistic, size_t n_rtt, size_t n);
int pl_matrix_set_method(struct pl_matrix *m, const char *method);

/* Adds a layer, all NaN with a zero diagonal, and gives it; NULL when memory
 * runs out. Invalidates pointers to layers got before. */
struct pl_layer *pl_matrix_add_layer(struct pl_matrix *m, const char *statistic,
				     enum pl_quantity quantity,
				     enum pl_unit unit);

/* The cell of @at, src * n + dst, of a layer of either kind. Set: 0, or -1: out
 * of memory, which a layer with @cell never is. */
double pl_layer_get(const struct pl_layer *layer, size_t at);
int pl_layer_set(struct pl_layer *layer, size_t at, double value);

/* How many cells are there, the diagonal not counted; which ones, in rising
 * order. The list belongs to the caller; NULL: out of memory. */
size_t pl_layer_known(const struct pl_layer *layer);
uint32_t *pl_layer_list(const struct pl_layer *layer, size_t *n);

/* Layer of that statistic, or NULL. Borrowed. */
const struct pl_layer *pl_matrix_layer(const struct pl_matrix *m,
				       const char *statistic);

/* Says why a cell is missing or how it was measured; line breaks and other
 * control characters become blanks. 0, or -1: no memory. */
int pl_matrix_add_note(struct pl_matrix *m, size_t src, size_t dst,
		       const char *text);

/* Adds a header line of the caller's own, kept and written as "# key value".
 * The key is one word that plink does not use itself. 0, or -1: no memory. */
int pl_matrix_add_header(struct pl_matrix *m, const char *key,
			 const char *value);

/* Says where the line added last was read. 0, or -1: no memory. */
int pl_matrix_place_header(struct pl_matrix *m, struct pl_place place);

/* Where a header line of @m stands, for pl_err_at; it borrows from @m. */
struct pl_place pl_header_place(const struct pl_matrix *m,
				const struct pl_header *header);

/* Takes back the header line that was added last; there is one. */
void pl_matrix_drop_header(struct pl_matrix *m);

/* Removes the header lines of that key. */
void pl_matrix_drop_headers(struct pl_matrix *m, const char *key);

/* First note on that cell, or NULL. Borrowed. */
const char *pl_matrix_note(const struct pl_matrix *m, size_t src, size_t dst);

/* Pairs (ordered, off the diagonal) of layer 0 that are NaN. */
size_t pl_matrix_missing(const struct pl_matrix *m);

/*
 * Writes c[n*n], the costs an order is judged by: layer 0 symmetrised as asked:
 * none: as is; max, mean: of both directions, and where one is missing the
 * other. Doing it twice changes nothing. @m may have NaN, so may c.
 */
void pl_matrix_costs(const struct pl_matrix *m, enum pl_symmetrize how,
		     double *c);

/* Unit used where the file does not say one. */
struct pl_matrix_options {
	enum pl_unit unit; /* of TSPLIB, CSV and headerless squares */
};

/*
 * Reads any form that plink-matrix(5) lists: plink's own, TSPLIB (TSP, ATSP),
 * CSV, headerless squares; told apart by their first lines.
 * NULL with @err set: PL_EINPUT with the place, PL_ESYSTEM.
 */
struct pl_matrix *pl_matrix_parse(struct pl_text *text,
				  const struct pl_matrix_options *options,
				  struct pl_err *err);
struct pl_matrix *pl_matrix_read(const char *path,
				 const struct pl_matrix_options *options,
				 struct pl_err *err);

/* Writes plink's own form; reading it gives the same bits. 0, or -1 where
 * writing fails (PL_ESYSTEM); the caller flushes and closes. */
int pl_matrix_write(const struct pl_matrix *m, FILE *out, struct pl_err *err);

#define PL_DIGEST_CHARS 72

/* "sha256:..." over the bytes pl_matrix_write gives: what sha256sum says of a
 * file plink wrote. 0, or -1 with @err set. */
int pl_matrix_digest(const struct pl_matrix *m, char digest[PL_DIGEST_CHARS],
		     struct pl_err *err);

/* Names as they stand in files and options ("rtt", "ns", "max"); parse gives 0,
 * or -1 for a name that is none. */
const char *pl_quantity_name(enum pl_quantity quantity);
int pl_quantity_parse(const char *s, size_t len, enum pl_quantity *quantity);
const char *pl_unit_name(enum pl_unit unit);
int pl_unit_parse(const char *s, size_t len, enum pl_unit *unit);
const char *pl_symmetrize_name(enum pl_symmetrize how);
int pl_symmetrize_parse(const char *s, size_t len, enum pl_symmetrize *how);

/* Nanoseconds in one unit of time; 0 for units that are none. */
double pl_unit_ns(enum pl_unit unit);

/* Can the quantity be told in that unit? */
bool pl_unit_fits(enum pl_quantity quantity, enum pl_unit unit);

#endif

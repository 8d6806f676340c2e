/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.h - measurements between all pairs of hosts (plink-matrix(5)) */
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
/* Of a file: ten layers of the largest matrix in whole nanoseconds. */
#define PL_MATRIX_BYTES_MAX ((size_t)-1 > 0xffffffff ? (size_t)32 << 30 : (size_t)1 << 30)

enum pl_quantity { PL_RTT, PL_ONE_WAY, PL_BANDWIDTH, PL_COUNT, PL_DISTANCE };
enum pl_unit { PL_NS, PL_US, PL_MS, PL_S, PL_BYTES_PER_S, PL_PROBES, PL_LEVELS };
enum pl_symmetrize { PL_SYM_NONE, PL_SYM_MAX, PL_SYM_MEAN };

struct pl_few;

/* n*n values, row-major: cell[i * n + j] is from host i to host j; NaN where missing; the diagonal
 * is 0. In a matrix of few cells (pl_matrix_create_few) @cell is NULL and the values are in @few:
 * read and write those with pl_layer_get and pl_layer_set. */
struct pl_layer {
	char *statistic; /* "p10", "min", "lost", ... */
	enum pl_quantity quantity;
	enum pl_unit unit;
	size_t n; /* hosts */
	double *cell;
	struct pl_few *few; /* NULL: the values are in @cell */
};

/* The reason why one cell is missing, or how it was measured if not like the others. */
struct pl_cell_note {
	size_t src, dst; /* host indices */
	char *text;
};

/* A header line that plink does not know; kept, and written back. */
struct pl_header {
	char *key, *value;
	long line, col; /* of the value in the file; 0: not from a file */
};

/*
 * Hosts are in the order given. Layer 0, which always exists, is the matrix proper; further layers
 * are other statistics of the same pairs. The matrix owns everything.
 */
struct pl_matrix {
	struct pl_hosts hosts;
	struct pl_layer *layer; /* n_layers >= 1 */
	size_t n_layers;
	bool few;                      /* the layers hold few cells */
	char *method;                  /* "udp", ...; NULL: not known */
	char *created;                 /* RFC 3339; NULL: not known */
	enum pl_symmetrize symmetrize; /* recommended by its maker */
	struct pl_cell_note *note;
	size_t n_notes, notes_room;
	struct pl_header *header;
	size_t n_headers, headers_room;
	char *file; /* the file of its header lines; NULL: not from a file */
};

/* A matrix over a copy of @hosts, layer 0 all NaN with a zero diagonal, statistic "value", rtt in
 * ns. NULL with @err set. */
struct pl_matrix *pl_matrix_create(const struct pl_hosts *hosts, struct pl_err *err);

/* A matrix of few cells: like pl_matrix_create, but memory is taken only for cells that are set.
 * Its layers have no @cell, so only pl_layer_set, pl_layer_get and pl_matrix_write may be used on
 * them. */
struct pl_matrix *pl_matrix_create_few(const struct pl_hosts *hosts, struct pl_err *err);
void pl_matrix_destroy(struct pl_matrix *m);

/*
 * Describes a matrix just created as one of round trips that are measured now. Its layers become
 * statistic[n]: the first @n_rtt are round trips in ns, the others numbers of probes. Recommends
 * the maximum of both directions as the cost of a pair. 0, or -1: out of memory.
 */
int pl_matrix_describe(struct pl_matrix *m, const char *method, const char *const *statistic,
		       size_t n_rtt, size_t n);
int pl_matrix_set_method(struct pl_matrix *m, const char *method);

/* Adds a layer, all NaN with a zero diagonal, and returns it; NULL: out of memory. Invalidates
 * earlier pointers to layers. */
struct pl_layer *pl_matrix_add_layer(struct pl_matrix *m, const char *statistic,
				     enum pl_quantity quantity, enum pl_unit unit);

/* The cell @at, which is src * n + dst, of any layer. pl_layer_set: 0, or -1: out of memory (only
 * for a layer of few cells). */
double pl_layer_get(const struct pl_layer *layer, size_t at);
int pl_layer_set(struct pl_layer *layer, size_t at, double value);

/* The number of cells off the diagonal that are not NaN, and the list of these cells, as src * n +
 * dst, ascending. The caller frees the list; NULL: out of memory. */
size_t pl_layer_known(const struct pl_layer *layer);
uint32_t *pl_layer_list(const struct pl_layer *layer, size_t *n);

/* The layer with that statistic, or NULL. Borrowed. */
const struct pl_layer *pl_matrix_layer(const struct pl_matrix *m, const char *statistic);

/* The further layer of bandwidths with that statistic (NULL: the first of any), or NULL.
 * Borrowed. */
struct pl_layer *pl_matrix_bandwidths(const struct pl_matrix *m, const char *statistic);

/* Notes why a cell is missing or how it was measured; line breaks and other control characters
 * become blanks. 0, or -1: out of memory. */
int pl_matrix_add_note(struct pl_matrix *m, size_t src, size_t dst, const char *text);

/* Adds a header line of the caller's own, written as "# key value". The key is one word that plink
 * does not use itself. 0, or -1: out of memory. */
int pl_matrix_add_header(struct pl_matrix *m, const char *key, const char *value);

/* The same with a value as printf() makes it, cut to PL_HEADER_MAX bytes. */
#define PL_HEADER_MAX 1000
int pl_matrix_print_header(struct pl_matrix *m, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Sets the place from which the header line added last was read. 0, or -1: out of memory. */
int pl_matrix_place_header(struct pl_matrix *m, struct pl_place place);

/* The value of the first header line with that key; NULL: there is none. Borrowed. */
const char *pl_matrix_header(const struct pl_matrix *m, const char *key);

/* The place of a header line of @m, for pl_err_at; borrows from @m. */
struct pl_place pl_header_place(const struct pl_matrix *m, const struct pl_header *header);

/* Removes the header line that was added last; there must be one. */
void pl_matrix_drop_header(struct pl_matrix *m);

/* Removes all header lines with that key. */
void pl_matrix_drop_headers(struct pl_matrix *m, const char *key);

/* Pairs (ordered, off the diagonal) of layer 0 that are NaN. */
size_t pl_matrix_missing(const struct pl_matrix *m);

/*
 * Writes c[n*n], the costs that orders are judged by: layer 0, symmetrised as @how says.
 * PL_SYM_NONE: as it is; PL_SYM_MAX, PL_SYM_MEAN: the maximum or mean of both directions, or the
 * only one if the other is missing. To symmetrise twice changes nothing. Cells missing in both
 * directions stay NaN. Not for a matrix of few cells.
 */
void pl_matrix_costs(const struct pl_matrix *m, enum pl_symmetrize how, double *c);

/* For files that do not state a unit. */
struct pl_matrix_options {
	enum pl_unit unit; /* of CSV and headerless squares */
};

/*
 * Reads any form of plink-matrix(5): plink's own, CSV, squares without a header; the text shows
 * which it is. @options may be NULL: ns. NULL with @err set: PL_EINPUT with the place, PL_EUSAGE if
 * the unit is PL_PROBES, PL_ESYSTEM.
 */
struct pl_matrix *pl_matrix_parse(struct pl_text *text, const struct pl_matrix_options *options,
				  struct pl_err *err);
struct pl_matrix *pl_matrix_read(const char *path, const struct pl_matrix_options *options,
				 struct pl_err *err);

/* Writes plink's own form; reading it back gives the same bits. 0, or -1 if writing fails
 * (PL_ESYSTEM). The caller flushes and closes. */
int pl_matrix_write(const struct pl_matrix *m, FILE *out, struct pl_err *err);

/* Can a host of a matrix file have it as its node name or type? */
bool pl_matrix_is_word(const char *s);

#define PL_DIGEST_CHARS 72

/* "sha256:..." of the bytes that pl_matrix_write writes, so that sha256sum gives the same for the
 * file. 0, or -1 with @err set. */
int pl_matrix_digest(const struct pl_matrix *m, char digest[PL_DIGEST_CHARS], struct pl_err *err);

/* Names as in files and options ("rtt", "ns", "max"). parse: 0, or -1 for an unknown name. */
const char *pl_quantity_name(enum pl_quantity quantity);
int pl_quantity_parse(const char *s, size_t len, enum pl_quantity *quantity);
const char *pl_unit_name(enum pl_unit unit);
int pl_unit_parse(const char *s, size_t len, enum pl_unit *unit);
const char *pl_symmetrize_name(enum pl_symmetrize how);
int pl_symmetrize_parse(const char *s, size_t len, enum pl_symmetrize *how);

/* Nanoseconds in the unit; 0 if it is not a unit of time. */
double pl_unit_ns(enum pl_unit unit);

/* Is it a unit of that quantity? */
bool pl_unit_fits(enum pl_quantity quantity, enum pl_unit unit);

#endif

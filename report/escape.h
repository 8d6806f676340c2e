/* SPDX-License-Identifier: BSD-3-Clause */
/* escape.h - text of others within a page: it stays text */
#ifndef PLINK_REPORT_ESCAPE_H
#define PLINK_REPORT_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Writes @s as text of HTML, SVG or XML, or of an attribute between double
 * quotes: what is markup as entities; control characters and what is not UTF-8
 * as U+FFFD. */
void pl_escape_markup(const char *s, FILE *out);

/* Writes @s as a string of JSON, with its quotes, that can stand in a script of
 * HTML: neither "</script>" nor "<!--" is left in it. */
void pl_escape_json(const char *s, FILE *out);

/* Writes @len bytes in base64 (RFC 4648) without line breaks. */
void pl_escape_base64(const void *data, size_t len, FILE *out);

#endif

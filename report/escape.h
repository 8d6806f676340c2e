/* SPDX-License-Identifier: BSD-3-Clause */
/* escape.h - text from outside in a page, where it must not act as markup */
#ifndef PLINK_REPORT_ESCAPE_H
#define PLINK_REPORT_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Writes @s as text of HTML, SVG or XML, or as the value of an attribute between double quotes.
 * Characters of markup become entities; control characters other than newline and tab, and bytes
 * that are not UTF-8, become U+FFFD. */
void pl_escape_markup(const char *s, FILE *out);

/* Writes @s as a string of JSON, with its quotes, that can stand in a script of HTML: the output
 * never contains "</script>" or "<!--". */
void pl_escape_json(const char *s, FILE *out);

/* Writes @len bytes in base64 (RFC 4648) without line breaks. */
void pl_escape_base64(const void *data, size_t len, FILE *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* json-scan.h - where a value of JSON ends, a character at a time */
#ifndef PLINK_BASE_JSON_SCAN_H
#define PLINK_BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}. parts: numbers, texts ..., about. */
struct pl_json_scan {
	size_t depth, parts;
	bool in_string, escaped;
	bool at_line;       /* in a string, a line has begun, and blanks alone have followed */
	bool quote_at_line; /* and then a quote, just now */
};

/* Does the value end with that character? @behind: the character before it. */
bool pl_json_scan_ends(struct pl_json_scan *scan, char c, bool *behind);

/* Programs that write an event from a line of its own begin its lines with braces and names: does
 * one come within a string, that has lost its end. */
bool pl_json_scan_lost(struct pl_json_scan *scan, char c);

#endif

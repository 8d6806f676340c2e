/* SPDX-License-Identifier: BSD-3-Clause */
/* json-scan.c - where a value of JSON ends, a character at a time */
#include "config.h"

#include "base/json-scan.h"

#include <ctype.h>

bool pl_json_scan_ends(struct pl_json_scan *scan, char c, bool *behind)
{
	*behind = false;
	scan->parts += !scan->in_string && (c == ',' || c == '[' || c == '{');
	if (scan->in_string) {
		if (scan->escaped)
			scan->escaped = false;
		else if (c == '\\')
			scan->escaped = true;
		else if (c == '"')
			scan->in_string = false;
		return !scan->in_string && scan->depth == 0;
	}
	if (c == '"') {
		scan->in_string = true;
		return false;
	}
	if (c == '{' || c == '[') {
		scan->depth++;
		return false;
	}
	if (scan->depth == 0) {
		*behind = c == ',' || c == '}' || c == ']' || c == ':' || c == ' ' || c == '\t' ||
			  c == '\r' || c == '\n';
		return *behind;
	}
	if (c == '}' || c == ']')
		scan->depth--;
	return scan->depth == 0;
}

bool pl_json_scan_lost(struct pl_json_scan *scan, char c)
{
	const bool begins = scan->in_string && scan->at_line;
	const bool lost = (begins && (c == '{' || c == '}')) ||
			  (scan->quote_at_line && isalpha((unsigned char)c));

	scan->quote_at_line = begins && c == '"';
	scan->at_line = scan->in_string && (c == '\n' || (begins && (c == ' ' || c == '\t')));
	return lost;
}

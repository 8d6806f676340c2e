/* SPDX-License-Identifier: BSD-3-Clause */
/* json-clean.h - almost JSON, as programs write it that check no text: made JSON */
#ifndef PLINK_BASE_JSON_CLEAN_H
#define PLINK_BASE_JSON_CLEAN_H

#include <stddef.h>

/*
 * A copy of the value @s of @len bytes, to be freed: within strings, control characters and bytes
 * that are not UTF-8 become '?', and a backslash that begins no escape is doubled; elsewhere a word
 * or number that JSON lacks (inf, N/A, 1e999) becomes null, and a whole number that does not fit
 * into 64 bits a real one. What else is wrong stays. *out_len is its length. NULL: out of memory.
 */
char *pl_json_clean(const char *s, size_t len, size_t *out_len);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.h - the characters of UTF-8 */
#ifndef PLINK_BASE_TEXT_UTF8_H
#define PLINK_BASE_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define PL_UTF8_NONE 0xfffd

/* The next character (PL_UTF8_NONE where there is none) and how many bytes it takes, at least one.
 * As in RFC 3629: no overlong forms, no surrogates. @s ends with a byte that continues no
 * character: a zero will do. */
size_t pl_utf8_next(const char *s, uint32_t *c);

#endif

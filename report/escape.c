/* SPDX-License-Identifier: BSD-3-Clause */
/* escape.c - text of others within a page: it stays text */
#include "config.h"

#include "report/escape.h"

#include "base/text/utf8.h"

#include <sodium.h>
#include <stdint.h>
#include <string.h>

#define PIECE ((size_t)3 << 10) /* bytes encoded at once, a multiple of 3 */

/* A control character, or a code that XML does not allow. */
static int is_odd(uint32_t c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || c == 0xfffe ||
	       c == 0xffff;
}

void pl_escape_markup(const char *s, FILE *out)
{
	while (*s) {
		uint32_t c;
		const size_t len = pl_utf8_next(s, &c);

		if (c == '<')
			fputs("&lt;", out);
		else if (c == '>')
			fputs("&gt;", out);
		else if (c == '&')
			fputs("&amp;", out);
		else if (c == '"')
			fputs("&quot;", out);
		else if (c == PL_UTF8_NONE || is_odd(c))
			fputs("\xef\xbf\xbd", out);
		else
			fwrite(s, 1, len, out);
		s += len;
	}
}

void pl_escape_json(const char *s, FILE *out)
{
	fputc('"', out);
	while (*s) {
		uint32_t c;
		const size_t len = pl_utf8_next(s, &c);

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", (int)c);
		else if (c < 0x20 || c == '<' || c == '>' || c == '&' || (c >= 0x7f && c < 0xa0) ||
			 (c >= 0x2028 && c <= 0x2029))
			fprintf(out, "\\u%04x", (unsigned)c);
		else if (c == PL_UTF8_NONE)
			fputs("\\ufffd", out);
		else
			fwrite(s, 1, len, out);
		s += len;
	}
	fputc('"', out);
}

void pl_escape_base64(const void *data, size_t len, FILE *out)
{
	const unsigned char *s = data;
	char digits[4 * (PIECE / 3) + 1];

	for (size_t i = 0; i < len; i += PIECE) {
		const size_t left = len - i;

		fputs(sodium_bin2base64(digits, sizeof(digits), s + i, left < PIECE ? left : PIECE,
					sodium_base64_VARIANT_ORIGINAL),
		      out);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* escape.c - text of others within a page: it stays text */
#include "config.h"

#include "report/escape.h"

#include <sodium.h>
#include <stdint.h>
#include <string.h>

#define PIECE ((size_t)3 << 10) /* bytes encoded at once, a multiple of 3 */

/* The next character (U+FFFD where there is none) and how many bytes it takes, at least one. Of
 * UTF-8 as in RFC 3629: no overlong forms, no surrogates. */
static size_t next(const unsigned char *s, uint32_t *c)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const size_t len = s[0] < 0x80             ? 1
			   : (s[0] & 0xe0) == 0xc0 ? 2
			   : (s[0] & 0xf0) == 0xe0 ? 3
			   : (s[0] & 0xf8) == 0xf0 ? 4
						   : 0;
	uint32_t x = len == 1 ? s[0] : s[0] & (0x7fU >> len);

	*c = 0xfffd;
	if (len == 0)
		return 1;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80) /* the end of the string, too */
			return i;
		x = x << 6 | (s[i] & 0x3f);
	}
	if (x >= least[len] && x <= 0x10ffff && (x < 0xd800 || x > 0xdfff))
		*c = x;
	return len;
}

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
		const size_t len = next((const unsigned char *)s, &c);

		if (c == '<')
			fputs("&lt;", out);
		else if (c == '>')
			fputs("&gt;", out);
		else if (c == '&')
			fputs("&amp;", out);
		else if (c == '"')
			fputs("&quot;", out);
		else if (c == 0xfffd || is_odd(c))
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
		const size_t len = next((const unsigned char *)s, &c);

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", (int)c);
		else if (c < 0x20 || c == '<' || c == '>' || c == '&' || (c >= 0x7f && c < 0xa0) ||
			 (c >= 0x2028 && c <= 0x2029))
			fprintf(out, "\\u%04x", (unsigned)c);
		else if (c == 0xfffd)
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

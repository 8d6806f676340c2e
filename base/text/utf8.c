/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.c - the characters of UTF-8 */
#include "config.h"

#include "base/text/utf8.h"

size_t pl_utf8_next(const char *text, uint32_t *c)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *s = (const unsigned char *)text;
	const size_t len = s[0] < 0x80             ? 1
			   : (s[0] & 0xe0) == 0xc0 ? 2
			   : (s[0] & 0xf0) == 0xe0 ? 3
			   : (s[0] & 0xf8) == 0xf0 ? 4
						   : 0;
	uint32_t x = len == 1 ? s[0] : s[0] & (0x7fU >> len);

	*c = PL_UTF8_NONE;
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* json-clean.c - almost JSON, as programs write it that check no text: made JSON */
#include "config.h"

#include "base/json-clean.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROWTH 4 /* "x" becomes "null" */

struct clean {
	const char *s, *end;
	char *to;
};

static void put(struct clean *c, const char *s, size_t len)
{
	memcpy(c->to, s, len);
	c->to += len;
}

/* "\u0041", or a pair of surrogates: its length; 0: none, or the character 0. */
static size_t unicode_escape(const char *s, const char *end)
{
	unsigned high, low;
	char digits[5];

	if (end - s < 6 || sscanf(s, "\\u%4[0-9a-fA-F]", digits) != 1 || strlen(digits) != 4)
		return 0;
	high = (unsigned)strtoul(digits, NULL, 16);
	if (high < 0xd800 || high > 0xdfff)
		return high ? 6 : 0;
	if (high > 0xdbff || end - s < 12 || sscanf(s + 6, "\\u%4[0-9a-fA-F]", digits) != 1 ||
	    strlen(digits) != 4)
		return 0;
	low = (unsigned)strtoul(digits, NULL, 16);
	return low >= 0xdc00 && low <= 0xdfff ? 12 : 0;
}

static void clean_escape(struct clean *c)
{
	size_t len = 0;

	if (c->end - c->s > 1 && c->s[1] == 'u')
		len = unicode_escape(c->s, c->end);
	else if (c->end - c->s > 1 && c->s[1] && strchr("\"\\/bfnrt", c->s[1]))
		len = 2;
	if (len == 0)
		*c->to++ = '\\';
	put(c, c->s, len ? len : 1);
	c->s += len ? len : 1;
}

static void clean_string(struct clean *c)
{
	*c->to++ = *c->s++;
	while (c->s < c->end && *c->s != '"') {
		uint32_t code;
		const size_t len = pl_utf8_next(c->s, &code);

		if (*c->s == '\\') {
			clean_escape(c);
			continue;
		}
		if (code < ' ' || (code == PL_UTF8_NONE && memcmp(c->s, "\xef\xbf\xbd", 3) != 0))
			*c->to++ = '?';
		else
			put(c, c->s, len);
		c->s += len;
	}
	if (c->s < c->end)
		*c->to++ = *c->s++;
}

static bool is_word(const char *s, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(s, word, len) == 0;
}

/* A number as JSON writes it: no sign but '-', digits on both sides of the point. */
static bool is_number(const char *s, size_t len, bool *whole)
{
	const size_t sign = len && s[0] == '-';
	const size_t digits = strspn(s + sign, "0123456789");
	double x;

	*whole = sign + digits == len;
	return digits > 0 && pl_double_parse(s, len, &x) == 0 && isfinite(x) &&
	       isdigit((unsigned char)s[len - 1]);
}

static void clean_word(struct clean *c)
{
	const char *s = c->s;
	size_t len = 0;
	int64_t n;
	bool whole;

	while (s + len < c->end && !strchr(" \t\r\n,:[]{}\"", s[len]))
		len++;
	len += len == 0; /* a zero byte */
	c->s += len;
	if (is_word(s, len, "true") || is_word(s, len, "false") || is_word(s, len, "null"))
		put(c, s, len);
	else if (!is_number(s, len, &whole))
		put(c, "null", 4);
	else {
		put(c, s, len);
		if (whole && pl_int_parse(s, len, INT64_MIN, INT64_MAX, &n))
			put(c, "e0", 2);
	}
}

char *pl_json_clean(const char *s, size_t len, size_t *out_len)
{
	char *own = pl_string_copy(s, len);
	char *out = own ? pl_array_create(len + 1, GROWTH) : NULL;
	struct clean c = {.s = own, .end = own + len, .to = out};

	while (out && c.s < c.end) {
		if (*c.s == '"')
			clean_string(&c);
		else if (*c.s && strchr(" \t\r\n,:[]{}", *c.s))
			*c.to++ = *c.s++;
		else
			clean_word(&c);
	}
	*out_len = out ? (size_t)(c.to - out) : 0;
	free(own);
	return out;
}

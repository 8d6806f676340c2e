/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-report.c - colours that can be told apart, text that stays text,
 * numbers */
#include "config.h"

#include "base/rng.h"
#include "base/stats.h"
#include "report/colour.h"
#include "report/escape.h"
#include "report/parts.h"
#include "report/report.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

/* What eyes without a kind of cones make of linear light (Machado et al., 2009). */
static const double eyes[][3][3] = {
	{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0.152286, 1.052583, -0.204868},
	 {0.114503, 0.786281, 0.099216},
	 {-0.003882, -0.048116, 1.051998}},
	{{0.367322, 0.860646, -0.227968},
	 {0.280085, 0.672501, 0.047413},
	 {-0.011820, 0.042940, 0.968881}},
	{{1.255528, -0.076749, -0.178779},
	 {-0.078411, 0.930809, 0.147602},
	 {0.004733, 0.691367, 0.303900}},
};

static double linear(unsigned char byte)
{
	const double c = byte / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Oklab of the colour as those eyes see it. */
static void seen(size_t eye, struct pl_rgb c, double lab[3])
{
	const double in[] = {linear(c.r), linear(c.g), linear(c.b)};
	double v[3], l, m, s;

	for (int i = 0; i < 3; i++)
		v[i] = fmin(1, fmax(0, eyes[eye][i][0] * in[0] + eyes[eye][i][1] * in[1] +
					       eyes[eye][i][2] * in[2]));
	l = cbrt(0.4122214708 * v[0] + 0.5363325363 * v[1] + 0.0514459929 * v[2]);
	m = cbrt(0.2119034982 * v[0] + 0.6806995451 * v[1] + 0.1073969566 * v[2]);
	s = cbrt(0.0883024619 * v[0] + 0.2817188376 * v[1] + 0.6299787005 * v[2]);
	lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
	lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
	lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static double apart(const double a[3], const double b[3])
{
	return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
		    (a[2] - b[2]) * (a[2] - b[2]));
}

static void test_ramp(void)
{
	static const char *const names[] = {"all cones", "no red", "no green", "no blue"};

	for (size_t eye = 0; eye < 4; eye++) {
		double last[3], now[3], missing[3], least = 1, most = 0;
		double nearest = 1;
		bool darker = true;

		seen(eye, pl_colour_missing, missing);
		seen(eye, pl_colour_ramp(0), last);
		for (int k = 1; k <= 20; k++) {
			seen(eye, pl_colour_ramp(k / 20.0), now);
			darker = darker && now[0] < last[0];
			least = fmin(least, apart(now, last));
			most = fmax(most, apart(now, last));
			nearest = fmin(nearest, apart(now, missing));
			memcpy(last, now, sizeof(last));
		}
		ok(darker, "%s: the ramp only darkens", names[eye]);
		ok(nearest > 0.1, "%s: missing is none of it (%.3f)", names[eye], nearest);
		ok(least > 0.01, "%s: every step can be seen (%.3f)", names[eye], least);
		if (eye == 0)
			ok(most < 1.15 * least, "steps are even: %.4f to %.4f", least, most);
	}
}

static void test_racks(void)
{
	double lab[256][3], least = 1, few = 1;

	for (size_t i = 0; i < 256; i++) {
		seen(0, pl_colour_rack(i), lab[i]);
		for (size_t k = 0; k < i; k++) {
			least = fmin(least, apart(lab[i], lab[k]));
			if (i < 32)
				few = fmin(few, apart(lab[i], lab[k]));
		}
	}
	ok(few > 0.07, "32 racks can be told apart (%.3f)", few);
	ok(least > 0.01, "256 racks have 256 colours (%.4f)", least);
}

/* What @put writes of @s. */
static const char *written(void (*put)(const char *s, FILE *out), const char *s)
{
	static char buf[300];
	FILE *f = fmemopen(buf, sizeof(buf), "w");

	put(s, f);
	fclose(f);
	return buf;
}

static void test_escape(void)
{
	is_str(written(pl_escape_markup, "a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c'", "markup");
	is_str(written(pl_escape_markup, "h\xc3\xa9 \xf0\x9f\x98\x80"),
	       "h\xc3\xa9 \xf0\x9f\x98\x80", "letters beyond ASCII stay");
	is_str(written(pl_escape_markup, "\x01\xff\xc3(\xed\xa0\x80\xc0\xaf"),
	       "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd",
	       "what is no text is marked");
	is_str(written(pl_escape_markup, "x\xe2\x82"), "x\xef\xbf\xbd", "cut at its end");
	is_str(written(pl_escape_json, "</script><!-- \"\\\n\xe2\x80\xa8"),
	       "\"\\u003c/script\\u003e\\u003c!-- \\\"\\\\\\u000a\\u2028\"", "JSON in a script");
	is_str(written(pl_escape_json, "\xff"), "\"\\ufffd\"", "no UTF-8");
}

static void test_base64(void)
{
	static const char *const pairs[][2] = {
		{"", ""},
		{"f", "Zg=="},
		{"fo", "Zm8="},
		{"foo", "Zm9v"},
		{"foob", "Zm9vYg=="},
		{"fooba", "Zm9vYmE="},
		{"\xff\xfe", "//4="},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		char buf[32] = "";
		FILE *f = fmemopen(buf, sizeof(buf), "w");

		pl_escape_base64(pairs[i][0], strlen(pairs[i][0]), f);
		fclose(f);
		is_str(buf, pairs[i][1], "base64 of RFC 4648");
	}
}

static void test_number(void)
{
	char b[PL_REPORT_NUMBER];

	is_str(pl_report_number(b, 4980, PL_US), "4.98 ms", "us become ms");
	is_str(pl_report_number(b, 0.5, PL_NS), "0.5 ns", "less than one");
	is_str(pl_report_number(b, 999.96, PL_US), "1 ms", "rounded up");
	is_str(pl_report_number(b, 123456, PL_S), "123456 s", "no exponent");
	is_str(pl_report_number(b, 2.5e8, PL_BYTES_PER_S), "250 MB/s", "rates");
	is_str(pl_report_number(b, 3, PL_LEVELS), "3 levels", "levels");
	is_str(pl_report_number(b, NAN, PL_US), "-", "missing");
	is_str(pl_report_number(b, 0, PL_US), "0 ns", "nothing");
	ok(strlen(pl_report_number(b, 1e300, PL_S)) < 16, "as large as can be");
}

static void test_percentile(void)
{
	struct pl_rng rng;
	size_t wrong = 0;

	pl_rng_init(&rng, 5, 0);
	ok(isnan(pl_report_percentile(NULL, 0, 0.5)), "of nothing: missing");
	for (int round = 0; round < 2000; round++) {
		const size_t n = 1 + pl_rng_below(&rng, 40);
		const double p = (1 + (double)pl_rng_below(&rng, 1000)) / 1000;
		double v[40], sorted[40];

		for (size_t i = 0; i < n; i++)
			v[i] = sorted[i] = (double)pl_rng_below(&rng, 12);
		pl_sort_doubles(sorted, n);
		wrong += pl_report_percentile(v, n, p) != sorted[pl_percentile_index(n, p)];
	}
	is_int((int64_t)wrong, 0, "as after sorting, 2000 samples, seed 5");
}

static void test_writer(void)
{
	ok(pl_report_writer("a.html") == pl_report_write_html &&
		   pl_report_writer("b/c.HTM") == pl_report_write_html &&
		   pl_report_writer("x.Svg") == pl_report_write_svg,
	   "by the end of the name");
	ok(!pl_report_writer("html") && !pl_report_writer("x.html.gz") &&
		   !pl_report_writer("x.png") && !pl_report_writer(""),
	   "and by no other");
}

int main(void)
{
	test_ramp();
	test_racks();
	test_escape();
	test_base64();
	test_number();
	test_percentile();
	test_writer();
	return done_testing();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* colour.c - the colours of heat maps and of racks */
#include "config.h"

#include "report/colour.h"

#include <math.h>
#include <stdio.h>

const struct pl_rgb pl_colour_missing = {214, 40, 0};

struct oklab {
	double l, a, b;
};

/* The ends of the arc and what pulls it aside: a Bezier curve. */
static const struct oklab from = {0.965, -0.030, 0.085}, over = {0.740, -0.140, -0.020},
			  to = {0.270, 0.010, -0.115};

static struct oklab on_arc(double t)
{
	const double u = 1 - t, p = u * u, q = 2 * u * t, r = t * t;

	return (struct oklab){
		p * from.l + q * over.l + r * to.l,
		p * from.a + q * over.a + r * to.a,
		p * from.b + q * over.b + r * to.b,
	};
}

static double apart(struct oklab x, struct oklab y)
{
	const double l = x.l - y.l, a = x.a - y.a, b = x.b - y.b;

	return sqrt(l * l + a * a + b * b);
}

#define PIECES 512

/* The point after the share @x of the arc's length. */
static struct oklab along(double x)
{
	double length[PIECES + 1] = {0}, wanted;
	int i = 1;

	for (int k = 1; k <= PIECES; k++)
		length[k] = length[k - 1] +
			    apart(on_arc((k - 1.0) / PIECES), on_arc((double)k / PIECES));
	wanted = x * length[PIECES];
	while (i < PIECES && length[i] < wanted)
		i++;
	return on_arc((i - 1 + (wanted - length[i - 1]) / (length[i] - length[i - 1])) / PIECES);
}

/* Linear light to the byte of sRGB (IEC 61966-2-1). */
static unsigned char byte_of(double c)
{
	c = c < 0 ? 0 : c > 1 ? 1 : c;
	c = c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
	return (unsigned char)lround(255 * c);
}

static struct pl_rgb rgb_of(struct oklab p)
{
	const double l = p.l + 0.3963377774 * p.a + 0.2158037573 * p.b;
	const double m = p.l - 0.1055613458 * p.a - 0.0638541728 * p.b;
	const double s = p.l - 0.0894841775 * p.a - 1.2914855480 * p.b;
	const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;

	return (struct pl_rgb){
		byte_of(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
		byte_of(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
		byte_of(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3),
	};
}

struct pl_rgb pl_colour_ramp(double x)
{
	return rgb_of(along(x > 0 ? x < 1 ? x : 1 : 0));
}

/* Behind the palette hue and lightness follow a sequence that fills the plane evenly (R2, Roberts
 * 2018), so that later colours fall between earlier ones; its start is the one that leaves the
 * first 32 farthest apart. */
struct pl_rgb pl_colour_rack(size_t i)
{
	static const struct pl_rgb racks[] = {
		{0, 114, 178},  {230, 159, 0}, {0, 158, 115},  {204, 121, 167},
		{86, 180, 233}, {213, 94, 0},  {240, 228, 66}, {120, 120, 120},
	};
	const double turn = 0.7 + (double)i * 0.7548776662466927;
	const double light = (double)i * 0.5698402909980532;
	const double hue = 6.283185307179586 * (turn - floor(turn));
	const double chroma = 0.12;

	if (i < sizeof(racks) / sizeof(*racks))
		return racks[i];
	return rgb_of((struct oklab){0.34 + 0.5 * (light - floor(light)), chroma * cos(hue),
				     chroma * sin(hue)});
}

const char *pl_colour_format(char buf[PL_COLOUR_CHARS], struct pl_rgb c)
{
	snprintf(buf, PL_COLOUR_CHARS, "#%02x%02x%02x", c.r, c.g, c.b);
	return buf;
}

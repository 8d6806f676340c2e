/* SPDX-License-Identifier: BSD-3-Clause */
/* values.c - values of plink-order's options, checked */
#include "config.h"

#include "src/order/values.h"

#include "base/text/number.h"
#include "base/text/size.h"
#include "probes/protocol/ports.h"
#include "src/common/tool.h"

#include <stdio.h>
#include <string.h>

/* "a, b, c" */
static void join(char *buf, size_t room, const char *const *names)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; names[i] && used < room; i++)
		used += (size_t)snprintf(buf + used, room - used, "%s%s",
					 i ? ", " : "", names[i]);
}

int pl_order_choose(const char *option, const char *value,
		    const char *const *names)
{
	char there_is[256];

	for (int i = 0; names[i]; i++)
		if (strcmp(value, names[i]) == 0)
			return i;
	join(there_is, sizeof(there_is), names);
	pl_tool_usage(PL_ORDER_TOOL, "--%s=%s: not one of %s", option, value,
		      there_is);
	return -1;
}

int pl_order_number(const char *option, const char *value, int64_t min,
		    int64_t max, int64_t *out)
{
	if (pl_int_parse(value, strlen(value), min, max, out) == 0)
		return 0;
	pl_tool_usage(PL_ORDER_TOOL,
		      "--%s=%s: not a whole number from %lld to %lld", option,
		      value, (long long)min, (long long)max);
	return -1;
}

int pl_order_decimal(const char *option, const char *value, double max,
		     double *out)
{
	double x;

	if (pl_double_parse(value, strlen(value), &x) == 0 && x >= 0 &&
	    x <= max) {
		*out = x;
		return 0;
	}
	pl_tool_usage(PL_ORDER_TOOL, "--%s=%s: not a number from 0 to %g",
		      option, value, max);
	return -1;
}

int pl_order_ratio(const char *option, const char *value, double *out)
{
	double x;

	if (pl_double_parse(value, strlen(value), &x) == 0 && x > 1 &&
	    x <= 1e6) {
		*out = x;
		return 0;
	}
	pl_tool_usage(PL_ORDER_TOOL, "--%s=%s: not a number above 1, to 1e6",
		      option, value);
	return -1;
}

int pl_order_ports(const char *value, struct pl_order_options *o)
{
	if (pl_ports_parse(value, &o->port_min, &o->port_max)) {
		pl_tool_usage(PL_ORDER_TOOL, "--ports=%s: not LO-HI", value);
		return -1;
	}
	return 0;
}

/* "64k" or, with a weight, "64k:10". */
static int take_size(const char *s, size_t len, uint64_t *bytes, double *weight)
{
	const char *colon = memchr(s, ':', len);
	const size_t digits = colon ? (size_t)(colon - s) : len;

	*weight = 1;
	if (pl_size_parse(s, digits, bytes))
		return -1;
	if (!colon)
		return 0;
	return pl_double_parse(colon + 1, len - digits - 1, weight) ||
			       !(*weight > 0 && *weight <= 1e9)
		       ? -1
		       : 0;
}

/* "64k", "2k,64k,8M", "2k:10,8M:1". */
int pl_order_sizes(const char *value, struct pl_order_options *o)
{
	const char *s = value;

	o->request.n_sizes = 0;
	for (;;) {
		const size_t len = strcspn(s, ",");

		if (o->request.n_sizes == PL_ORDER_SIZES_MAX ||
		    take_size(s, len,
			      &o->request.size_bytes[o->request.n_sizes],
			      &o->request.size_weight[o->request.n_sizes])) {
			pl_tool_usage(PL_ORDER_TOOL,
				      "--size=%s: not bytes below 2^63, as in "
				      "4096, 64k, 8M, or 64k:10 with a weight "
				      "(at most %d of them)",
				      value, PL_ORDER_SIZES_MAX);
			return -1;
		}
		o->request.n_sizes++;
		if (!s[len])
			return 0;
		s += len + 1;
	}
}

int pl_order_segment(const char *value, struct pl_order_options *o)
{
	if (pl_size_parse(value, strlen(value),
			  &o->request.what.segment_bytes) == 0)
		return 0;
	pl_tool_usage(PL_ORDER_TOOL,
		      "--segment=%s: not bytes below 2^63, as in 4096, 64k, 8M",
		      value);
	return -1;
}

int pl_order_rate(const char *option, const char *value, double *bps)
{
	if (pl_rate_parse(value, bps) == 0)
		return 0;
	pl_tool_usage(PL_ORDER_TOOL,
		      "--%s=%s: not bits per second, as in 200Mbit, 10G",
		      option, value);
	return -1;
}

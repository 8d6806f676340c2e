/* SPDX-License-Identifier: BSD-3-Clause */
/* need.c - what parameter servers, and hosts that help them, must carry */
#include "config.h"

#include "planner/rack/need.h"

#include <assert.h>
#include <math.h>

#define FLOAT_BYTES 4

static const struct {
	const char *brief, *name;
} servers[PL_RACK_SERVERS] = {
	[PL_RACK_CC] = {"CC", "colocated, central"},
	[PL_RACK_CS] = {"CS", "colocated, sharded"},
	[PL_RACK_NCC] = {"NCC", "not colocated, central"},
	[PL_RACK_NCS] = {"NCS", "not colocated, sharded"},
};

const char *pl_rack_server_short(enum pl_rack_server kind)
{
	return servers[kind].brief;
}

const char *pl_rack_server_name(enum pl_rack_server kind)
{
	return servers[kind].name;
}

double pl_rack_need(enum pl_rack_server kind, size_t n_workers, double rate)
{
	const double n = (double)n_workers;

	switch (kind) {
	case PL_RACK_CC:
		return 2 * (n - 1) * rate;
	case PL_RACK_CS:
		return 4 * (n - 1) * rate / n;
	case PL_RACK_NCC:
		return 2 * n * rate;
	default:
		return 2 * rate;
	}
}

double pl_rack_exchange_s(size_t n_workers, double helpers, double bytes, double bytes_per_s)
{
	const double n = (double)n_workers, k = fmin(helpers, n);

	assert(n_workers >= 2);
	return 2 * n * (n - 1) / (n * n + k * n - 2 * k) * bytes / bytes_per_s;
}

double pl_rack_adding_bytes(double adds_per_s)
{
	return adds_per_s * 3 * FLOAT_BYTES;
}

size_t pl_rack_room(double limit, double used, size_t n_workers)
{
	return (size_t)floor(limit / used * (double)n_workers * (1 + 1e-12));
}

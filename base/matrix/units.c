/* SPDX-License-Identifier: BSD-3-Clause */
/* units.c - quantities, units and symmetries by name */
#include "config.h"

#include "base/matrix/matrix.h"

#include <string.h>

/* Indexed by the enums. */
static const char *const quantities[] = {
	[PL_RTT] = "rtt",     [PL_ONE_WAY] = "one-way",   [PL_BANDWIDTH] = "bandwidth",
	[PL_COUNT] = "count", [PL_DISTANCE] = "distance",
};

static const char *const units[] = {
	[PL_NS] = "ns",
	[PL_US] = "us",
	[PL_MS] = "ms",
	[PL_S] = "s",
	[PL_BYTES_PER_S] = "bytes-per-s",
	[PL_PROBES] = "probes",
	[PL_LEVELS] = "levels",
};

static const char *const symmetries[] = {
	[PL_SYM_NONE] = "none",
	[PL_SYM_MAX] = "max",
	[PL_SYM_MEAN] = "mean",
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static int find(const char *const *table, size_t n, const char *s, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(table[i]) == len && memcmp(table[i], s, len) == 0)
			return (int)i;
	return -1;
}

const char *pl_quantity_name(enum pl_quantity quantity)
{
	return quantities[quantity];
}

int pl_quantity_parse(const char *s, size_t len, enum pl_quantity *quantity)
{
	const int i = find(quantities, COUNT(quantities), s, len);

	if (i < 0)
		return -1;
	*quantity = (enum pl_quantity)i;
	return 0;
}

const char *pl_unit_name(enum pl_unit unit)
{
	return units[unit];
}

int pl_unit_parse(const char *s, size_t len, enum pl_unit *unit)
{
	const int i = find(units, COUNT(units), s, len);

	if (i < 0)
		return -1;
	*unit = (enum pl_unit)i;
	return 0;
}

const char *pl_symmetrize_name(enum pl_symmetrize how)
{
	return symmetries[how];
}

int pl_symmetrize_parse(const char *s, size_t len, enum pl_symmetrize *how)
{
	const int i = find(symmetries, COUNT(symmetries), s, len);

	if (i < 0)
		return -1;
	*how = (enum pl_symmetrize)i;
	return 0;
}

bool pl_unit_fits(enum pl_quantity quantity, enum pl_unit unit)
{
	switch (quantity) {
	case PL_RTT:
	case PL_ONE_WAY:
		return pl_unit_ns(unit) > 0;
	case PL_BANDWIDTH:
		return unit == PL_BYTES_PER_S;
	case PL_COUNT:
		return unit == PL_PROBES;
	case PL_DISTANCE:
		return unit == PL_LEVELS;
	}
	return false;
}

double pl_unit_ns(enum pl_unit unit)
{
	static const double ns[COUNT(units)] = {
		[PL_NS] = 1, [PL_US] = 1e3, [PL_MS] = 1e6, [PL_S] = 1e9};

	return ns[unit];
}

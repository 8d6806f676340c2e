/* SPDX-License-Identifier: BSD-3-Clause */
/* portlist.h - lists of TCP ports, as --ports takes them */
#ifndef PLINK_AUDIT_PORTLIST_H
#define PLINK_AUDIT_PORTLIST_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_PORT_RANGES_MAX 32

struct pl_port_list {
	struct {
		uint16_t min, max;
	} range[PL_PORT_RANGES_MAX];
	size_t n;
};

/* Reads "22", "1024-2047", or several of these with commas between, at most PL_PORT_RANGES_MAX. 0,
 * or -1 with @err set (PL_EUSAGE). */
int pl_port_list_parse(struct pl_port_list *list, const char *s, struct pl_err *err);

bool pl_port_list_has(const struct pl_port_list *list, uint16_t port);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* ports.h - a range of ports, as --ports takes it */
#ifndef PLINK_PROBES_PROTOCOL_PORTS_H
#define PLINK_PROBES_PROTOCOL_PORTS_H

/* Parses "LO-HI" or one number, 1 to 65535, LO <= HI. 0, or -1 with both
 * unchanged. */
int pl_ports_parse(const char *s, int *port_min, int *port_max);

#endif

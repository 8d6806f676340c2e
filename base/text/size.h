/* SPDX-License-Identifier: BSD-3-Clause */
/* size.h - sizes, rates and times as people write them */
#ifndef PLINK_BASE_TEXT_SIZE_H
#define PLINK_BASE_TEXT_SIZE_H

#include <stddef.h>
#include <stdint.h>

/* Reads bytes (@len characters): "4096", "64k", "8MiB", "1G"; the letters, of either case, are
 * powers of 1024, with or without "iB". 0 and *bytes <= INT64_MAX, or -1 with *bytes unchanged. */
int pl_size_parse(const char *s, size_t len, uint64_t *bytes);

/* Reads bits per second: "200Mbit", "10Gbps", "9600", with k, M or G (powers of
 * 1000) and "bit", "bit/s" or "bps", all in any case. 0 and *bps, from 1000 to
 * 1e15; or -1 with *bps unchanged. */
int pl_rate_parse(const char *s, double *bps);

/* Reads a time: "1h", "2m", "1.5s", "500ms", "20us", "100ns", "7d", or a bare number, which counts
 * units of @unit_ns. 0 and *ns >= 0, or -1 with *ns unchanged. */
int pl_time_parse(const char *s, double unit_ns, double *ns);

#define PL_SIZE_CHARS 32

#define PL_RATE_CHARS 40

/* Writes "200Mbit", "1.5Gbit"; reads back within a millionth. Returns @buf. */
const char *pl_rate_format(char buf[PL_RATE_CHARS], double bps);

#define PL_TIME_CHARS 32

/* Writes "637 us", "41.8 s", "1234 s", "2.78 h": three digits, or all of a whole number of the
 * unit. Returns @buf. */
const char *pl_time_format(char buf[PL_TIME_CHARS], double s);

/* The same for the arguments of one call of printf(). */
#define PL_TIME_TEXT(s) pl_time_format((char[PL_TIME_CHARS]){0}, s)

/* Writes the shortest form that reads back the same: "64k", "1000". Returns @buf. */
const char *pl_size_format(char buf[PL_SIZE_CHARS], uint64_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c - bytes that arrive, taken line by line */
#include "config.h"

#include "probes/protocol/control.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum pl_lines_got pl_lines_fill(struct pl_lines *lines, int fd)
{
	ssize_t got;

	/* next() leaves less than a line here, or one to be skipped */
	got = read(fd, lines->data + lines->len, sizeof(lines->data) - lines->len);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return PL_LINES_NONE;
	if (got <= 0)
		return PL_LINES_END;
	lines->len += (size_t)got;
	return PL_LINES_DATA;
}

static void drop(struct pl_lines *lines, size_t n)
{
	lines->len -= n;
	memmove(lines->data, lines->data + n, lines->len);
}

/* No end of line in sight: keep what may still become a line. */
static int wait_for_more(struct pl_lines *lines)
{
	if (lines->skipping || lines->len >= PL_LINE_CHARS) {
		lines->skipping = true;
		lines->len = 0;
	}
	return 0;
}

int pl_lines_next(struct pl_lines *lines, char out[PL_LINE_CHARS])
{
	const char *end = memchr(lines->data, '\n', lines->len);
	size_t len, taken;

	if (!end)
		return wait_for_more(lines);
	len = (size_t)(end - lines->data);
	taken = len + 1;
	if (lines->skipping || taken > PL_LINE_CHARS) {
		lines->skipping = false;
		drop(lines, taken);
		return -1;
	}
	if (len > 0 && lines->data[len - 1] == '\r')
		len--;
	/* a zero would end the line for whoever reads it, and hide the rest */
	for (size_t i = 0; i < len; i++)
		out[i] = lines->data[i] ? lines->data[i] : '?';
	out[len] = '\0';
	drop(lines, taken);
	return 1;
}

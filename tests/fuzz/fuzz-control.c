/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-control.c - any bytes as control lines: refused, or written back
 * alike */
#include "config.h"

#include "probes/protocol/control.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read is written, read and written again: twice the same. */
static void check(const char *line, size_t len)
{
	char once[PL_LINE_CHARS], twice[PL_LINE_CHARS];
	struct pl_msg msg, again;
	size_t n;

	if (pl_msg_parse(line, len, &msg))
		return;
	n = pl_msg_format(&msg, once);
	if (n != strlen(once) || once[n - 1] != '\n' || pl_msg_parse(once, n - 1, &again))
		abort();
	pl_msg_format(&again, twice);
	if (strcmp(once, twice) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_lines lines = {0};
	char line[PL_LINE_CHARS];
	int have;

	while (size > 0) {
		size_t n = sizeof(lines.data) - lines.len;

		if (n > size)
			n = size;
		if (n == 0)
			abort(); /* no progress */
		memcpy(lines.data + lines.len, data, n);
		lines.len += n;
		data += n;
		size -= n;
		while ((have = pl_lines_next(&lines, line)) != 0)
			if (have > 0)
				check(line, strlen(line));
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-fping.c - any lines from a host's shell: figures that an agent could
 * say */
#include "config.h"

#include "probes/fping/talk.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sent(const char *line, size_t len)
{
	if (len > 0 && (len >= PL_LINE_CHARS || line[len - 1] != '\n' ||
			memchr(line, '\n', len) != line + len - 1))
		abort();
}

/* What an agent may say can be written and read again. */
static void check_message(const struct pl_msg *msg)
{
	char line[PL_LINE_CHARS];
	struct pl_msg again;
	size_t len;

	if (msg->kind != PL_MSG_RESULT && msg->kind != PL_MSG_BOUND)
		return;
	len = pl_msg_format(msg, line);
	if (pl_msg_parse(line, len - 1, &again))
		abort();
}

/* What the coordinator says next, whatever came. */
static void tell(struct pl_fping *f, unsigned turn, int64_t now_ns)
{
	static const enum pl_msg_kind kinds[] = {PL_MSG_ROUND, PL_MSG_ROUND, PL_MSG_ROUND,
						 PL_MSG_REST, PL_MSG_ANSWER};
	struct pl_msg msg = {.kind = kinds[turn % 5],
			     .round = (uint16_t)turn,
			     .packets_max = 1 + turn * turn % 200};
	char out[PL_LINE_CHARS];

	pl_addr_parse("10.0.0.2", 8, &msg.addr);
	check_sent(out, pl_fping_tell(f, &msg, now_ns, out));
}

static void begin(struct pl_fping *f)
{
	struct pl_msg run = {.kind = PL_MSG_RUN};
	const struct pl_msg set = {.kind = PL_MSG_SETTINGS,
				   .settings = {.probes_min = 40,
						.probes_max = 200,
						.tolerance = {.share = 0.02, .ns = 10000},
						.gap_ns = 1000000,
						.pair_ns = 1000000000,
						.limit_ns = 30000000000,
						.silence_ns = 5000000000}};
	char out[PL_LINE_CHARS];

	pl_fping_init(f, NULL);
	pl_addr_parse("10.0.0.2", 8, &run.addr);
	pl_fping_tell(f, &run, 0, out);
	check_sent(out, pl_fping_tell(f, &set, 0, out));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char line[PL_LINE_CHARS], out[PL_LINE_CHARS];
	int64_t now_ns = 0;
	unsigned turn = 0;
	struct pl_fping f;
	struct pl_msg msg;

	begin(&f);
	while (size > 0) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size, sent = 0;
		const size_t taken = end ? len + 1 : len;

		if (len >= sizeof(line))
			len = sizeof(line) - 1;
		memcpy(line, data, len);
		line[len] = '\0';
		data += taken;
		size -= taken;
		now_ns += 100000000;
		if (pl_fping_hear(&f, line, now_ns, &msg, out, &sent) == PL_FPING_MESSAGE) {
			check_message(&msg);
			tell(&f, turn++, now_ns);
		}
		check_sent(out, sent);
	}
	pl_fping_fini(&f);
	return 0;
}

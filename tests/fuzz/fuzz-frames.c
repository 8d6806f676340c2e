/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-frames.c - any bytes from a relay, or for one, in pieces of any size */
#include "config.h"

#include "probes/protocol/frames.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was taken can be sent and taken again: the same bytes. */
static void check_same(struct pl_outbox *box, const struct pl_frame *frame)
{
	if (pl_outbox_waiting(box) != PL_FRAME_HEADER + frame->len ||
	    (frame->len &&
	     memcmp(box->data + box->begin + PL_FRAME_HEADER, frame->data, frame->len) != 0))
		abort();
	pl_outbox_fini(box);
}

static void check_frame(const struct pl_frame *frame)
{
	struct pl_outbox box = {.most = PL_FRAME_HEADER + PL_FRAME_BYTES_MAX};
	struct pl_frame_start start;
	int status;

	if (pl_frame_put(&box, frame->kind, frame->channel, frame->data, frame->len))
		abort();
	check_same(&box, frame);
	if (!pl_frame_take_start(frame, &start)) {
		if (!start.argv[0] ||
		    pl_frame_put_start(&box, frame->channel, start.push, start.argv))
			abort();
		check_same(&box, frame);
		free(start.text);
	}
	if (!pl_frame_take_status(frame, &status)) {
		if (pl_frame_put_status(&box, frame->channel, status))
			abort();
		check_same(&box, frame);
	}
}

/* The first byte says how large the pieces are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_frames *frames = calloc(1, sizeof(*frames));
	const size_t piece = size > 0 && data[0] ? 16 * data[0] : 16;
	struct pl_frame frame;
	int fd[2], have = 0;

	if (!frames || pipe(fd))
		abort();
	for (size_t at = 1; at < size && have == 0;) {
		const size_t n = size - at < piece ? size - at : piece;

		if (write(fd[1], data + at, n) != (ssize_t)n)
			abort();
		at += n;
		/* less than a frame is left there: room for one byte is all
		 * that is promised */
		for (size_t left = n; left > 0 && have == 0;) {
			const size_t before = frames->len - frames->taken;

			if (pl_frames_fill(frames, fd[0]) != PL_FRAMES_DATA)
				abort();
			left -= frames->len - before;
			while ((have = pl_frames_next(frames, &frame)) > 0)
				check_frame(&frame);
		}
	}
	close(fd[0]);
	close(fd[1]);
	pl_frames_fini(frames);
	free(frames);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* frames.c - what a relay and its coordinator exchange */
#include "config.h"

#include "probes/protocol/frames.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_BYTES 4

enum pl_frames_got pl_frames_fill(struct pl_frames *frames, int fd)
{
	ssize_t got;

	/* less than a frame is left, so that there is room for more */
	frames->len -= frames->taken;
	memmove(frames->data, frames->data + frames->taken, frames->len);
	frames->taken = 0;
	got = read(fd, frames->data + frames->len, sizeof(frames->data) - frames->len);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return PL_FRAMES_NONE;
	if (got <= 0)
		return PL_FRAMES_END;
	frames->len += (size_t)got;
	return PL_FRAMES_DATA;
}

static uint32_t take32(const uint8_t *from)
{
	return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static void put32(uint8_t *to, uint32_t value)
{
	to[0] = (uint8_t)(value >> 24);
	to[1] = (uint8_t)(value >> 16);
	to[2] = (uint8_t)(value >> 8);
	to[3] = (uint8_t)value;
}

int pl_frames_next(struct pl_frames *frames, struct pl_frame *frame)
{
	const uint8_t *header = frames->data + frames->taken;
	const size_t left = frames->len - frames->taken;
	uint32_t len;

	if (left < PL_FRAME_HEADER)
		return 0;
	len = take32(header + 4);
	if (header[0] == 0 || header[0] >= PL_FRAME_KINDS || header[1] != 0 ||
	    len > PL_FRAME_BYTES_MAX)
		return -1;
	if (left < PL_FRAME_HEADER + len)
		return 0;
	*frame = (struct pl_frame){
		.kind = (enum pl_frame_kind)header[0],
		.channel = (uint16_t)(header[2] << 8 | header[3]),
		.data = header + PL_FRAME_HEADER,
		.len = len,
	};
	frames->taken += PL_FRAME_HEADER + len;
	return 1;
}

void pl_frames_fini(struct pl_frames *frames)
{
	sodium_memzero(frames, sizeof(*frames));
}

static void put_header(uint8_t to[PL_FRAME_HEADER], enum pl_frame_kind kind, uint16_t channel,
		       size_t len)
{
	to[0] = (uint8_t)kind;
	to[1] = 0;
	to[2] = (uint8_t)(channel >> 8);
	to[3] = (uint8_t)channel;
	put32(to + 4, (uint32_t)len);
}

int pl_frame_put(struct pl_outbox *to, enum pl_frame_kind kind, uint16_t channel, const void *data,
		 size_t len)
{
	uint8_t *room = len > PL_FRAME_BYTES_MAX ? NULL : pl_outbox_room(to, PL_FRAME_HEADER + len);

	if (!room)
		return -1;
	put_header(room, kind, channel, len);
	if (len)
		memcpy(room + PL_FRAME_HEADER, data, len);
	pl_outbox_add(to, PL_FRAME_HEADER + len);
	return 0;
}

/* A byte that says whether to push, then each word with a zero behind it. */
int pl_frame_put_start(struct pl_outbox *to, uint16_t channel, bool push, char *const argv[])
{
	size_t len = 1, n = 0;
	uint8_t *room;

	for (; argv[n]; n++)
		len += strlen(argv[n]) + 1;
	if (n == 0 || n > PL_FRAME_WORDS_MAX || len > PL_FRAME_BYTES_MAX)
		return -1;
	room = pl_outbox_room(to, PL_FRAME_HEADER + len);
	if (!room)
		return -1;
	put_header(room, PL_FRAME_START, channel, len);
	room += PL_FRAME_HEADER;
	*room++ = push;
	for (size_t i = 0; i < n; i++) {
		const size_t size = strlen(argv[i]) + 1;

		memcpy(room, argv[i], size);
		room += size;
	}
	pl_outbox_add(to, PL_FRAME_HEADER + len);
	return 0;
}

int pl_frame_take_start(const struct pl_frame *frame, struct pl_frame_start *start)
{
	const size_t len = frame->len - 1;
	size_t n = 0;

	if (frame->kind != PL_FRAME_START || frame->len < 2 || frame->data[0] > 1 ||
	    frame->data[len] != 0)
		return -1;
	memset(start, 0, sizeof(*start));
	start->push = frame->data[0];
	start->text = malloc(len);
	if (!start->text)
		return -1;
	memcpy(start->text, frame->data + 1, len);
	for (char *s = start->text; s < start->text + len; s += strlen(s) + 1) {
		if (n == PL_FRAME_WORDS_MAX) {
			free(start->text);
			return -1;
		}
		start->argv[n++] = s;
	}
	return 0;
}

int pl_frame_put_status(struct pl_outbox *to, uint16_t channel, int status)
{
	uint8_t data[STATUS_BYTES];

	put32(data, (uint32_t)status);
	return pl_frame_put(to, PL_FRAME_EXIT, channel, data, sizeof(data));
}

int pl_frame_take_status(const struct pl_frame *frame, int *status)
{
	if (frame->kind != PL_FRAME_EXIT || frame->len != STATUS_BYTES)
		return -1;
	*status = (int)take32(frame->data);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* frames.h - the frames between a relay and its coordinator
 * (plink-protocol(5)) */
#ifndef PLINK_PROBES_PROTOCOL_FRAMES_H
#define PLINK_PROBES_PROTOCOL_FRAMES_H

#include "probes/protocol/outbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_FRAME_HEADER 8             /* bytes: kind, zero, channel, length */
#define PL_FRAME_BYTES_MAX (64 << 10) /* after the header */

/* A channel is a command on one host. INPUT, OUTPUT and ERRORS carry bytes of
 * its standard input, output and error; an empty frame ends that stream. */
enum pl_frame_kind {
	PL_FRAME_START = 1, /* to the relay: a struct pl_frame_start */
	PL_FRAME_INPUT,
	PL_FRAME_CLOSE,  /* closes its three pipes; no bytes */
	PL_FRAME_SIGNAL, /* to its process group: a byte, SIGTERM or SIGKILL */
	PL_FRAME_OUTPUT, /* from the relay */
	PL_FRAME_ERRORS,
	PL_FRAME_EXIT,   /* four bytes, its status as waitpid() gives it */
	PL_FRAME_FAILED, /* it did not start, or was given up: reason */
};
#define PL_FRAME_KINDS (PL_FRAME_FAILED + 1)

struct pl_frame {
	enum pl_frame_kind kind;
	uint16_t channel;
	const uint8_t *data; /* [len]; in the reader's buffer, valid until the
			      * reader is used again */
	size_t len;
};

/* Input that is split into frames. Start with {0}; end with pl_frames_fini. */
struct pl_frames {
	uint8_t data[PL_FRAME_HEADER + PL_FRAME_BYTES_MAX];
	size_t len;   /* bytes in data */
	size_t taken; /* bytes of these that frames were taken from */
};

enum pl_frames_got { PL_FRAMES_DATA, PL_FRAMES_NONE, PL_FRAMES_END };

/* Reads once from @fd, which poll() found readable or which does not block;
 * call it when pl_frames_next has returned 0. END: the end of input, or reading
 * failed. */
enum pl_frames_got pl_frames_fill(struct pl_frames *frames, int fd);

/* 1: the next complete frame is in *frame; 0: none yet; -1: the input is not
 * valid (unknown kind, length out of range), nor is anything after it. */
int pl_frames_next(struct pl_frames *frames, struct pl_frame *frame);

void pl_frames_fini(struct pl_frames *frames);

/* Writes a frame. 0, or -1: more than PL_FRAME_BYTES_MAX bytes, or no room. */
int pl_frame_put(struct pl_outbox *to, enum pl_frame_kind kind, uint16_t channel, const void *data,
		 size_t len);

#define PL_FRAME_WORDS_MAX 260

/* A command to be started. */
struct pl_frame_start {
	bool push;                          /* its input begins with the relay's own program */
	char *argv[PL_FRAME_WORDS_MAX + 1]; /* ends with NULL */
	char *text;                         /* of all words; free() it */
};

/* Writes a START. 0, or -1: too long for a frame, too many words or no room. */
int pl_frame_put_start(struct pl_outbox *to, uint16_t channel, bool push, char *const argv[]);

/* Reads a START. 0, or -1: not a valid one, or out of memory; then there is
 * nothing to free. */
int pl_frame_take_start(const struct pl_frame *frame, struct pl_frame_start *start);

/* Write and read the status of an EXIT. 0, or -1: no room; not a valid EXIT. */
int pl_frame_put_status(struct pl_outbox *to, uint16_t channel, int status);
int pl_frame_take_status(const struct pl_frame *frame, int *status);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* frames.h - what a relay and its coordinator exchange (plink-protocol(5)) */
#ifndef PLINK_PROBES_PROTOCOL_FRAMES_H
#define PLINK_PROBES_PROTOCOL_FRAMES_H

#include "probes/protocol/outbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_FRAME_HEADER 8             /* bytes: kind, zero, channel, length */
#define PL_FRAME_BYTES_MAX (64 << 10) /* behind that */

/* A channel is a command on one host. What is carried is bytes of its standard
 * input, output and error; a frame of none ends that one of them. */
enum pl_frame_kind {
	PL_FRAME_START = 1, /* to the relay: a struct pl_frame_start */
	PL_FRAME_INPUT,
	PL_FRAME_CLOSE,  /* its three pipes; no bytes */
	PL_FRAME_SIGNAL, /* to its process group: a byte, SIGTERM or SIGKILL */
	PL_FRAME_OUTPUT, /* from the relay */
	PL_FRAME_ERRORS,
	PL_FRAME_EXIT,   /* four bytes, its status as waitpid() gives it */
	PL_FRAME_FAILED, /* it did not start, or had to be given up: why */
};
#define PL_FRAME_KINDS (PL_FRAME_FAILED + 1)

struct pl_frame {
	enum pl_frame_kind kind;
	uint16_t channel;
	const uint8_t *data; /* [len]; within the reader, until it is used */
	size_t len;
};

/* Frames that arrive. Start with {0}; end with pl_frames_fini. */
struct pl_frames {
	uint8_t data[PL_FRAME_HEADER + PL_FRAME_BYTES_MAX];
	size_t len;   /* that are there */
	size_t taken; /* of these, by frames that were given out */
};

enum pl_frames_got { PL_FRAMES_DATA, PL_FRAMES_NONE, PL_FRAMES_END };

/* Reads once from @fd, which poll() found readable or which does not block,
 * when pl_frames_next has said 0. END also where reading fails. */
enum pl_frames_got pl_frames_fill(struct pl_frames *frames, int fd);

/* The next whole frame: 1; 0: there is none yet; -1: no frame can be there, and
 * nor can any after it: a kind that is none, a length beyond the bounds. */
int pl_frames_next(struct pl_frames *frames, struct pl_frame *frame);

void pl_frames_fini(struct pl_frames *frames);

/* Writes a frame. 0, or -1: more than PL_FRAME_BYTES_MAX bytes, or no room. */
int pl_frame_put(struct pl_outbox *to, enum pl_frame_kind kind,
		 uint16_t channel, const void *data, size_t len);

#define PL_FRAME_WORDS_MAX 260

/* A command to be started. */
struct pl_frame_start {
	bool push; /* the relay's own program is what its input begins with */
	char *argv[PL_FRAME_WORDS_MAX + 1]; /* ends with NULL */
	char *text;                         /* of all words; free() it */
};

/* 0, or -1: too long for a frame, too many words or no room. */
int pl_frame_put_start(struct pl_outbox *to, uint16_t channel, bool push,
		       char *const argv[]);

/* 0, or -1: no such frame, or out of memory; nothing is to be freed then. */
int pl_frame_take_start(const struct pl_frame *frame,
			struct pl_frame_start *start);

/* Of an EXIT. 0, or -1: no such frame. */
int pl_frame_put_status(struct pl_outbox *to, uint16_t channel, int status);
int pl_frame_take_status(const struct pl_frame *frame, int *status);

#endif

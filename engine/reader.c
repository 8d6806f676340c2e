/* SPDX-License-Identifier: BSD-3-Clause */
/* reader.c - reads a stream of small things in few calls */
#include "config.h"

#include "engine/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define ROOM 8192
/* Behind what is long a head (lane.h): more would have to be copied. */
#define AHEAD 8

void pl_reader_fini(struct pl_reader *r)
{
	free(r->kept);
	*r = (struct pl_reader){0};
}

/* What is kept goes to to[*have]. */
static void take_kept(struct pl_reader *r, unsigned char *to, size_t *have, size_t want)
{
	const size_t kept = r->end - r->first;
	const size_t n = kept < want - *have ? kept : want - *have;

	if (n == 0)
		return;
	memcpy(to + *have, r->kept + r->first, n);
	*have += n;
	r->first += n;
}

/* Nothing is kept. As pl_reader_fill, but 1: something came. */
static int read_more(struct pl_reader *r, int fd, unsigned char *to, size_t *have, size_t want)
{
	const size_t left = want - *have;
	const size_t beside = left < ROOM ? ROOM : AHEAD;
	struct iovec part[2] = {{to + *have, left}, {r->kept, beside}};
	struct msghdr message = {.msg_iov = part, .msg_iovlen = 2};
	ssize_t n;

	do
		n = recvmsg(fd, &message, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (n <= 0) {
		errno = n == 0 ? 0 : errno;
		return -1;
	}
	r->is_dry = (size_t)n < left + beside;
	r->first = 0;
	r->end = 0;
	if ((size_t)n > left) {
		r->end = (size_t)n - left;
		n = (ssize_t)left;
	}
	*have += (size_t)n;
	return 1;
}

int pl_reader_fill(struct pl_reader *r, int fd, unsigned char *to, size_t *have, size_t want)
{
	if (!r->kept)
		r->kept = malloc(ROOM);
	if (!r->kept)
		return -1;
	for (;;) {
		int rc;

		take_kept(r, to, have, want);
		if (*have == want)
			return 1;
		if (r->is_dry) {
			r->is_dry = false;
			return 0;
		}
		rc = read_more(r, fd, to, have, want);
		if (rc <= 0)
			return rc;
	}
}

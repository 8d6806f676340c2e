/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.c - a command that a relay has started and whose input and output it
 * carries */
#include "config.h"

#include "probes/relay/channel.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define LOOK_SOON_NS (5 * MS) /* has it ended? while it is about to, ... */
#define SOON_NS (3000 * MS)   /* ... for so long */
#define LOOK_LATE_NS (200 * MS)
#define INPUT_MOST ((size_t)256 << 10)
#define OUTPUT_BYTES 4096
#define ERRORS_BYTES 512 /* a launcher may never fall silent */
#define ERROR_READS 64   /* of its last words */

void pl_channel_init(struct pl_channel *c, uint16_t number)
{
	*c = (struct pl_channel){
		.number = number,
		.child = {.in = -1, .out = -1, .err = -1},
		.input = {.most = INPUT_MOST},
	};
}

static int tell_failure(const struct pl_channel *c, const char *why, struct pl_outbox *out)
{
	return pl_frame_put(out, PL_FRAME_FAILED, c->number, why, strlen(why));
}

int pl_channel_start(struct pl_channel *c, char *const argv[], const uint8_t *push, size_t len,
		     struct pl_outbox *out)
{
	struct pl_err why = {0};

	if (pl_launch_spawn(&c->child, argv, &why)) {
		c->state = PL_CHANNEL_OVER;
		c->child = (struct pl_child){.in = -1, .out = -1, .err = -1};
		return tell_failure(c, why.text, out);
	}
	c->state = PL_CHANNEL_LIVE;
	c->push = push;
	c->push_left = len;
	pl_channel_write(c);
	return 0;
}

static void drop_input(struct pl_channel *c)
{
	c->push_left = 0;
	pl_outbox_fini(&c->input);
	pl_child_close(&c->child.in);
}

bool pl_channel_has_input(const struct pl_channel *c)
{
	return c->child.in >= 0 && (c->push_left > 0 || pl_outbox_waiting(&c->input) > 0);
}

void pl_channel_write(struct pl_channel *c)
{
	if (c->child.in < 0)
		return;
	if (pl_child_push(c->child.in, &c->push, &c->push_left) ||
	    (c->push_left == 0 && pl_outbox_flush(&c->input, c->child.in, SIZE_MAX, false) < 0))
		drop_input(c); /* the end of its output will tell why */
}

int pl_channel_put(struct pl_channel *c, const void *data, size_t len, int64_t now_ns,
		   struct pl_outbox *out)
{
	if (c->child.in < 0)
		return 0;
	if (pl_outbox_put(&c->input, data, len)) {
		pl_channel_close(c, now_ns);
		return tell_failure(c, "does not take commands", out);
	}
	pl_channel_write(c);
	return 0;
}

enum got { GOT_DATA, GOT_NONE, GOT_END };

/* Once, as a frame; closes what has ended. */
static int carry(int *fd, enum pl_frame_kind kind, uint16_t number, size_t most, enum got *got,
		 struct pl_outbox *out)
{
	char data[OUTPUT_BYTES];
	const ssize_t n = read(*fd, data, most);

	*got = GOT_NONE;
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return 0;
	*got = n > 0 ? GOT_DATA : GOT_END;
	if (n <= 0)
		pl_child_close(fd);
	return pl_frame_put(out, kind, number, data, n > 0 ? (size_t)n : 0);
}

int pl_channel_read(struct pl_channel *c, int64_t now_ns, struct pl_outbox *out)
{
	enum got got;

	if (c->child.out < 0)
		return 0;
	if (carry(&c->child.out, PL_FRAME_OUTPUT, c->number, OUTPUT_BYTES, &got, out))
		return -1;
	if (got == GOT_END) {
		c->muted = true;
		c->muted_ns = now_ns;
	}
	return 0;
}

int pl_channel_read_errors(struct pl_channel *c, struct pl_outbox *out)
{
	enum got got;

	if (c->child.err < 0)
		return 0;
	return carry(&c->child.err, PL_FRAME_ERRORS, c->number, ERRORS_BYTES, &got, out);
}

void pl_channel_close(struct pl_channel *c, int64_t now_ns)
{
	drop_input(c);
	pl_child_close(&c->child.out);
	pl_child_close(&c->child.err);
	if (!c->closed)
		c->closed_ns = now_ns;
	c->closed = true;
}

void pl_channel_signal(const struct pl_channel *c, int signal)
{
	if (c->state == PL_CHANNEL_LIVE)
		kill(-c->child.pid, signal); /* the group it leads */
}

/* Sends its last output before its end. */
static int tell_end(struct pl_channel *c, int status, struct pl_outbox *out)
{
	enum got got = GOT_DATA;

	for (int i = 0; i < ERROR_READS && got == GOT_DATA; i++)
		if (c->child.err < 0)
			break;
		else if (carry(&c->child.err, PL_FRAME_ERRORS, c->number, ERRORS_BYTES, &got, out))
			return -1;
	c->state = PL_CHANNEL_OVER;
	pl_channel_close(c, 0);
	return pl_frame_put_status(out, c->number, status);
}

/* In the end it does as it is told. */
static void insist(struct pl_channel *c, int64_t now_ns)
{
	const int64_t ns = now_ns - c->closed_ns;
	const int signal = ns < PL_CHANNEL_TERM_NS   ? 0
			   : ns < PL_CHANNEL_KILL_NS ? SIGTERM
						     : SIGKILL;

	if (c->closed && signal != c->signalled) {
		pl_channel_signal(c, signal);
		c->signalled = signal;
	}
}

int pl_channel_step(struct pl_channel *c, int64_t now_ns, struct pl_outbox *out)
{
	int status = 0;
	pid_t got;

	if (c->state != PL_CHANNEL_LIVE || (!c->muted && !c->closed))
		return 0;
	got = waitpid(c->child.pid, &status, WNOHANG);
	if (got != 0)
		return tell_end(c, status, out);
	insist(c, now_ns);
	return 0;
}

int64_t pl_channel_wake(const struct pl_channel *c, int64_t now_ns)
{
	const int64_t since = c->closed ? c->closed_ns : c->muted_ns;

	if (c->state != PL_CHANNEL_LIVE || (!c->muted && !c->closed))
		return INT64_MAX;
	return now_ns + (now_ns - since < SOON_NS ? LOOK_SOON_NS : LOOK_LATE_NS);
}

void pl_channel_fini(struct pl_channel *c)
{
	drop_input(c);
	pl_child_close(&c->child.out);
	pl_child_close(&c->child.err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-outbox.c - bytes that wait until a pipe takes them */
#include "config.h"

#include "base/rng.h"
#include "probes/protocol/outbox.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#define SEED 7
#define PAGE 4096

/* A pipe without blocking, as small as can be; its size. */
static int open_pipe(int fd[2])
{
	if (pipe(fd))
		return -1;
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	fcntl(fd[1], F_SETFL, O_NONBLOCK);
	return fcntl(fd[1], F_SETPIPE_SZ, PAGE);
}

static void close_pipe(const int fd[2])
{
	close(fd[0]);
	close(fd[1]);
}

static void test_bounds(void)
{
	struct pl_outbox box = {.most = 10};
	const uint8_t *data;

	ok(pl_outbox_waiting(&box) == 0, "nothing waits in an empty box");
	is_int(pl_outbox_flush(&box, -1, 100, false), 0, "which is not written anywhere");
	ok(!pl_outbox_room(&box, 11), "no room for more than may wait");
	ok(!pl_outbox_room(&box, SIZE_MAX), "nor for all there can be");
	is_int(pl_outbox_put(&box, "", 0), 0, "nothing is put in");
	ok(!box.data, "and takes no memory");
	is_int(pl_outbox_put(&box, "0123456", 7), 0, "seven of ten bytes");
	is_int(pl_outbox_put(&box, "789a", 4), -1, "not four more");
	ok(pl_outbox_waiting(&box) == 7, "seven wait, as before");
	is_int(pl_outbox_put(&box, "789", 3), 0, "but three more");
	is_int(pl_outbox_put(&box, "a", 1), -1, "then none");
	data = box.data + box.begin;
	ok(memcmp(data, "0123456789", 10) == 0, "in their order");
	pl_outbox_fini(&box);
	ok(!box.data && pl_outbox_waiting(&box) == 0, "empty again");
	is_int(pl_outbox_put(&box, "x", 1), 0, "and as good as new");
	pl_outbox_fini(&box);
}

/* Random amounts go in and come out of a pipe, and are what was put in. */
static void test_order(void)
{
	struct pl_outbox box = {.most = 100000};
	uint8_t data[9000], next_in = 0, next_out = 0;
	size_t in = 0, out = 0, refused = 0;
	struct pl_rng rng;
	bool same = true;
	int fd[2];

	pl_rng_init(&rng, SEED, 0);
	open_pipe(fd);
	while (in < 3000000) {
		const size_t len = pl_rng_below(&rng, sizeof(data) + 1);
		const size_t waiting = pl_outbox_waiting(&box);
		ssize_t got;

		for (size_t i = 0; i < len; i++)
			data[i] = (uint8_t)(next_in + i);
		if (pl_outbox_put(&box, data, len)) {
			same = same && waiting + len > box.most;
			refused++;
		} else {
			next_in = (uint8_t)(next_in + len);
			in += len;
		}
		if (pl_rng_below(&rng, 8) > 0)
			pl_outbox_flush(&box, fd[1], 1 + pl_rng_below(&rng, 5000),
					pl_rng_below(&rng, 2) > 0);
		if (pl_rng_below(&rng, 8) > 0 && (got = read(fd[0], data, sizeof(data))) > 0)
			for (ssize_t i = 0; i < got; i++, out++)
				same = same && data[i] == next_out++;
		same = same && pl_outbox_waiting(&box) <= box.most;
	}
	ok(same, "bytes come out as they went in (seed %d)", SEED);
	ok(refused > 0, "though %zu times there was no room", refused);
	ok(out > 0 && in - out <= box.most + PAGE, "and none is lost");
	ok(box.room <= 2 * box.most, "the room is not much more than may wait");
	close_pipe(fd);
	pl_outbox_fini(&box);
}

static void test_full_pipe(void)
{
	struct pl_outbox box = {.most = 1 << 20};
	char data[5 * PAGE] = "";
	int fd[2];

	is_int(open_pipe(fd), PAGE, "a pipe that takes 4096 bytes");
	pl_outbox_put(&box, data, sizeof(data));
	is_int(pl_outbox_flush(&box, fd[1], SIZE_MAX, false), 1, "some wait");
	is_int((int64_t)pl_outbox_waiting(&box), 4 * PAGE, "all but that");
	is_int(pl_outbox_flush(&box, fd[1], SIZE_MAX, true), 1, "a full pipe takes none");
	for (int i = 0; i < 4; i++) {
		if (read(fd[0], data, sizeof(data)) != PAGE)
			ok(false, "a page comes out");
		is_int(pl_outbox_flush(&box, fd[1], 1024, false), i < 3, "what is read makes room");
	}
	is_int((int64_t)pl_outbox_waiting(&box), 0, "until none waits");
	close_pipe(fd);
	pl_outbox_fini(&box);
}

/* What blocks must not be written to twice. */
static void test_blocking_pipe(void)
{
	struct pollfd p = {.events = POLLOUT};
	struct pl_outbox box = {.most = 1 << 20};
	char data[4 * PAGE] = "";
	int fd[2];

	open_pipe(fd);
	fcntl(fd[1], F_SETPIPE_SZ, 4 * PAGE);
	if (write(fd[1], data, 3 * PAGE) != 3 * PAGE)
		ok(false, "a pipe with one page left");
	fcntl(fd[1], F_SETFL, 0);
	pl_outbox_put(&box, data, sizeof(data));
	p.fd = fd[1];
	is_int(poll(&p, 1, 0), 1, "a pipe that blocks can be written");
	alarm(20); /* should it block */
	is_int(pl_outbox_flush(&box, fd[1], PAGE, true), 1, "once");
	alarm(0);
	is_int((int64_t)pl_outbox_waiting(&box), 3 * PAGE, "a page is gone");
	is_int(poll(&p, 1, 0), 0, "and then no more");
	close_pipe(fd);
	pl_outbox_fini(&box);
}

static void test_nobody_reads(void)
{
	struct pl_outbox box = {.most = 100};
	int fd[2];

	open_pipe(fd);
	close(fd[0]);
	pl_outbox_put(&box, "abc", 3);
	is_int(pl_outbox_flush(&box, fd[1], SIZE_MAX, false), -1, "nobody reads");
	is_int(errno, EPIPE, "as errno says");
	is_int((int64_t)pl_outbox_waiting(&box), 3, "what waits is kept");
	close(fd[1]);
	is_int(pl_outbox_flush(&box, fd[1], SIZE_MAX, true), -1, "a closed descriptor");
	is_int(errno, EBADF, "as errno says");
	pl_outbox_fini(&box);
}

/* Growing fails: the box is as it was. */
static void test_no_memory(void)
{
	struct pl_outbox box = {.most = 1 << 20};
	static const char more[100000];
	size_t live;

	failalloc_begin(0);
	is_int(pl_outbox_put(&box, "abc", 3), -1, "no memory for the first");
	ok(failalloc_end(&live) && live == 0, "and none is kept");
	pl_outbox_put(&box, "abc", 3);
	failalloc_begin(0);
	is_int(pl_outbox_put(&box, more, sizeof(more)), -1, "no memory for more");
	failalloc_end(&live);
	ok(pl_outbox_waiting(&box) == 3 && memcmp(box.data + box.begin, "abc", 3) == 0,
	   "what waits stays");
	is_int(pl_outbox_put(&box, more, sizeof(more)), 0, "then there is");
	ok(memcmp(box.data + box.begin, "abc", 3) == 0, "it has moved along");
	pl_outbox_fini(&box);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_bounds();
	test_order();
	test_full_pipe();
	test_blocking_pipe();
	test_nobody_reads();
	test_no_memory();
	return done_testing();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-frames.c - what a relay and its coordinator exchange */
#include "config.h"

#include "base/rng.h"
#include "probes/protocol/frames.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define SEED 11

static struct pl_frames frames; /* too large for a stack */
static uint8_t big[PL_FRAME_BYTES_MAX + 1];

/* Has these bytes read, by a pipe that they fit in; all of them are. */
static void feed(const void *data, size_t len)
{
	int fd[2];

	if (len == 0)
		return;
	if (pipe(fd) || write(fd[1], data, len) != (ssize_t)len ||
	    pl_frames_fill(&frames, fd[0]) != PL_FRAMES_DATA)
		ok(false, "%zu bytes are read", len);
	close(fd[0]);
	close(fd[1]);
}

/* What is said to a reader that has read nothing yet. */
static int next_of(const void *data, size_t len, struct pl_frame *frame)
{
	frames.len = frames.taken = 0;
	feed(data, len);
	return pl_frames_next(&frames, frame);
}

static void test_headers(void)
{
	uint8_t data[PL_FRAME_HEADER] = {0};
	struct pl_frame frame;
	bool good = true;

	for (int kind = 0; kind < 256; kind++) {
		const bool is = kind >= PL_FRAME_START && kind <= PL_FRAME_FAILED;

		data[0] = (uint8_t)kind;
		if (next_of(data, sizeof(data), &frame) != (is ? 1 : -1))
			good = ok(false, "kind %d", kind);
	}
	ok(good, "kinds that there are, and no others");
	data[0] = PL_FRAME_CLOSE;
	data[1] = 1;
	is_int(next_of(data, sizeof(data), &frame), -1, "no zero");
	data[1] = 0;
	data[2] = 0xab;
	data[3] = 0xcd;
	is_int(next_of(data, sizeof(data), &frame), 1, "a channel");
	is_int(frame.channel, 0xabcd, "which one");
	is_int((int64_t)frame.len, 0, "no bytes");
	data[5] = 1;
	is_int(next_of(data, sizeof(data), &frame), 0, "64 KiB to come");
	data[7] = 1;
	is_int(next_of(data, sizeof(data), &frame), -1, "one byte more");
	data[4] = 0xff;
	is_int(next_of(data, sizeof(data), &frame), -1, "much more");
	data[0] = 0;
	is_int(next_of(data, sizeof(data) - 1, &frame), 0, "seven bytes say nothing yet");
}

static void test_ends(void)
{
	int fd[2];

	if (pipe(fd))
		return;
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	frames.len = frames.taken = 0;
	is_int(pl_frames_fill(&frames, fd[0]), PL_FRAMES_NONE, "nothing yet");
	close(fd[1]);
	is_int(pl_frames_fill(&frames, fd[0]), PL_FRAMES_END, "the end");
	close(fd[0]);
	is_int(pl_frames_fill(&frames, fd[0]), PL_FRAMES_END, "no descriptor");
	frames.data[0] = 1;
	pl_frames_fini(&frames);
	is_int(frames.data[0], 0, "what was read does not stay");
}

/* Three frames, the bytes of which arrive in two parts, cut anywhere. */
static void test_split(void)
{
	struct pl_outbox box = {.most = 1000};
	struct pl_frame frame;
	bool good = true;

	pl_frame_put(&box, PL_FRAME_INPUT, 1, "abcde", 5);
	pl_frame_put(&box, PL_FRAME_CLOSE, 2, NULL, 0);
	pl_frame_put_status(&box, 3, 256);
	for (size_t cut = 0; cut <= box.end; cut++) {
		int n = 0;

		frames.len = frames.taken = 0;
		for (int part = 0; part < 2; part++) {
			feed(box.data + (part ? cut : 0), part ? box.end - cut : cut);
			while (pl_frames_next(&frames, &frame) > 0)
				good = good && frame.channel == ++n;
		}
		if (n != 3 || frame.kind != PL_FRAME_EXIT)
			good = ok(false, "cut at byte %zu", cut);
	}
	ok(good, "cut at any byte, all three come");
	pl_outbox_fini(&box);
}

/* Frames of any size through a pipe that takes some at a time. */
static void test_stream(void)
{
	struct pl_outbox box = {.most = 300000};
	struct pl_frame frame;
	size_t sent = 0, got = 0, bytes = 0, taken = 0;
	struct pl_rng rng;
	bool good = true;
	int fd[2], have;

	if (pipe(fd))
		return;
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	fcntl(fd[1], F_SETFL, O_NONBLOCK);
	pl_rng_init(&rng, SEED, 0);
	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = (uint8_t)(i * 7 + i / 256);
	frames.len = frames.taken = 0;
	while (got < 300) {
		const size_t len = pl_rng_below(&rng, 4) > 0
					   ? pl_rng_below(&rng, 100)
					   : PL_FRAME_BYTES_MAX - pl_rng_below(&rng, 3);

		if (sent < 300 && !pl_frame_put(&box, PL_FRAME_OUTPUT, (uint16_t)sent, big, len)) {
			sent++;
			bytes += len;
		}
		pl_outbox_flush(&box, fd[1], 1 + pl_rng_below(&rng, 70000), true);
		if (pl_frames_fill(&frames, fd[0]) == PL_FRAMES_END)
			break;
		while ((have = pl_frames_next(&frames, &frame)) > 0) {
			good = good && frame.channel == got++ &&
			       memcmp(frame.data, big, frame.len) == 0;
			taken += frame.len;
		}
		good = good && have == 0;
	}
	ok(good && got == 300 && taken == bytes, "frames of all sizes arrive (seed %d)", SEED);
	close(fd[0]);
	close(fd[1]);
	pl_outbox_fini(&box);
}

static void test_put(void)
{
	struct pl_outbox box = {.most = 20 + PL_FRAME_BYTES_MAX};
	struct pl_frame frame;

	is_int(pl_frame_put(&box, PL_FRAME_INPUT, 9, big, sizeof(big)), -1,
	       "more than 64 KiB are no frame");
	is_int(pl_frame_put(&box, PL_FRAME_INPUT, 9, big, SIZE_MAX - 3), -1, "nor is whatever");
	is_int(pl_frame_put(&box, PL_FRAME_INPUT, 9, big, sizeof(big) - 1), 0, "64 KiB are");
	is_int(pl_frame_put(&box, PL_FRAME_INPUT, 9, big, 5), -1, "no room");
	is_int((int64_t)pl_outbox_waiting(&box), PL_FRAME_HEADER + PL_FRAME_BYTES_MAX,
	       "then none of it is");
	is_int(pl_frame_put(&box, PL_FRAME_INPUT, 9, big, 4), 0, "but for 4");
	is_int(next_of(box.data, 50000, &frame), 0, "some of it");
	feed(box.data + 50000, PL_FRAME_HEADER + PL_FRAME_BYTES_MAX - 50000);
	is_int(pl_frames_next(&frames, &frame), 1, "all of it");
	ok(frame.len == PL_FRAME_BYTES_MAX && memcmp(frame.data, big, frame.len) == 0,
	   "as it was sent");
	pl_outbox_fini(&box);
}

static void test_status(void)
{
	static const int statuses[] = {0, 255 << 8, 9, -1, INT32_MAX, INT32_MIN};
	struct pl_outbox box = {.most = 1000};
	struct pl_frame frame = {.kind = PL_FRAME_EXIT, .data = big};
	int status = 77;

	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		pl_frame_put_status(&box, 4, statuses[i]);
		if (next_of(box.data, box.end, &frame) != 1 ||
		    pl_frame_take_status(&frame, &status))
			ok(false, "a status is read again");
		is_int(status, statuses[i], "a status");
		pl_outbox_fini(&box);
	}
	frame.len = 3;
	is_int(pl_frame_take_status(&frame, &status), -1, "three bytes");
	frame.len = 5;
	is_int(pl_frame_take_status(&frame, &status), -1, "five bytes");
	frame.len = 4;
	frame.kind = PL_FRAME_OUTPUT;
	is_int(pl_frame_take_status(&frame, &status), -1, "another kind");
}

/* Sends and takes a command: true where it is the same then. */
static bool is_carried(bool push, char *const argv[])
{
	struct pl_outbox box = {.most = 1 << 20};
	struct pl_frame_start start;
	struct pl_frame frame;
	bool same = false;
	size_t n = 0;

	frames.len = frames.taken = 0;
	if (!pl_frame_put_start(&box, 77, push, argv)) {
		feed(box.data, 8);
		feed(box.data + 8, box.end - 8);
		same = pl_frames_next(&frames, &frame) == 1 && frame.channel == 77 &&
		       !pl_frame_take_start(&frame, &start);
	}
	pl_outbox_fini(&box);
	if (!same)
		return false;
	for (; argv[n]; n++)
		same = same && start.argv[n] && !strcmp(start.argv[n], argv[n]);
	same = same && !start.argv[n] && start.push == push;
	free(start.text);
	return same;
}

static void test_words(void)
{
	static char one[] = "a word\n", none[] = "";
	char *argv[PL_FRAME_WORDS_MAX + 2] = {one};
	char *const nothing[] = {NULL};
	char *words = malloc(PL_FRAME_BYTES_MAX);

	if (!words)
		return;
	ok(is_carried(false, argv), "a word");
	argv[1] = none;
	ok(is_carried(true, argv), "an empty one behind it, and the program");
	argv[0] = none;
	argv[1] = one;
	argv[2] = none;
	ok(is_carried(false, argv), "empty ones around it");
	ok(!is_carried(false, nothing), "no word is no command");
	for (size_t i = 0; i < PL_FRAME_WORDS_MAX; i++)
		argv[i] = i % 3 ? one : none;
	ok(is_carried(false, argv), "260 words");
	argv[PL_FRAME_WORDS_MAX] = one;
	ok(!is_carried(false, argv), "261 are too many");
	/* the byte ahead and the zero behind it count */
	memset(words, 'w', PL_FRAME_BYTES_MAX);
	words[PL_FRAME_BYTES_MAX - 2] = '\0';
	argv[0] = words;
	argv[1] = NULL;
	ok(is_carried(true, argv), "a word that fills a frame");
	words[PL_FRAME_BYTES_MAX - 2] = 'w';
	words[PL_FRAME_BYTES_MAX - 1] = '\0';
	ok(!is_carried(true, argv), "one that is longer does not fit");
	free(words);
}

static void test_no_command(void)
{
	uint8_t data[2 * PL_FRAME_WORDS_MAX + 4] = "\1ls\0-l";
	struct pl_frame frame = {PL_FRAME_START, 1, data, 7};
	struct pl_frame_start start;
	size_t live;

	is_int(pl_frame_take_start(&frame, &start), 0, "a command");
	ok(start.push && !strcmp(start.argv[1], "-l") && !start.argv[2],
	   "of two words, and the program");
	free(start.text);
	failalloc_begin(0);
	is_int(pl_frame_take_start(&frame, &start), -1, "no memory for it");
	ok(failalloc_end(&live) && live == 0, "and none is kept");
	failalloc_begin(SIZE_MAX);
	frame.len = 6;
	is_int(pl_frame_take_start(&frame, &start), -1, "no zero at its end");
	frame.len = 1;
	is_int(pl_frame_take_start(&frame, &start), -1, "one byte");
	frame.len = 0;
	is_int(pl_frame_take_start(&frame, &start), -1, "no byte");
	frame.len = 7;
	data[0] = 2;
	is_int(pl_frame_take_start(&frame, &start), -1, "neither 0 nor 1");
	data[0] = 0;
	frame.kind = PL_FRAME_INPUT;
	is_int(pl_frame_take_start(&frame, &start), -1, "another kind");
	frame.kind = PL_FRAME_START;
	memset(data, 0, sizeof(data));
	frame.len = 1 + PL_FRAME_WORDS_MAX + 1;
	is_int(pl_frame_take_start(&frame, &start), -1, "261 words");
	failalloc_end(&live);
	is_int((int64_t)live, 0, "nothing is left of any of these");
}

/* Where a command finds no room in the box, nothing of it is there. */
static void test_start_without_room(void)
{
	static char word[] = "0123456789";
	char *const argv[] = {word, NULL};
	struct pl_outbox box = {.most = PL_FRAME_HEADER + 1 + 10};

	is_int(pl_frame_put_start(&box, 1, false, argv), -1, "a byte too few");
	is_int((int64_t)pl_outbox_waiting(&box), 0, "nothing waits");
	box.most++;
	is_int(pl_frame_put_start(&box, 1, false, argv), 0, "just enough");
	pl_outbox_fini(&box);
}

int main(void)
{
	test_headers();
	test_ends();
	test_split();
	test_stream();
	test_put();
	test_status();
	test_words();
	test_no_command();
	test_start_without_room();
	return done_testing();
}

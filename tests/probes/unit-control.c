/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-control.c - the lines between coordinator and agents */
#include "config.h"

#include "probes/protocol/control.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <unistd.h>

/* Lines as they stand on the wire: read and written again, they are the
 * same. */
static const char *const good[] = {
	"plink-agent 4 0.1\n",
	"node ip-10-0-0-7\n",
	"addr eth0 10.0.0.7/24\n",
	"addr eth0 fd00::7/64\n",
	"ready\n",
	"bound 4300 65535\n",
	"bound 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n",
	"result 14 15 3 46 45 44 1 2 0 10 20 30 40 50 7 22\n",
	"result 0 1 0 9 9 0 9 0 0 0 0 0 0 0 0 0 cannot send: Network is down\n",
	"bye 18446744073709 5\n",
	"error no address on or in \"eth9\"\n",
	"run 0123456789abcdef 000102030405060708090a0b0c0d0e0f 7 4 10.0.0.7\n",
	"settings 40 1000 20000 10000 1000000 1000000000 25000000000 5\n",
	"round 3 7 2000 10.0.0.8 40001 40002\n",
	"answer 3 7 10.0.0.8 40001 40002\n",
	"rest 4\n",
	"end\n",
	"verbs efa rdmap0s6\n",
	"verbs infiniband mlx5_0\n",
	"receive 5 7 4 1000000000 268435456 5000000000 50000 10.0.0.8\n",
	"send 5 7 16 1 1 1 0 fd00::8 40001\n",
	"go 5\n",
	"listening 5 7 40001\n",
	"joined 5 7\n",
	"joined 5 7 cannot connect: Connection refused\n",
	"flowed 5 7 2 268435456 214000000 1254000000 1 12\n",
	"flowed 5 7 2 0 0 0 0 0 the connection broke off\n",
	"ping\n",
	"pong\n",
	"costs\n",
	"cost 2995 2844 130000 60000 51000 2\n",
	"cost 1000000000 0 0 0 1000000 65536\n",
};

static const char *const bad[] = {
	"",
	" ",
	"help",
	"plink-agent",
	"plink-agent x 1",
	"plink-agent -1 1",
	"node",
	"node a b",
	"addr eth0",
	"addr 10.0.0.7/24",
	"addr e 10.0.0/8",
	"addr e 10.0.0.7/33",
	"addr e ::1/129",
	"addr e host/24",
	"addr an-interface-of-thirty-two-letters 10.0.0.7/24",
	"verbs",
	"verbs efa",
	"verbs none x",
	"verbs efa a b",
	"run 0123456789abcdef 000102030405060708090a0b0c0d0e0f 7 4 10.0.0.7 x",
	"ready now",
	"bound",
	"costs 1",
	"cost 1 2 3 4 5",
	"cost 1 2 3 4 5 6 7",
	"cost -1 2 3 4 5 6",
	"cost 1 2 1000000001 4 5 6",
	"cost 1 2 3 4 1000001 6",
	"cost 1 2 3 4 5 65537",
	"bound 1",
	"bound 0 0",
	"bound 0 65536",
	"bound -1 7",
	"bound 1e3 7",
	"bound 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17",
	"result 1 2 3",
	"result 1 2 3 46 45 44 2 2 0 10 20 30 40 50 0 0",
	"result 1 2 3 46 44 45 -1 2 0 10 20 30 40 50 0 0",
	"result 1 2 3 46 45 44 1 45 0 10 20 30 40 50 0 0",
	"result 1 2 3 46 45 44 1 2 0 10 20 30 40 39 0 0",
	"result 1 2 3 46 45 44 1 2 0 -1 20 30 40 50 0 0",
	"result 1 2 3 44 45 44 1 2 0 10 20 30 40 50 0 0",
	"result 1 2 3 2000001 45 44 1 2 0 10 20 30 40 50 0 0",
	"result 1 2 3 46 45 44 1 2 0 10 20 30 40 50",
	"result 1 2 3 46 45 44 1 2 0 10 20 30 40 50 0",
	"result 1 2 3 46 45 44 1 2 0 10 20 30 40 50 -1 0",
	"result 1 2 3 46 45 44 1 2 0 10 20 30 40 50 0 -1",
	"result 70000 2 3 46 45 44 1 2 0 10 20 30 40 50 0 0",
	"result 1 2 3 46 45 44 1 2 0 10 20 30 40 99999999999999999999 0 0",
	"bye",
	"bye 1",
	"bye -1 2",
	"bye 1 2 3",
	"run 0123456789abcde 000102030405060708090a0b0c0d0e0f 7 4 10.0.0.7",
	"run 0123456789abcdef 000102030405060708090a0b0c0d0e0 7 4 10.0.0.7",
	"run 0123456789abcdef 00010203040506070809zz0b0c0d0e0f 7 4 10.0.0.7",
	"run 0123456789abcdef 000102030405060708090a0b0c0d0e0f 7 4 host",
	"run 0123456789abcdef 000102030405060708090a0b0c0d0e0f 70000 4 ::1",
	"run 0123456789abcdef 000102030405060708090a0b0c0d0e0f 7 0 ::1",
	"run 0123456789abcdef 000102030405060708090a0b0c0d0e0f 7 17 ::1",
	"settings 40 1000",
	"settings 0 1000 0 0 0 0 0 0",
	"settings 40 39 0 0 0 0 0 0",
	"settings 1 1000001 0 0 0 0 0 0",
	"settings 40 1000 1000001 0 0 0 0 0",
	"settings 1 2 3 4 5 6 7 8 9",
	"settings 40 1000 nan 0 0 0 0 0",
	"settings 1 2 0 0 0 0 0 -1",
	"round 3 7 2000 10.0.0.8",
	"round 3 7 2000 10.0.0.8 0",
	"round 3 7 2000 10.0.0.8 40001 x",
	"round 3 7 0 10.0.0.8 40001",
	"round 3 7 2000001 10.0.0.8 40001",
	"round 3 7 2000 ten 40001",
	"round -3 7 2000 10.0.0.8 40001",
	"answer 3 7 10.0.0.8",
	"answer 3 7 2000 10.0.0.8 40001",
	"rest",
	"rest x",
	"end now",
	"receive 5 7 4 1000000000 268435456 5000000000 50000",
	"receive 5 7 0 1000000000 268435456 5000000000 50000 10.0.0.8",
	"receive 5 7 17 1000000000 268435456 5000000000 50000 10.0.0.8",
	"receive 5 7 4 0 268435456 5000000000 50000 10.0.0.8",
	"receive 5 7 4 86400000000001 268435456 5000000000 50000 10.0.0.8",
	"receive 5 7 4 1000000000 0 5000000000 50000 10.0.0.8",
	"receive 5 7 4 1000000000 1000000000000001 5000000000 0 10.0.0.8",
	"receive 5 7 4 1000000000 268435456 0 50000 10.0.0.8",
	"receive 5 7 4 1000000000 268435456 5000000000 1000001 10.0.0.8",
	"receive 5 7 4 1000000000 268435456 5000000000 50000 ten",
	"receive 5 7 4 1000000000 268435456 5000000000 50000 10.0.0.8 9",
	"send 5 7 4 1000000000 268435456 5000000000 50000 10.0.0.8",
	"send 5 7 4 1000000000 268435456 5000000000 50000 10.0.0.8 0",
	"send 5 7 4 1000000000 268435456 5000000000 50000 10.0.0.8 9 9",
	"ping 1",
	"pong 1",
	"go",
	"go 65536",
	"go 5 5",
	"listening 5 7",
	"listening 5 7 65536",
	"listening 5 7 1 2",
	"joined 5",
	"joined 5 -1",
	"flowed 5 7 2 268435456 214000000 1254000000 1",
	"flowed 5 7 2 268435456 214000000 1254000000 2 12",
	"flowed 5 7 2 268435456 -1 1254000000 1 12",
};

static void test_good(void)
{
	char out[PL_LINE_CHARS];
	struct pl_msg msg;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const int status = pl_msg_parse(good[i], strlen(good[i]) - 1, &msg);

		out[0] = '\0';
		if (!status)
			pl_msg_format(&msg, out);
		is_str(out, good[i], "there and back");
	}
}

static void test_bad(void)
{
	struct pl_msg msg;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(pl_msg_parse(bad[i], strlen(bad[i]), &msg) == -1, "refused: %s", bad[i]);
}

static void test_fields(void)
{
	struct pl_msg msg;

	pl_msg_parse(good[11], strlen(good[11]) - 1, &msg);
	ok(msg.run == UINT64_C(0x0123456789abcdef) && msg.key[1] == 1 && msg.key[15] == 15 &&
		   msg.self == 7,
	   "a run's fields");
	pl_msg_parse(good[12], strlen(good[12]) - 1, &msg);
	ok(msg.settings.tolerance.share == 0.02 && msg.settings.probes_max == 1000 &&
		   msg.settings.silence_ns == 5,
	   "the settings' fields");
	pl_msg_parse(good[13], strlen(good[13]) - 1, &msg);
	ok(msg.round == 3 && msg.peer == 7 && msg.packets_max == 2000 && msg.n_ports == 2 &&
		   msg.port[1] == 40002,
	   "a round's fields");
}

static void test_tame(void)
{
	struct pl_msg msg = {.kind = PL_MSG_ERROR};
	char out[PL_LINE_CHARS];
	size_t len;

	snprintf(msg.text, sizeof(msg.text), "a\033[2J\nend");
	len = pl_msg_format(&msg, out);
	is_str(out, "error a?[2J?end\n", "no control character leaves");
	is_int((int64_t)len, (int64_t)strlen(out), "length as written");
	memset(msg.text, 'x', sizeof(msg.text) - 1);
	msg.text[sizeof(msg.text) - 1] = '\0';
	len = pl_msg_format(&msg, out);
	ok(len < PL_LINE_CHARS && out[len - 1] == '\n', "long texts fit");
}

/* Writes to a pipe and reads lines from it. */
static struct pl_lines lines;
static int ends[2];

static void feed(const char *s, size_t len)
{
	if (write(ends[1], s, len) != (ssize_t)len)
		ok(false, "write");
	if (pl_lines_fill(&lines, ends[0]) != PL_LINES_DATA)
		ok(false, "read");
}

static void test_lines(void)
{
	char out[PL_LINE_CHARS], big[PL_LINE_CHARS + 1];

	if (pipe2(ends, O_NONBLOCK))
		ok(false, "pipe");
	is_int(pl_lines_fill(&lines, ends[0]), PL_LINES_NONE, "nothing yet");
	feed("ab", 2);
	is_int(pl_lines_next(&lines, out), 0, "half a line is none");
	feed("c\r\n\nd\ne", 7);
	is_int(pl_lines_next(&lines, out), 1, "then it is one");
	is_str(out, "abc", "in full, without CR LF");
	ok(pl_lines_next(&lines, out) == 1 && !out[0], "an empty line");
	ok(pl_lines_next(&lines, out) == 1 && !strcmp(out, "d"), "a third");
	is_int(pl_lines_next(&lines, out), 0, "the rest waits");
	memset(big, 'x', sizeof(big));
	big[PL_LINE_CHARS - 2] = '\n'; /* with the e before: 511 and an end */
	feed(big, PL_LINE_CHARS - 1);
	ok(pl_lines_next(&lines, out) == 1 && strlen(out) == PL_LINE_CHARS - 1, "the longest line");
	big[PL_LINE_CHARS - 2] = 'x';
	feed(big, PL_LINE_CHARS);
	is_int(pl_lines_next(&lines, out), 0, "one that is too long");
	feed(big, PL_LINE_CHARS);
	is_int(pl_lines_next(&lines, out), 0, "and goes on");
	feed("x\nnext\n", 7);
	is_int(pl_lines_next(&lines, out), -1, "is left out");
	ok(pl_lines_next(&lines, out) == 1 && !strcmp(out, "next"), "and the next is read");
	close(ends[1]);
	is_int(pl_lines_fill(&lines, ends[0]), PL_LINES_END, "the end");
	close(ends[0]);
}

int main(void)
{
	test_good();
	test_bad();
	test_fields();
	test_tame();
	test_lines();
	return done_testing();
}

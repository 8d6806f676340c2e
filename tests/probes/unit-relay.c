/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-relay.c - a live plink-agent --relay, and a coordinator good or bad */
#include "config.h"

#include "tests/probes/relay-scene.h"

#include <sys/stat.h>

#define CROWD 600
#define ROUND_TRIPS 200

static const char cat[] = "exec cat";
static const char stays[] = "exec sleep 600";
/* ends by SIGKILL alone, which takes what it has started along */
static const char stubborn[] = "trap '' TERM; echo up; while :; do sleep 600; done";

static void test_echo(struct scene *s)
{
	const struct heard *h = s->heard;

	ok(begin(s), "a relay greets");
	tell_script(s, 0, false, cat, NULL);
	tell_script(s, 2, false, cat, NULL);
	tell(s, PL_FRAME_INPUT, 0, "first ", 6);
	tell(s, PL_FRAME_INPUT, 2, "other", 5);
	tell(s, PL_FRAME_INPUT, 0, "second", 6);
	HEAR_UNTIL(s, h[0].n_out >= 12 && h[2].n_out >= 5);
	is_str(h[0].out, "first second", "a command's input is carried");
	is_str(h[2].out, "other", "each one's own");
	tell(s, PL_FRAME_CLOSE, 0, NULL, 0);
	HEAR_UNTIL(s, h[0].has_status);
	is_int(h[0].status, 0, "one that is closed ends by that");
	tell(s, PL_FRAME_INPUT, 0, "late", 4);
	tell(s, PL_FRAME_SIGNAL, 0, "\x0f", 1);
	tell(s, PL_FRAME_CLOSE, 0, NULL, 0);
	tell(s, PL_FRAME_INPUT, 2, "!", 1);
	HEAR_UNTIL(s, h[2].n_out >= 6);
	is_str(h[2].out, "other!", "what is said to it then does no harm");
	end(s, 0, "end of input");
}

/* Its end is told when all that it has said was. */
static void test_ends(struct scene *s)
{
	const struct heard *h = s->heard;

	begin(s);
	tell_script(s, 0, false, "echo good; echo bad >&2; exit 7", NULL);
	tell_script(s, 1, false, "kill -s KILL $$", NULL);
	tell_script(s, 2, false, "(sleep 0.2; echo late) & exit 3", NULL);
	tell_script(s, 3, false, stays, NULL);
	tell(s, PL_FRAME_SIGNAL, 3, "\x0f", 1);
	HEAR_UNTIL(s, s->n_over == 4);
	is_str(h[0].out, "good\n", "output");
	is_str(h[0].err, "bad\n", "errors");
	ok(h[0].out_ended, "the end of output");
	is_int(h[0].status, 7 << 8, "a status");
	is_int(h[1].status, SIGKILL, "a signal");
	is_str(h[2].out, "late\n", "what its own commands say");
	is_int(h[2].status, 3 << 8, "comes before its status");
	is_int(h[3].status, SIGTERM, "one that got a signal");
	end(s, 0, "after all have ended");
}

static void test_cannot_start(struct scene *s)
{
	char *const none[] = {(char *)"/none/such", NULL};
	char *const empty[] = {(char *)"", NULL};
	const struct heard *h = s->heard;

	begin(s);
	pl_frame_put_start(&s->to, 0, false, none);
	pl_frame_put_start(&s->to, 1, true, empty);
	tell(s, PL_FRAME_INPUT, 0, "for nobody", 10);
	tell(s, PL_FRAME_SIGNAL, 1, "\x09", 1);
	tell(s, PL_FRAME_CLOSE, 1, NULL, 0);
	tell_script(s, 2, false, "echo here", NULL);
	HEAR_UNTIL(s, h[2].has_status);
	has_str(h[0].failed, "cannot start /none/such", "no such command");
	has_str(h[1].failed, "cannot start ", "nor one without a name");
	is_str(h[2].out, "here\n", "the others start");
	ok(!h[0].has_status && !h[1].has_status, "those have no status");
	end(s, 0, "commands that do not start");
}

/* The program comes first, then what is said to the command. */
static void test_push(struct scene *s)
{
	const struct heard *h = s->heard;
	char script[256], exe[64];
	struct stat st;

	begin(s);
	snprintf(exe, sizeof(exe), "/proc/%d/exe", (int)s->relay.pid);
	if (!ok(!stat(exe, &st), "the relay's program"))
		return;
	snprintf(script, sizeof(script), "head -c %lld | cmp - \"$0\" && exec cat",
		 (long long)st.st_size);
	for (uint16_t k = 0; k < 2; k++) {
		tell_script(s, k, true, script, exe);
		tell(s, PL_FRAME_INPUT, k, "behind it", 9);
	}
	tell_script(s, 2, true, "exec <&-; echo no, thanks", NULL);
	for (uint16_t k = 0; k < 2; k++) {
		HEAR_UNTIL(s, h[k].n_out >= 9 || h[k].has_status);
		is_str(h[k].out, "behind it", "input follows the program");
		is_str(h[k].err, "", "which is the relay's own");
	}
	HEAR_UNTIL(s, h[2].has_status);
	is_int(h[2].status, 0, "who closes its input does not get it");
	end(s, 0, "programs sent on");
}

/* What no coordinator says ends a relay with a word, and what it has
 * started. */
static void test_nonsense(struct scene *s)
{
	static const struct {
		const char *what, *why;
		uint8_t bytes[12];
		size_t len;
	} bad[] = {
		{"noise", "not a frame", "hello, relay", 12},
		{"too long a frame", "not a frame", {PL_FRAME_INPUT, 0, 0, 0, 0, 1, 0, 1}, 8},
		{"a second start",
		 "started twice",
		 {PL_FRAME_START, 0, 0, 0, 0, 0, 0, 3, 0, 'l', 0},
		 11},
		{"a command without an end",
		 "not a command",
		 {PL_FRAME_START, 0, 0, 1, 0, 0, 0, 3, 0, 'l', 's'},
		 11},
		{"no command", "not a command", {PL_FRAME_START, 0, 0, 1, 0, 0, 0, 1, 0}, 9},
		{"too large a number",
		 "more than 4096 commands",
		 {PL_FRAME_START, 0, 16, 0, 0, 0, 0, 3, 0, 'l', 0},
		 11},
		{"input for none",
		 "was not started",
		 {PL_FRAME_INPUT, 0, 0, 1, 0, 0, 0, 1, 'x'},
		 9},
		{"input for one far off",
		 "was not started",
		 {PL_FRAME_INPUT, 0, 255, 255, 0, 0, 0, 1, 'x'},
		 9},
		{"another signal",
		 "not a signal",
		 {PL_FRAME_SIGNAL, 0, 0, 0, 0, 0, 0, 1, SIGSTOP},
		 9},
		{"no signal", "not a signal", {PL_FRAME_SIGNAL, 0, 0, 0, 0, 0, 0, 0}, 8},
		{"output", "not for a relay", {PL_FRAME_OUTPUT, 0, 0, 0, 0, 0, 0, 1, 'x'}, 9},
	};
	uint8_t *room;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		begin(s);
		tell_script(s, 0, false, cat, NULL);
		room = pl_outbox_room(&s->to, bad[i].len);
		memcpy(room, bad[i].bytes, bad[i].len);
		pl_outbox_add(&s->to, bad[i].len);
		ok(finish(s), "%s: it ends, and nothing is left", bad[i].what);
		has_str(s->said, bad[i].why, "why");
		is_int(s->exit, 3, "exit 3");
		free(s->said);
	}
}

static void test_cut_off(struct scene *s)
{
	static const uint8_t half[] = {PL_FRAME_INPUT, 0, 0, 0, 0, 0, 0, 9, 'x'};

	begin(s);
	tell_script(s, 0, false, cat, NULL);
	memcpy(pl_outbox_room(&s->to, sizeof(half)), half, sizeof(half));
	pl_outbox_add(&s->to, sizeof(half));
	end(s, 0, "half a frame");
}

/* One that does not read is given up when too much waits for it. */
static void test_too_much(struct scene *s)
{
	static const char data[PL_FRAME_BYTES_MAX];
	const struct heard *h = s->heard;

	begin(s);
	tell_script(s, 0, false, stays, NULL);
	tell_script(s, 1, false, cat, NULL);
	for (int i = 0; i < 10; i++)
		tell(s, PL_FRAME_INPUT, 0, data, sizeof(data));
	HEAR_UNTIL(s, h[0].failed[0]);
	is_str(h[0].failed, "does not take commands", "too much waits");
	tell(s, PL_FRAME_INPUT, 1, "and I?", 6);
	HEAR_UNTIL(s, h[1].n_out >= 6 && h[0].has_status);
	is_str(h[1].out, "and I?", "the other one is served");
	is_int(h[0].status, SIGTERM, "it is made to end");
	end(s, 0, "too much input");
}

/* Output and errors without end do not keep another one from answering. */
static void test_floods(struct scene *s)
{
	const struct heard *h = s->heard;
	size_t k = 0;

	begin(s);
	tell_script(s, 0, false, "exec cat /dev/zero", NULL);
	tell_script(s, 1, false, "exec cat /dev/zero >&2", NULL);
	tell_script(s, 2, false, "cat /dev/zero & exec cat /dev/zero >&2", NULL);
	tell_script(s, 3, false, cat, NULL);
	for (; k < ROUND_TRIPS && !s->over; k++) {
		tell(s, PL_FRAME_INPUT, 3, "x", 1);
		HEAR_UNTIL(s, h[3].n_out > k);
	}
	is_int((int64_t)h[3].n_out, ROUND_TRIPS, "answers among floods");
	ok(h[0].n_out > 0 && h[1].n_err > 0 && h[2].n_out > 0 && h[2].n_err > 0,
	   "none of which is kept back for ever");
	tell(s, PL_FRAME_CLOSE, 0, NULL, 0);
	HEAR_UNTIL(s, h[0].has_status);
	is_int(h[0].status, SIGPIPE, "one that is closed ends");
	end(s, 0, "the others with the relay");
}

/* Many that end at a time, with last words that nobody reads yet. */
static void test_crowd(struct scene *s)
{
	const struct timespec nap = {.tv_sec = 1};

	begin(s);
	for (uint16_t k = 0; k < CROWD; k++)
		tell_script(s, k, false, "exec >&-; read -r x; exec head -c 60000 /dev/zero >&2",
			    NULL);
	HEAR_UNTIL(s, pl_outbox_waiting(&s->to) == 0);
	for (uint16_t k = 0; k < CROWD; k++)
		tell(s, PL_FRAME_INPUT, k, "go\n", 3);
	while (pl_outbox_flush(&s->to, s->relay.in, SIZE_MAX, false) > 0)
		;
	nanosleep(&nap, NULL);
	HEAR_UNTIL(s, s->n_over == CROWD);
	is_int((int64_t)s->n_over, CROWD, "all ends of a crowd are told");
	end(s, 0, "a crowd");
}

static void test_stubborn(struct scene *s)
{
	const struct heard *h = s->heard;

	begin(s);
	tell_script(s, 0, false, stubborn, NULL);
	tell_script(s, 1, false, stays, NULL);
	tell_script(s, 2, false, stubborn, NULL);
	HEAR_UNTIL(s, h[0].n_out >= 3 && h[2].n_out >= 3);
	tell(s, PL_FRAME_CLOSE, 0, NULL, 0);
	tell(s, PL_FRAME_CLOSE, 1, NULL, 0);
	tell(s, PL_FRAME_SIGNAL, 2, "\x09", 1);
	HEAR_UNTIL(s, s->n_over == 3);
	is_int(h[0].status, SIGKILL, "one that ignores SIGTERM");
	is_int(h[1].status, SIGTERM, "one that ignores its input");
	is_int(h[2].status, SIGKILL, "one that is killed");
	end(s, 0, "all ended");
}

/* However the relay itself is ended. */
static void test_relay_ends(struct scene *s)
{
	static const int signals[] = {SIGTERM, SIGINT, 0};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		begin(s);
		tell_script(s, 0, false, stubborn, NULL);
		tell_script(s, 1, false, stays, NULL);
		HEAR_UNTIL(s, s->heard[0].n_out >= 3);
		if (signals[i])
			kill(s->relay.pid, signals[i]);
		else
			shut(&s->relay.in);
		ok(finish(s), "by signal %d: nothing is left", signals[i]);
		is_int(s->exit, signals[i] ? 4 : 0, "and its exit status");
		free(s->said);
	}
	begin(s);
	tell_script(s, 0, false, cat, NULL);
	tell(s, PL_FRAME_INPUT, 0, "x", 1);
	HEAR_UNTIL(s, s->heard[0].n_out > 0);
	kill(s->relay.pid, SIGKILL);
	ok(finish(s), "killed: nothing is left");
	is_int(s->exit, 128 + SIGKILL, "by that");
	free(s->said);
}

static void test_alone(struct scene *s)
{
	begin_with(s, "--patience=1");
	tell_script(s, 0, false, "while :; do echo x; sleep 0.05; done", NULL);
	ok(finish(s), "no word for a second: it ends, and nothing is left");
	has_str(s->said, "no word from the coordinator for 1 s", "why");
	is_int(s->exit, 4, "exit 4");
	ok(s->heard[0].n_out > 0, "what it carries is no word of ours");
	free(s->said);
}

static void test_nobody_reads(struct scene *s)
{
	begin(s);
	tell_script(s, 0, false, cat, NULL);
	tell_script(s, 1, false, stays, NULL);
	tell(s, PL_FRAME_INPUT, 0, "x", 1);
	HEAR_UNTIL(s, s->heard[0].n_out > 0);
	shut(&s->relay.out);
	s->over = true;
	tell(s, PL_FRAME_INPUT, 0, "x", 1);
	pl_outbox_flush(&s->to, s->relay.in, SIZE_MAX, false);
	ok(finish(s), "nobody reads: it ends, and nothing is left");
	is_int(s->exit, 0, "in peace");
	free(s->said);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_echo(&scene);
	test_ends(&scene);
	test_cannot_start(&scene);
	test_push(&scene);
	test_nonsense(&scene);
	test_cut_off(&scene);
	test_too_much(&scene);
	test_floods(&scene);
	test_crowd(&scene);
	test_stubborn(&scene);
	test_relay_ends(&scene);
	test_alone(&scene);
	test_nobody_reads(&scene);
	return done_testing();
}

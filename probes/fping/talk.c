/* SPDX-License-Identifier: BSD-3-Clause */
/* talk.c - speaks to a host without plink-agent as if it had one */
#include "config.h"

#include "probes/fping/talk.h"

#include "base/mem.h"
#include "base/stats.h"
#include "base/text/number.h"
#include "base/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)
#define TIMEOUT_FIRST_NS (250 * MS)
#define TIMEOUT_MAX_NS (1000 * MS)
#define TIMEOUT_MIN_NS (50 * MS)
#define TIMEOUT_TRIPS 4 /* of the longest so far */
#define PERCENTILE 0.1
#define FPING_FAILED 2 /* its status from here on: not for want of answers */

void pl_fping_init(struct pl_fping *f, const char *iface)
{
	*f = (struct pl_fping){.iface = iface};
}

void pl_fping_fini(struct pl_fping *f)
{
	free(f->rtt_ns);
	free(f->work_ns);
	free(f->step_ns);
	f->rtt_ns = f->work_ns = f->step_ns = NULL;
}

int64_t pl_fping_gap(int64_t gap_ns)
{
	return gap_ns < MS ? MS : (gap_ns + MS - 1) / MS * MS;
}

static int64_t up_to_ms(int64_t ns)
{
	return pl_fping_gap(ns) / MS;
}

/* fping's time-out. A reply that takes longer is lost, and a loss at the end of
 * a run costs the whole time-out. So the first is long for a cluster; if no
 * reply came within it, the next is very long; then it is what this pair
 * needs. */
static int64_t timeout_ns(const struct pl_fping *f)
{
	const int64_t silence = f->settings.silence_ns;
	int64_t ns = TIMEOUT_TRIPS * f->longest_ns;

	if (f->n == 0)
		ns = f->answer.pair.packets == 0 ? TIMEOUT_FIRST_NS : TIMEOUT_MAX_NS;
	if (ns < TIMEOUT_MIN_NS)
		ns = TIMEOUT_MIN_NS;
	if (ns > TIMEOUT_MAX_NS)
		ns = TIMEOUT_MAX_NS;
	return ns < silence ? ns : silence;
}

int64_t pl_fping_deaf_ns(const struct pl_fping *f)
{
	return PL_FPING_BATCH * pl_fping_gap(f->settings.gap_ns) + TIMEOUT_MAX_NS;
}

static size_t ask(struct pl_fping *f, unsigned count, char out[PL_LINE_CHARS])
{
	char self[PL_ADDR_CHARS];
	const bool quiet = f->doing != PL_FPING_ASKING_WHY;

	f->turn++;
	f->reading = false;
	f->asked = count;
	f->n_batch = 0;
	return (size_t)snprintf(out, PL_LINE_CHARS, "p %u %u %lld %lld %s %s%s\n", f->turn, count,
				(long long)up_to_ms(f->settings.gap_ns),
				(long long)up_to_ms(timeout_ns(f)), pl_addr_format(&f->self, self),
				f->target, quiet ? " -q" : "");
}

/* Requests of the next run, its warm-up included; 0: there is to be none. */
static unsigned next_count(const struct pl_fping *f)
{
	const struct pl_prober_options *o = &f->settings;
	const struct pl_probed_pair *p = &f->answer.pair;
	uint64_t most = PL_FPING_BATCH, wanted = PL_FPING_BATCH;

	if (f->packets_max - p->packets < most)
		most = f->packets_max - p->packets;
	if (o->probes_max - p->sent + 1 < most)
		most = o->probes_max - p->sent + 1;
	if (p->answered < o->probes_min)
		wanted = o->probes_min - p->answered + 1;
	if (wanted > most)
		wanted = most;
	return wanted > 1 ? (unsigned)wanted : 0;
}

static size_t begin_round(struct pl_fping *f, const struct pl_msg *msg, int64_t now_ns,
			  char out[PL_LINE_CHARS])
{
	f->answer = (struct pl_msg){.kind = PL_MSG_RESULT, .round = msg->round, .peer = msg->peer};
	f->packets_max = msg->packets_max;
	f->n = 0;
	f->longest_ns = 0;
	f->begun_ns = f->heard_ns = now_ns;
	f->said[0] = '\0';
	f->doing = PL_FPING_PROBING;
	pl_addr_format(&msg->addr, f->target);
	/* with a budget of one packet it goes, and says nothing */
	return ask(f, next_count(f) ? next_count(f) : 1, out);
}

static size_t begin_check(struct pl_fping *f, const struct pl_addr *self, char out[PL_LINE_CHARS])
{
	f->answer = (struct pl_msg){.kind = PL_MSG_BOUND, .port = {1}, .n_ports = 1};
	f->self = *self;
	f->doing = PL_FPING_CHECKING;
	pl_addr_format(self, f->target);
	return ask(f, PL_FPING_BATCH, out);
}

size_t pl_fping_tell(struct pl_fping *f, const struct pl_msg *msg, int64_t now_ns,
		     char out[PL_LINE_CHARS])
{
	switch (msg->kind) {
	case PL_MSG_RUN:
		/* the check follows the settings */
		f->self = msg->addr;
		return 0;
	case PL_MSG_SETTINGS:
		f->settings = msg->settings;
		return begin_check(f, &f->self, out);
	case PL_MSG_ROUND:
		return begin_round(f, msg, now_ns, out);
	case PL_MSG_ANSWER:
	case PL_MSG_REST:
		f->doing = PL_FPING_IDLE;
		return 0;
	case PL_MSG_END:
		f->doing = PL_FPING_IDLE;
		return (size_t)snprintf(out, PL_LINE_CHARS, "end\n");
	case PL_MSG_PING:
		return (size_t)snprintf(out, PL_LINE_CHARS, "ping\n");
	default:
		return 0;
	}
}

static bool take_number(struct pl_line *line, int64_t *value)
{
	struct pl_word word;

	return pl_line_next(line, &word) && !pl_int_parse(word.s, word.len, 0, INT32_MAX, value);
}

/* "addr eth0 10.0.0.7/24"; those that are not wanted are passed over. */
static enum pl_fping_heard hear_addr(struct pl_fping *f, struct pl_line *line, struct pl_msg *msg)
{
	struct pl_word iface, addr;
	size_t len;

	if (!pl_line_next(line, &iface) || !pl_line_next(line, &addr) ||
	    pl_addr_parse(addr.s, addr.len, &msg->addr))
		return PL_FPING_MORE;   /* of a kind that is not measured */
	len = strcspn(iface.s, " \t@"); /* "eth0@if5" is eth0 */
	if (len >= sizeof(msg->addr.iface))
		return PL_FPING_MORE;
	memcpy(msg->addr.iface, iface.s, len);
	msg->addr.iface[len] = '\0';
	msg->kind = PL_MSG_ADDR;
	if (pl_addr_is_wanted(&msg->addr, f->iface)) {
		f->n_addrs++;
		return PL_FPING_MESSAGE;
	}
	len = strlen(f->said);
	snprintf(f->said + len, sizeof(f->said) - len, "%s%s %.*s", len ? ", " : "",
		 msg->addr.iface, (int)addr.len, addr.s);
	return PL_FPING_MORE;
}

/* The last word of the greeting; f->said has the addresses not wanted. */
static enum pl_fping_heard hear_ready(const struct pl_fping *f, struct pl_msg *msg)
{
	msg->kind = f->n_addrs > 0 ? PL_MSG_READY : PL_MSG_ERROR;
	if (f->iface)
		snprintf(msg->text, sizeof(msg->text),
			 "no address on or in \"%.60s\" (there is %.150s)", f->iface, f->said);
	else
		snprintf(msg->text, sizeof(msg->text),
			 "this host has only local addresses (%.150s)", f->said);
	return PL_FPING_MESSAGE;
}

static enum pl_fping_heard hear_text(struct pl_line *line, struct pl_msg *msg,
				     enum pl_msg_kind kind)
{
	const struct pl_word word = pl_line_rest(line);
	const size_t len = word.len < sizeof(msg->text) ? word.len : sizeof(msg->text) - 1;

	msg->kind = kind;
	memcpy(msg->text, word.s, len);
	msg->text[len] = '\0';
	pl_text_tame(msg->text);
	return PL_FPING_MESSAGE;
}

static enum pl_fping_heard hear_hello(struct pl_fping *f, struct pl_line *line, struct pl_msg *msg)
{
	hear_text(line, msg, PL_MSG_HELLO);
	msg->protocol = PL_PROTOCOL;
	snprintf(f->version, sizeof(f->version), "%.31s", msg->text);
	f->greeted = true;
	return PL_FPING_MESSAGE;
}

/* Between "begin" and "done". */
static void hear_output(struct pl_fping *f, const char *line)
{
	size_t n;

	if (f->n_batch == 0 && !pl_fping_trips(line, f->target, f->batch, f->asked, &n)) {
		f->n_batch = n;
		return;
	}
	if (pl_fping_is_idle(line, f->target))
		return;
	snprintf(f->said, sizeof(f->said), "%.250s", line);
	pl_text_tame(f->said);
}

static int make_room(struct pl_fping *f)
{
	int64_t **const v[] = {&f->rtt_ns, &f->work_ns, &f->step_ns};
	const size_t room = f->n + PL_FPING_BATCH;

	if (room <= f->room)
		return 0;
	for (size_t k = 0; k < 3; k++) {
		int64_t *grown = realloc(*v[k], 2 * room * sizeof(*grown));

		if (!grown)
			return -1;
		*v[k] = grown;
	}
	f->room = 2 * room;
	return 0;
}

/* A run of fping has ended: all but its first round trip count. */
static int take_batch(struct pl_fping *f, int64_t now_ns)
{
	struct pl_probed_pair *p = &f->answer.pair;

	if (make_room(f))
		return -1;
	p->packets += f->asked;
	p->sent += f->asked - 1;
	for (size_t k = 0; k < f->n_batch; k++) {
		const struct pl_fping_trip *trip = &f->batch[k];

		if (trip->rtt_ns == PL_FPING_LOST)
			continue;
		f->heard_ns = now_ns;
		if (k == 0)
			continue;
		f->rtt_ns[f->n] = trip->rtt_ns;
		f->step_ns[f->n++] = trip->step_ns;
		if (trip->rtt_ns > f->longest_ns)
			f->longest_ns = trip->rtt_ns;
	}
	p->answered = f->n;
	p->lost = p->sent - p->answered;
	return 0;
}

/* The figures so far, and the step in which the 10th percentile was printed. */
static void take_figures(struct pl_fping *f)
{
	const struct pl_sample sample = {
		.rtt_ns = f->rtt_ns, .n = f->n, .n_flows = 1, .work = f->work_ns};
	struct pl_probed_pair *p = &f->answer.pair;

	pl_flows_figures(&sample, &f->settings.tolerance, &p->rtt);
	for (size_t i = 0; i < f->n; i++)
		if (f->rtt_ns[i] == p->rtt.p10_ns)
			p->step_ns = f->step_ns[i];
}

/* Leaves rtt_ns as it is; work_ns is in order, after take_figures. */
static bool is_settled(const struct pl_fping *f)
{
	struct pl_tolerance tolerance = f->settings.tolerance;

	if (tolerance.ns < f->answer.pair.step_ns)
		tolerance.ns = f->answer.pair.step_ns;
	return pl_settled(f->work_ns, f->n, PERCENTILE, &tolerance);
}

static bool is_done(const struct pl_fping *f, int64_t now_ns, int64_t status)
{
	const struct pl_prober_options *o = &f->settings;
	const int64_t took_ns = now_ns - f->begun_ns;

	if (status >= FPING_FAILED || took_ns >= o->limit_ns ||
	    now_ns - f->heard_ns >= o->silence_ns)
		return true;
	return f->n >= o->probes_min && (took_ns >= o->pair_ns || is_settled(f));
}

static enum pl_fping_heard give_result(struct pl_fping *f, struct pl_msg *msg)
{
	f->doing = PL_FPING_IDLE;
	if (f->answer.pair.answered == 0 && f->said[0])
		snprintf(f->answer.text, sizeof(f->answer.text), "no reply; fping says: %.100s",
			 f->said);
	*msg = f->answer;
	return PL_FPING_MESSAGE;
}

static enum pl_fping_heard fail(struct pl_fping *f, struct pl_msg *msg, const char *why)
{
	f->doing = PL_FPING_IDLE;
	*msg = (struct pl_msg){.kind = PL_MSG_ERROR};
	snprintf(msg->text, sizeof(msg->text), "%.100s%s%.100s", why, f->said[0] ? ": " : "",
		 f->said);
	return PL_FPING_MESSAGE;
}

static enum pl_fping_heard end_batch(struct pl_fping *f, int64_t now_ns, int64_t status,
				     struct pl_msg *msg, char out[PL_LINE_CHARS], size_t *len)
{
	unsigned count;

	if (take_batch(f, now_ns))
		return fail(f, msg, "its fping: the coordinator is out of memory");
	take_figures(f);
	count = next_count(f);
	if (count > 0 && !is_done(f, now_ns, status)) {
		*len = ask(f, count, out);
		return PL_FPING_MORE;
	}
	if (f->n > 0 || f->said[0])
		return give_result(f, msg);
	f->doing = PL_FPING_ASKING_WHY;
	*len = ask(f, 1, out);
	return PL_FPING_MORE;
}

/* Its own address answers, or fping cannot ping at all. */
static enum pl_fping_heard end_check(struct pl_fping *f, int64_t status, struct pl_msg *msg)
{
	if (status != 0 || f->n_batch < 2)
		return fail(f, msg, "fping cannot reach the host's own address");
	f->doing = PL_FPING_IDLE;
	f->n = 0;
	if (take_batch(f, 0))
		return fail(f, msg, "out of memory");
	take_figures(f);
	f->answer.echo_ns = f->answer.pair.rtt.p10_ns;
	*msg = f->answer;
	return PL_FPING_MESSAGE;
}

static enum pl_fping_heard hear_done(struct pl_fping *f, struct pl_line *line, int64_t now_ns,
				     struct pl_msg *msg, char out[PL_LINE_CHARS], size_t *len)
{
	int64_t turn, status;

	if (!take_number(line, &turn) || !take_number(line, &status))
		return PL_FPING_STRANGE;
	if (!f->reading || (unsigned)turn != f->turn)
		return PL_FPING_MORE; /* output of a run that was called off */
	f->reading = false;
	switch (f->doing) {
	case PL_FPING_CHECKING:
		return end_check(f, status, msg);
	case PL_FPING_PROBING:
		return end_batch(f, now_ns, status, msg, out, len);
	case PL_FPING_ASKING_WHY:
		f->answer.pair.packets += f->asked;
		return give_result(f, msg);
	case PL_FPING_IDLE:
		break;
	}
	return PL_FPING_MORE;
}

/* What is said outside of a run of fping. */
static enum pl_fping_heard hear_word(struct pl_fping *f, const struct pl_word *word,
				     struct pl_line *line, struct pl_msg *msg)
{
	if (pl_word_is(word, "plink-fping"))
		return hear_hello(f, line, msg);
	if (pl_word_is(word, "node"))
		return hear_text(line, msg, PL_MSG_NODE);
	if (pl_word_is(word, "addr"))
		return hear_addr(f, line, msg);
	if (pl_word_is(word, "error"))
		return hear_text(line, msg, PL_MSG_ERROR);
	if (pl_word_is(word, "ready"))
		return hear_ready(f, msg);
	if (pl_word_is(word, "bye"))
		return hear_text(line, msg, PL_MSG_BYE);
	if (pl_word_is(word, "pong"))
		return hear_text(line, msg, PL_MSG_PONG);
	/* what a run that was called off prints */
	return PL_FPING_MORE;
}

enum pl_fping_heard pl_fping_hear(struct pl_fping *f, const char *text, int64_t now_ns,
				  struct pl_msg *msg, char out[PL_LINE_CHARS], size_t *len)
{
	struct pl_line line = {.s = text, .len = strlen(text)};
	struct pl_word word;
	int64_t turn;

	memset(msg, 0, sizeof(*msg));
	*len = 0;
	if (!pl_line_next(&line, &word))
		return PL_FPING_MORE;
	if (!f->greeted && !pl_word_is(&word, "plink-fping"))
		return PL_FPING_STRANGE;
	if (pl_word_is(&word, "done"))
		return hear_done(f, &line, now_ns, msg, out, len);
	if (f->reading) {
		hear_output(f, text);
		return PL_FPING_MORE;
	}
	if (pl_word_is(&word, "begin")) {
		if (!take_number(&line, &turn))
			return PL_FPING_STRANGE;
		f->reading = (unsigned)turn == f->turn;
		return PL_FPING_MORE;
	}
	return hear_word(f, &word, &line, msg);
}

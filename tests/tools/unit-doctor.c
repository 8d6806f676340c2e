/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-doctor.c - what hosts say is taken in, and judged */
#include "config.h"

#include "src/doctor/judge.h"
#include "src/doctor/script.h"
#include "src/doctor/show.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdlib.h>

#define S INT64_C(1000000000)
#define N 4

static void test_clock(void)
{
	static const char *const wrong[] = {"",      "x",     "-1",
					    "1e9",   " 1",    "99999999999",
					    "12:30", "%s.%N", "99999999999999999999999999"};
	struct pl_doctor_span c = {7, 8};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ok(pl_doctor_clock_parse(wrong[i], &c) == -1 && c.lo_ns == 7, "no time: \"%s\"",
		   wrong[i]);
	ok(pl_doctor_clock_parse("12.000000005", &c) == 0 && c.lo_ns == 12 * S + 5 &&
		   c.hi_ns == 12 * S + 6,
	   "to the nanosecond");
	ok(pl_doctor_clock_parse("12.25", &c) == 0 && c.lo_ns == 12 * S + S / 4 &&
		   c.hi_ns == 12 * S + S / 4 + S / 100,
	   "to the hundredth");
	ok(pl_doctor_clock_parse("12.0000000059999", &c) == 0 && c.lo_ns == 12 * S + 5,
	   "more digits than there are ns");
	ok(pl_doctor_clock_parse("12", &c) == 0 && c.hi_ns == 13 * S,
	   "whole seconds leave one open");
	ok(pl_doctor_clock_parse("12.%N", &c) == 0 && c.lo_ns == 12 * S && c.hi_ns == 13 * S,
	   "a date without %%N leaves one open");
}

static enum pl_doctor_key hear(struct pl_doctor_facts *f, const char *line)
{
	struct pl_doctor_span clock;

	return pl_doctor_hear(f, line, &clock);
}

static void test_hear(void)
{
	struct pl_doctor_facts f = {0};
	char line[2000], version[PL_DOCTOR_TEXT];

	is_int(hear(&f, ""), PL_DOCTOR_STRANGE, "an empty line");
	is_int(hear(&f, "Welcome!"), PL_DOCTOR_STRANGE, "a banner");
	is_int(hear(&f, "plink-doctor "), PL_DOCTOR_STRANGE, "no key");
	is_int(hear(&f, "plink-doctor nodes x"), PL_DOCTOR_STRANGE, "a key that is none");
	is_int(hear(&f, "plink-doctor clock soon"), PL_DOCTOR_STRANGE,
	       "a clock that tells no time");
	is_int(hear(&f, "plink-doctor hello"), PL_DOCTOR_HELLO, "hello");
	is_int(hear(&f, "plink-doctor end "), PL_DOCTOR_END, "the end");
	is_int(hear(&f, "plink-doctor clock 5.5"), PL_DOCTOR_CLOCK, "a clock");
	is_int(hear(&f, "[1,0]<stdout>:plink-doctor node n1"), PL_DOCTOR_FACT,
	       "behind a launcher's words");
	is_str(f.node, "n1", "a node's name");
	hear(&f, "plink-doctor mpi mpirun (Open MPI) 4.1.4");
	is_str(f.mpi, "mpirun (Open MPI) 4.1.4", "a text of several words");
	hear(&f, "plink-doctor node \033[2Jx\177");
	is_str(f.node, "?[2Jx?", "control characters are shown as '?'");
	memset(line, 'x', sizeof(line));
	memcpy(line, "plink-doctor agent ", 19);
	line[sizeof(line) - 1] = '\0';
	hear(&f, line);
	is_int((int64_t)strlen(f.agent), PL_DOCTOR_TEXT - 1, "a long text is cut");
	is_str(pl_doctor_version("warning: x plink-agent (plink) 0.3 y", "plink-agent", version),
	       "0.3", "a version behind other words");
	ok(!pl_doctor_version("sh: plink-agent: not found", "plink-agent", version) &&
		   !pl_doctor_version("plink-exec (plink) 1", "plink-agent", version) &&
		   !pl_doctor_version("plink-agent (plink) ", "plink-agent", version),
	   "no version");
}

/* Four hosts of which all is well, to be spoilt. */
struct ward {
	struct pl_doctor_facts v[N], here;
	struct pl_doctor_pair pair[N];
	struct pl_doctor_ring ring;
	struct pl_doctor_seen seen;
	struct pl_doctor_verdict verdict;
};

static void fill(struct pl_doctor_facts *f, const char *name)
{
	const struct pl_doctor_span clock = {1000 * S, 1000 * S + 1};

	f->name = name;
	f->whole = true;
	strcpy(f->machine, "x86_64");
	strcpy(f->agent, "plink-agent (plink) 1.0");
	strcpy(f->plink, "plink-exec (plink) 1.0");
	strcpy(f->mpi, "mpirun (Open MPI) 4.1.4");
	strcpy(f->nccl, "libnccl.so.2.28.9");
	strcpy(f->shim, "123 456");
	pl_doctor_read_clock(f, clock, (struct pl_doctor_span){999 * S, 1001 * S});
	pl_doctor_read_clock(f, clock, (struct pl_doctor_span){999 * S, 1001 * S});
}

static void admit(struct ward *w)
{
	static const char *const names[N] = {"h0", "h1", "h2", "h3"};

	memset(w, 0, sizeof(*w));
	for (size_t i = 0; i < N; i++) {
		fill(&w->v[i], names[i]);
		w->pair[i] = (struct pl_doctor_pair){
			.a = i, .b = (i + 1) % N, .by = {{true, ""}, {true, ""}}};
	}
	fill(&w->here, "here");
	w->ring = (struct pl_doctor_ring){.v = w->pair, .n = N};
	w->seen = (struct pl_doctor_seen){.v = w->v,
					  .n = N,
					  .here = &w->here,
					  .ring = &w->ring,
					  .version = "1.0",
					  .launch = "ssh %h"};
}

/* All findings as "host subject; host subject"; the last one's words in
 * *what. */
static const char *judge(struct ward *w, char what[1500])
{
	static char text[600];
	struct pl_err err = {0};
	size_t len = 0;

	text[0] = what[0] = '\0';
	if (pl_doctor_judge(&w->verdict, &w->seen, &err))
		return "no memory";
	for (size_t i = 0; i < w->verdict.n; i++) {
		const struct pl_doctor_finding *f = &w->verdict.v[i];

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %s", i ? "; " : "",
					pl_doctor_host_name(&w->seen, f->host),
					pl_doctor_subject_name(f->subject));
		snprintf(what, 1500, "%s: %s", f->what, f->remedy);
	}
	return text;
}

/* Judges what was spoilt: who, and a part of what is said. */
static void diagnose(struct ward *w, const char *who, const char *part, const char *name)
{
	char what[1500];

	is_str(judge(w, what), who, name);
	if (part)
		has_str(what, part, part);
	pl_doctor_verdict_fini(&w->verdict);
}

static void test_well(void)
{
	struct ward w;
	char what[1500];

	admit(&w);
	is_str(judge(&w, what), "", "all is well");
	for (int k = 0; k < PL_DOCTOR_SUBJECTS; k++)
		ok(w.verdict.well[k] == N && w.verdict.judged[k] == N, "%s: all of all",
		   pl_doctor_subject_name((enum pl_doctor_subject)k));
	ok(w.verdict.skew_ns == S + 1, "how far the clocks may be apart");
	pl_doctor_verdict_fini(&w.verdict);
	for (size_t i = 0; i < N; i++)
		w.v[i].mpi[0] = w.v[i].nccl[0] = w.v[i].plink[0] = w.v[i].shim[0] = '\0';
	diagnose(&w, "", NULL, "what no host has is not missed");
}

static void test_hosts(void)
{
	struct ward w;

	admit(&w);
	w.v[1].whole = false;
	strcpy(w.v[1].fault, "refused");
	w.v[1].agent[0] = w.v[1].mpi[0] = '\0';
	diagnose(&w, "h1 reach", "refused: this must work without a question: ssh h1 true",
		 "not reached: nothing else is said of it");
	admit(&w);
	strcpy(w.v[2].agent, "sh: 1: plink-agent: not found");
	diagnose(&w, "h2 agent", "plink-agent: not found", "no agent");
	w.seen.pushed = true;
	diagnose(&w, "", NULL, "no agent, but it is sent");
	strcpy(w.v[2].probe_fault, "no place for it");
	diagnose(&w, "h2 agent", "no place for it", "it cannot be sent");
	admit(&w);
	strcpy(w.v[2].agent, "plink-agent (plink) 0.9");
	strcpy(w.v[2].probe_fault, "speaks protocol 1");
	diagnose(&w, "h2 agent", "its plink-agent is 0.9, this is 1.0",
		 "another version, said once");
	admit(&w);
	strcpy(w.v[0].plink, "plink-exec (plink) 0.9");
	w.v[3].plink[0] = '\0';
	diagnose(&w, "h0 plink; h3 plink", "it has no plink-exec", "plink-exec: an old one, none");
}

static void test_libraries(void)
{
	struct ward w;

	admit(&w);
	strcpy(w.v[3].mpi, "mpirun (Open MPI) 5.0.1");
	diagnose(
		&w, "h3 mpi",
		"it has \"mpirun (Open MPI) 5.0.1\", 3 of 4 hosts have \"mpirun (Open MPI) 4.1.4\"",
		"another MPI");
	w.v[3].mpi[0] = '\0';
	diagnose(&w, "h3 mpi", "it has no mpirun", "no MPI");
	admit(&w);
	strcpy(w.here.mpi, "mpirun (Open MPI) 5.0.1");
	diagnose(&w, "this machine mpi", "start the job on one of the hosts", "another MPI here");
	admit(&w);
	strcpy(w.v[0].shim, "9 9");
	strcpy(w.v[1].shim_fault, "libmpi.so.40: cannot open");
	w.v[2].shim[0] = '\0';
	diagnose(&w, "h0 shim; h1 shim; h2 shim", "lacks the library",
		 "another build, one that cannot be loaded, none");
	admit(&w);
	strcpy(w.v[0].shim, "9 9");
	strcpy(w.v[0].machine, "aarch64");
	diagnose(&w, "", NULL, "builds for other machines differ");
	admit(&w);
	strcpy(w.v[1].nccl, "libnccl.so.2.18.1");
	w.v[2].nccl[0] = '\0';
	diagnose(&w, "h1 nccl; h2 nccl", "it has no libnccl", "another NCCL, none");
}

/* The host's clock is @off ahead, as read within @doubt. */
static void set_clock(struct pl_doctor_facts *f, unsigned k, int64_t off, int64_t doubt)
{
	f->skew[k] = (struct pl_doctor_span){off - doubt, off + doubt};
}

static void test_clocks(void)
{
	struct ward w;

	admit(&w);
	set_clock(&w.v[1], 0, 3600 * S, S);
	set_clock(&w.v[1], 1, 3600 * S, S);
	diagnose(&w, "h1 clock", "its clock is 3600.000 s ahead of", "an hour ahead");
	set_clock(&w.v[1], 0, -3600 * S, S);
	set_clock(&w.v[1], 1, -3600 * S, S);
	diagnose(&w, "h1 clock", "its clock is 3600.000 s behind", "an hour behind");
	admit(&w);
	set_clock(&w.v[1], 0, 5 * S, 5 * S);
	set_clock(&w.v[1], 1, 5 * S, 5 * S);
	diagnose(&w, "", NULL, "an answer that took its time accuses nobody");
	set_clock(&w.v[1], 1, 12 * S, 5 * S);
	diagnose(&w, "h1 clock", "its clock is 8.500 s ahead of",
		 "two such answers together accuse");
	set_clock(&w.v[1], 1, -20 * S, 5 * S);
	diagnose(&w, "h1 clock", "was set by -25.000 s", "set meanwhile");
	admit(&w);
	for (size_t i = 0; i < N; i++) {
		set_clock(&w.v[i], 0, -60 * S, S);
		set_clock(&w.v[i], 1, -60 * S, S);
	}
	diagnose(&w, "this machine clock", "its clock is 60.000 s ahead of those of all hosts",
		 "all are off: it is ours");
	set_clock(&w.v[2], 0, 60 * S, S);
	set_clock(&w.v[2], 1, 60 * S, S);
	diagnose(&w, "h0 clock; h1 clock; h2 clock; h3 clock", NULL,
		 "all are off, each by another time");
	admit(&w);
	w.seen.stepped_ns = S;
	diagnose(&w, "this machine clock", "set by +1.000 s while hosts", "ours was set meanwhile");
	admit(&w);
	w.v[0].n_skews = w.v[1].n_skews = w.v[2].n_skews = 0;
	set_clock(&w.v[3], 0, 60 * S, S);
	set_clock(&w.v[3], 1, 60 * S, S);
	diagnose(&w, "h3 clock", NULL, "one clock is no majority");
}

static void block(struct ward *w, enum pl_doctor_by by, size_t k)
{
	w->pair[k].by[by].well = false;
	strcpy(w->pair[k].by[by].why, "no reply");
}

static void test_ring(void)
{
	struct ward w;

	admit(&w);
	block(&w, PL_DOCTOR_BY_UDP, 1);
	diagnose(&w, "h1 udp", "does not pass between it and h2: no reply", "one pair");
	block(&w, PL_DOCTOR_BY_UDP, 2);
	diagnose(&w, "h2 udp", "between it and h1 and h3", "a host that hears nobody");
	w.seen.ports = (struct pl_ports){.min = 4000, .max = 4100};
	diagnose(&w, "h2 udp", "let UDP (ports 4000 to 4100)", "the ports that were asked for");
	block(&w, PL_DOCTOR_BY_UDP, 0);
	block(&w, PL_DOCTOR_BY_UDP, 3);
	diagnose(&w, "h0 udp; h2 udp", NULL, "nobody hears anybody");
	admit(&w);
	block(&w, PL_DOCTOR_BY_TCP, 1);
	diagnose(&w, "h1 tcp", "TCP does not pass between it and h2: no reply",
		 "a flow that fails");
	admit(&w);
	w.ring.n = 0;
	strcpy(w.ring.fault, "no kind of address in common");
	diagnose(&w, "all hosts udp", "no kind of address", "not tried");
}

static void test_show(void)
{
	struct ward w;
	char what[1500], *text = NULL;
	struct pl_err err = {0};
	size_t len;
	FILE *to;

	admit(&w);
	w.v[1].whole = false;
	strcpy(w.v[1].fault, "refused");
	w.v[1].n_skews = 0;
	judge(&w, what);
	to = open_memstream(&text, &len);
	pl_doctor_show(to, &w.seen, &w.verdict);
	fclose(to);
	has_str(text, "reach  3 of 4 ", "how many are reached");
	has_str(text, "\nh1: reach: refused: this must", "a line a finding");
	has_str(text, "\n1 of 4 hosts is not ready\n", "what it comes to");
	free(text);
	to = open_memstream(&text, &len);
	is_int(pl_doctor_show_json(to, &w.seen, &w.verdict, &err), 0, "JSON");
	fclose(to);
	has_str(text, "\"well\": false", "not well");
	has_str(text, "\"skew_s\": null", "a clock that was not read");
	free(text);
	pl_doctor_verdict_fini(&w.verdict);
}

static void test_script(void)
{
	const struct pl_doctor_places places = {
		.agent = "it's here/plink-agent", .libdir = "/l", .each_s = 9};
	char *text = pl_doctor_script_facts(&places);

	has_str(text, "agent='it'\\''s here/plink-agent'\n", "words of ours are quoted");
	has_str(text, "beside=''\n", "what is not known is empty");
	has_str(text, "each=9\n", "the time that a program has");
	free(text);
}

/* Whichever allocation is refused: an error or less advice, and nothing is lost. */
static void test_memory(void)
{
	bool refused = true, sound = true;
	size_t k, live, n_failed = 0;
	struct pl_err err;
	struct ward w;

	for (k = 0; refused; k++) {
		admit(&w);
		block(&w, PL_DOCTOR_BY_UDP, 1);
		strcpy(w.v[0].mpi, "other");
		w.v[1].whole = false;
		err = (struct pl_err){0};
		failalloc_begin(k);
		if (pl_doctor_judge(&w.verdict, &w.seen, &err)) {
			n_failed++;
			sound = sound && err.code == PL_ESYSTEM;
		}
		pl_doctor_verdict_fini(&w.verdict);
		refused = failalloc_end(&live);
		sound = sound && live == 0;
	}
	ok(sound && n_failed > 0 && n_failed < k, "refused memory is told and nothing is lost");
}

int main(void)
{
	test_clock();
	test_hear();
	test_well();
	test_hosts();
	test_libraries();
	test_clocks();
	test_ring();
	test_show();
	test_script();
	test_memory();
	return done_testing();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-mpirun.c - mpirun's command line taken apart, what hosts answer, verdicts */
#include "config.h"

#include "base/text/shell.h"
#include "src/common/launcher.h"
#include "src/mpirun/check.h"
#include "src/mpirun/grammar.h"
#include "src/mpirun/judge.h"
#include "src/mpirun/line.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <stdlib.h>

/* As Open MPI 4.1 prints it, and more options of no meaning. */
static const char help[] = "mpirun (Open MPI) 4.1.4\n\n"
			   "Usage: mpirun [OPTION]...  [PROGRAM]...\n\n"
			   "   -am <arg0>            Aggregate MCA parameter set file list\n"
			   "   --app <arg0>          Provide an appfile; ignore all other command\n"
			   "                         -x <arg0> <arg1> is no option here\n"
			   "-c|-np|--np <arg0>       Number of processes to run\n"
			   "   -mca|--mca <arg0> <arg1>  \n"
			   "                         Pass context-specific MCA parameters; they\n"
			   "   -oversubscribe|--oversubscribe \n"
			   "   -stdin|--stdin <arg0>  \n"
			   "-v|--verbose             Be verbose\n"
			   "-x <arg0>                Export an environment variable, optionally\n"
			   "   --o0\n   --o1\n   --o2\n   --o3\n   --o4\n   --o5\n   --o6\n"
			   "   --o7\n   --o8\n   --o9\n   --p0\n   --p1\n   --p2\n   --p3\n";

static struct pl_grammar grammar;

static size_t args_of(char *word)
{
	return pl_grammar_args(&grammar, (char *[]){word, NULL});
}

static void test_grammar(void)
{
	struct pl_grammar none = {0};
	struct pl_err err = {0};

	ok(pl_grammar_parse(&none, "mpirun: no help\n", 16, &err) == -1 && err.code == PL_EINPUT &&
		   none.n == 0,
	   "what is no help is refused");
	is_int(pl_grammar_parse(&grammar, help, sizeof(help) - 1, &err), 0, "a help is read");
	is_int((int64_t)args_of("-np"), 1, "-np N");
	is_int((int64_t)args_of("--np"), 1, "--np N");
	is_int((int64_t)args_of("-c"), 1, "-c N");
	is_int((int64_t)args_of("--mca"), 2, "--mca A B");
	is_int((int64_t)args_of("-x"), 1, "-x A: explanations are none");
	is_int((int64_t)args_of("--verbose"), 0, "--verbose");
	is_int((int64_t)args_of("--unknown"), 0, "what mpirun does not know takes nothing");
}

#define WORDS(...) ((char *[]){__VA_ARGS__, NULL})
#define W(word) ((char[]){word})

static void check_line(char *const *words, const struct pl_mpirun_extra *extra, const char *want)
{
	struct pl_mpirun_line line = {0};
	struct pl_words out = {0};
	struct pl_err err = {0};
	char *command = NULL;

	if (pl_mpirun_line_parse(&line, &grammar, words, &err) == 0 &&
	    pl_mpirun_line_build(&line, "mpirun", extra, &out, &err) == 0)
		command = pl_shell_command(out.v);
	is_str(command ? command : err.text, want, want);
	free(command);
	pl_words_fini(&out);
	pl_mpirun_line_fini(&line);
}

static void test_lines(void)
{
	struct pl_words env = {0};
	char *const program[] = {W("helper"), W("lib"), NULL};
	struct pl_mpirun_extra extra = {.env = &env, .stdin_rank = -1};

	unsetenv("LD_PRELOAD");
	check_line(WORDS(W("-np"), W("2"), W("./a"), W("-x"), W("b c")), &extra,
		   "mpirun -np 2 ./a -x 'b c'");
	pl_words_add_pair(&env, "A", "1=2");
	extra.stdin_rank = 3;
	extra.preload = "/l.so";
	check_line(WORDS(W("-np"), W("2"), W("./a")), &extra,
		   "mpirun --stdin 3 -x A=1=2 -x LD_PRELOAD=/l.so -np 2 ./a");
	check_line(WORDS(W("--mca"), W("x"), W("LD_PRELOAD=/t.so"), W("-x"), W("LD_PRELOAD=/t.so"),
			 W("./a"), W(":"), W("--"), W("-x"), W("LD_PRELOAD")),
		   &extra,
		   "mpirun --stdin 3 -x A=1=2 -x LD_PRELOAD=/t.so:/l.so --mca x LD_PRELOAD=/t.so "
		   "./a : -x A=1=2 -x LD_PRELOAD=/l.so -- -x LD_PRELOAD");
	setenv("LD_PRELOAD", "/e.so", 1);
	check_line(WORDS(W("--x"), W("LD_PRELOAD"), W("./a")), &extra,
		   "mpirun --stdin 3 -x A=1=2 -x LD_PRELOAD=/e.so:/l.so ./a");
	unsetenv("LD_PRELOAD");
	extra = (struct pl_mpirun_extra){.env = &env, .stdin_rank = -1, .program = program};
	check_line(WORDS(W("-v"), W("./a"), W("b"), W(":"), W("-x"), W("LD_PRELOAD=/t.so"),
			 W("-np"), W("1"), W("./c")),
		   &extra, "mpirun -x A=1=2 -v helper lib : -x A=1=2 -np 1 helper lib");
	check_line(WORDS(W("-np"), W("2")), &extra, "no program after 2");
	check_line(WORDS(W("./a"), W(":")), &extra, "no program after :");
	check_line(WORDS(W("-x"), W("PLINK_PLAN=x"), W("./a")), &extra,
		   "-x PLINK_PLAN: use --plan and --mode instead");
	check_line(WORDS(W("./a"), W(":"), W("-x"), W("PLINK_MPI_MODE"), W("./a")), &extra,
		   "-x PLINK_MPI_MODE: use --plan and --mode instead");
	check_line(WORDS(W("--app"), W("file")), &extra,
		   "with --app mpirun takes no other option, so nothing can be preloaded: write "
		   "the programs on the command line, with : between them");
	pl_words_fini(&env);
}

static void test_hydra(void)
{
	const struct pl_grammar openmpi = grammar;
	struct pl_words env = {0};
	char *const program[] = {W("helper"), NULL};
	struct pl_mpirun_extra extra = {.env = &env, .preload = "/l.so", .stdin_rank = -1};

	grammar = (struct pl_grammar){0};
	pl_grammar_hydra(&grammar, NULL);
	pl_words_add_pair(&env, "A", "1=2");
	check_line(WORDS(W("-n"), W("2"), W("./a"), W(":"), W("-l"), W("./b")), &extra,
		   "mpirun -env A 1=2 -env LD_PRELOAD /l.so -n 2 ./a : -env A 1=2 -env LD_PRELOAD "
		   "/l.so -l ./b");
	check_line(WORDS(W("-genv"), W("LD_PRELOAD"), W("/t.so"), W("-N=2"), W("./a"), W(":"),
			 W("-env"), W("LD_PRELOAD=/u.so"), W("-env"), W("B"), W("c"), W("./b")),
		   &extra,
		   "mpirun -env A 1=2 -env LD_PRELOAD /t.so:/l.so -N=2 ./a : -env A 1=2 -env "
		   "LD_PRELOAD /u.so:/l.so -env B c ./b");
	extra.program = program;
	check_line(WORDS(W("-hosts"), W("a,b"), W("-genvall"), W("-PPN"), W("1"), W("-verbose"),
			 W("./a"), W("b")),
		   &extra,
		   "mpirun -env A 1=2 -env LD_PRELOAD /l.so -hosts a,b -genvall -PPN 1 -verbose "
		   "helper");
	check_line(WORDS(W("-genv"), W("PLINK_PLAN"), W("x"), W("./a")), &extra,
		   "-genv PLINK_PLAN: use --plan and --mode instead");
	check_line(WORDS(W("-configfile"), W("f")), &extra,
		   "with -configfile mpirun takes no other option, so nothing can be preloaded: "
		   "write the programs on the command line, with : between them");
	pl_words_fini(&env);
	pl_grammar_fini(&grammar);
	grammar = openmpi;
}

/* Open MPI 5 */
static void test_prrte(void)
{
	const struct pl_grammar openmpi = grammar;
	struct pl_words env = {0};
	const struct pl_mpirun_extra extra = {.env = &env, .preload = "/l.so", .stdin_rank = 1};

	grammar = (struct pl_grammar){0};
	pl_grammar_prrte(&grammar, NULL);
	check_line(WORDS(W("--map-by"), W("seq"), W("-np=2"), W("--prtemca"), W("x"), W("-x"),
			 W("--oversubscribe"), W("-x"), W("LD_PRELOAD=/t.so"), W("./a"), W("-x"),
			 W("A")),
		   &extra,
		   "mpirun --stdin 1 -x LD_PRELOAD=/t.so:/l.so --map-by seq -np=2 --prtemca x -x "
		   "--oversubscribe ./a -x A");
	check_line(WORDS(W("--Map-by"), W("./a")), &extra,
		   "mpirun --stdin 1 -x LD_PRELOAD=/l.so --Map-by ./a");
	pl_grammar_fini(&grammar);
	grammar = openmpi;
}

static void test_stdin(void)
{
	struct pl_mpirun_line line = {0};
	char *const theirs[] = {W("-stdin"), W("all"), W("./a"), NULL};
	char *const none[] = {W("./a"), W("--stdin"), W("1"), NULL};

	pl_mpirun_line_parse(&line, &grammar, theirs, NULL);
	ok(line.has_stdin, "the user says where standard input goes");
	pl_mpirun_line_fini(&line);
	pl_mpirun_line_parse(&line, &grammar, none, NULL);
	ok(!line.has_stdin, "an argument of the program does not");
	pl_mpirun_line_fini(&line);
}

/* Every allocation refused once: nothing leaks, nothing is half there. */
static void test_memory(void)
{
	char *const words[] = {W("-np"), W("1"), W("./a"), W(":"), W("./b"), NULL};
	bool failed = true;
	size_t live = 0, k;

	for (k = 0; failed && k < 1000 && live == 0; k++) {
		struct pl_grammar g = {0};
		struct pl_mpirun_line line = {0};
		struct pl_words env = {0}, out = {0};
		const struct pl_mpirun_extra extra = {
			.env = &env, .preload = "/l.so", .stdin_rank = 1};

		failalloc_begin(k);
		pl_words_add_pair(&env, "A", "1");
		if (pl_grammar_parse(&g, help, sizeof(help) - 1, NULL) == 0 &&
		    pl_mpirun_line_parse(&line, &g, words, NULL) == 0)
			pl_mpirun_line_build(&line, "mpirun", &extra, &out, NULL);
		pl_words_fini(&out);
		pl_words_fini(&env);
		pl_mpirun_line_fini(&line);
		pl_grammar_fini(&g);
		failed = failalloc_end(&live);
	}
	ok(!failed && k > 50 && live == 0, "%zu allocations refused in turn", k - 1);
}

#define ALL_OF(r, n, more)                                                                         \
	"plink-check " r " start " n "\nplink-check " r " made-for Open MPI 4\n"                   \
	"plink-check " r " mpi Open MPI v4.1.4, package: x\n"                                      \
	"plink-check " r " plan 00000000000000ff\n" more "plink-check " r " end\n"
#define ON(r, h) "plink-check " r " node " h "\n"

static struct pl_plan plan;

static void parse_plan(const char *s)
{
	struct pl_text text;

	pl_text_copy(&text, "plan", s, strlen(s), NULL);
	pl_plan_parse(&plan, &text, NULL);
	pl_text_fini(&text);
}

static struct pl_mpi mpi = {.kind = PL_MPI_OPENMPI_4, .name = "Open MPI 4.1.2"};

/* What is wrong with rank 0 of a job that prints this. */
static void check_fault(const char *out, const char *want)
{
	struct pl_check check = {0};
	const struct pl_judge judge = {
		.check = &check, .plan = &plan, .digest = 255, .mpirun = &mpi};
	struct pl_err err = {0};
	int host = -1;

	if (pl_check_parse(&check, out, strlen(out), &err) == 0 && check.n > 0 &&
	    pl_judge_process(&judge, 0, &host, &err) == 0)
		ok(strcmp(want, plan.hosts.v[host].name) == 0, "on %s", want);
	else
		is_str(err.text, want, want);
	pl_check_fini(&check);
}

static void test_faults(void)
{
	parse_plan("# plink-plan 1\nhost 0 a slots=2\nhost 1 b addr=10.0.0.7\n"
		   "host 2 t.a\nhost 3 t.b\n"
		   "order allreduce ring openmpi 0- : 1 0 2 3\n");
	check_fault(ALL_OF("0", "1", ON("0", "a")), "a");
	check_fault("x: " ALL_OF("0", "1", ON("0", "a.org")), "a");
	check_fault(ALL_OF("0", "1", "plink-check 0 named t.b\n"), "t.b");
	check_fault(ALL_OF("0", "1", "plink-check 0 address ::ffff:10.0.0.7\n"), "b");
	check_fault(ALL_OF("0", "1", ON("0", "b") "plink-check 0 address ::ffff:1.2.3.4\n"),
		    "host b was measured at 10.0.0.7, an address that b has not: make a new plan "
		    "or, if it is the same machine, name it in PLINK_HOST");
	check_fault(ALL_OF("0", "1", ON("0", "x")),
		    "the plan has no host with this name or an address of it: name one in "
		    "PLINK_HOST there, or make a plan with it");
	check_fault(ALL_OF("0", "1", "plink-check 0 named x\n"),
		    "PLINK_HOST is \"x\", and the plan has no host of that name");
	check_fault(ALL_OF("0", "1", ON("0", "t")),
		    "several hosts of the plan could be this one, name one in PLINK_HOST");
	check_fault("plink-check 0 start 1\n" ON("0", "a"), "no answer, or not all of it");
	check_fault(ALL_OF("1", "2", ON("1", "a")), "no answer, or not all of it");
	check_fault(ALL_OF("0", "1", "plink-check 0 library-fault x.so: no such file\n"),
		    "cannot load the library: x.so: no such file (--library names it)");
	check_fault(ALL_OF("0", "1", "plink-check 0 plan-fault no plan\n"),
		    "no plan; the launcher's rank 0 must read the plan");
	check_fault(ALL_OF("0", "1", "plink-check 0 plan ab\n"),
		    "the plan there is another one than here: copy this one there");
}

/* The same with an MPI library. */
static void check_mpi(const char *made_for, const char *version, const char *want)
{
	char out[512];

	snprintf(out, sizeof(out),
		 "plink-check 0 start 1\nplink-check 0 plan ff\n%splink-check 0 made-for "
		 "%s\nplink-check 0 mpi %s\n"
		 "plink-check 0 end\n",
		 ON("0", "a"), made_for, version);
	check_fault(out, want);
}

static void test_versions(void)
{
	check_mpi("Open MPI 4", "Open MPI v4.1.9, x", "a");
	check_mpi("Open MPI 4", "Open MPI v4.0.3, x",
		  "the MPI library is \"Open MPI v4.0.3\", and mpirun is Open MPI 4.1.2");
	check_mpi("Open MPI 4", "Open MPI v3.1.2, x",
		  "the MPI library is \"Open MPI v3.1.2\", and what is to be preloaded is made for "
		  "Open MPI 4: --library names another");
	check_mpi("MPICH 4", "MPICH Version:      4.0.2",
		  "the MPI library is \"MPICH Version:      4.0.2\", and mpirun is Open MPI 4.1.2");
	check_fault("plink-check 0 start 1\nplink-check 0 mpi x\n"
		    "plink-check 0 end\n",
		    "the preload library is not plink's: name plink's with --library");
	mpi = (struct pl_mpi){PL_MPI_MPICH, "MPICH's Hydra 4.0.2"};
	check_mpi("MPICH 4", "MPICH Version: 4.1.1", "a");
	check_mpi("MPICH 4", "Intel(R) MPI Library 2021.8 for Linux",
		  "the MPI library is \"Intel(R) MPI Library 2021.8 for Linux\", and what is to be "
		  "preloaded is made for MPICH 4: --library names another");
	check_mpi("Open MPI 4", "Open MPI v4.1.9, x",
		  "the MPI library is \"Open MPI v4.1.9\", and mpirun is MPICH's Hydra 4.0.2");
	mpi = (struct pl_mpi){PL_MPI_OPENMPI_4, "Open MPI 4.1.2"};
}

static void test_verdict(void)
{
	static const char out[] = ALL_OF("2", "3", ON("2", "b"))
		ALL_OF("0", "3", ON("0", "a")) "[1,2]<stdout>:" ALL_OF(
			"1", "3",
			ON("1", "a") "plink-check 1 plan-fault x\n") "a word of mpirun's\n";
	struct pl_check check = {0};
	struct pl_judge judge = {.check = &check, .plan = &plan, .digest = 255, .mpirun = &mpi};
	struct pl_mpirun_verdict v = {0};
	struct pl_err err = {0};

	pl_plan_fini(&plan);
	parse_plan("# plink-plan 1\nhost 0 a slots=2\nhost 1 b\n"
		   "order allreduce ring openmpi 0- : 1 0\n");
	is_int(pl_check_parse(&check, out, sizeof(out) - 1, &err), 0, "answers of a job of three");
	is_str(check.other, "a word of mpirun's\n", "the rest is kept");
	is_int(pl_judge(&judge, &v, &err), 0, "it can follow its plan");
	ok(v.new_rank[0] == 1 && v.new_rank[1] == 2 && v.new_rank[2] == 0 && v.first == 2 &&
		   !v.identity && v.n_without_plan == 1,
	   "its new ranks");
	pl_verdict_fini(&v);
	judge.mode = PL_MPIRUN_SHADOW;
	is_int(pl_judge(&judge, &v, &err), 0, "in shadow mode, too");
	ok(v.identity && v.first == 0 && v.host_of[2] == 1, "ranks stay");
	pl_verdict_fini(&v);
	plan.hosts.v[0].slots = 1;
	ok(pl_judge(&judge, &v, &err) == -1 && v.n == 0, "other slots than the plan's");
	has_str(err.text, "2 ranks of this job run on host a, and the plan says slots=1; Open MPI",
		"are said");
	has_str(err.text, "write \"a slots=1\" there", "with the remedy");
	judge.mode = PL_MPIRUN_WORLD;
	ok(pl_judge(&judge, &v, &err) == -1 && v.n == 0, "in either mode");
	plan.hosts.v[0].slots = 3;
	ok(pl_judge(&judge, &v, &err) == -1 && !strstr(err.text, "write"),
	   "which is another one for fewer ranks");
	judge.mode = PL_MPIRUN_OFF;
	is_int(pl_judge(&judge, &v, &err), 0, "but for none");
	ok(v.identity, "ranks stay there");
	pl_verdict_fini(&v);
	pl_check_fini(&check);
	pl_plan_fini(&plan);
}

/* The same of answers and a verdict. */
static void test_memory_of_answers(void)
{
	static const char out[] =
		ALL_OF("0", "2", ON("0", "a")) ALL_OF("1", "2",
						      "plink-check 1 named b\n"
						      "plink-check 1 address ::1\n");
	bool failed = true;
	size_t live = 0, k;

	parse_plan("# plink-plan 1\nhost 0 a\nhost 1 b\n"
		   "order allreduce ring openmpi 0- : 1 0\n");
	for (k = 0; failed && k < 1000 && live == 0; k++) {
		struct pl_check check = {0};
		const struct pl_judge judge = {
			.check = &check, .plan = &plan, .digest = 255, .mpirun = &mpi};
		struct pl_mpirun_verdict v = {0};

		failalloc_begin(k);
		if (pl_check_parse(&check, out, sizeof(out) - 1, NULL) == 0)
			pl_judge(&judge, &v, NULL);
		pl_verdict_fini(&v);
		pl_check_fini(&check);
		failed = failalloc_end(&live);
	}
	ok(!failed && k > 10 && live == 0, "%zu allocations refused in turn", k - 1);
	pl_plan_fini(&plan);
}

static void test_list(void)
{
	const bool flag[] = {1, 0, 1, 1, 1, 0, 0, 1};
	char buf[32], small[6];

	pl_judge_list(flag, 8, buf, sizeof(buf));
	is_str(buf, "0,2-4,7", "a list of ranks");
	pl_judge_list(flag, 8, small, sizeof(small));
	is_str(small, "0,2-4", "cut where there is no room");
}

int main(void)
{
	test_grammar();
	test_lines();
	test_hydra();
	test_prrte();
	test_stdin();
	test_memory();
	test_faults();
	test_versions();
	test_verdict();
	test_memory_of_answers();
	test_list();
	pl_grammar_fini(&grammar);
	return done_testing();
}

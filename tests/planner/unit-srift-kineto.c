/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-kineto.c - traces of PyTorch's profiler: times, sizes, nonsense, memory */
#include "config.h"

#include "base/json-stream.h"
#include "planner/srift/profile/kineto.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/unit-srift-kineto.XXXXXX";

static void put(const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) == EOF || fclose(f))
		abort();
}

static int take(struct pl_kineto *k, const char *text, struct pl_err *err)
{
	*k = (struct pl_kineto){0};
	*err = (struct pl_err){0};
	put(text);
	return pl_kineto_read(k, path, err);
}

#define SPAN(cat, name, ts, dur)                                                                   \
	"{\"ph\": \"X\", \"cat\": \"" cat "\", \"name\": \"" name "\", \"ts\": " #ts               \
	", \"dur\": " #dur ", \"args\": {"
#define END "}}"
#define OP(name, ts, dur) SPAN("cpu_op", name, ts, dur) END
#define NOTE(name, ts, dur) SPAN("user_annotation", name, ts, dur) END
#define RUN(ts, dur) OP("autograd::engine::evaluate_function: F", ts, dur)
#define GRADIENT(ts, dur, dims, type)                                                              \
	SPAN("cpu_op", "torch::autograd::AccumulateGrad", ts, dur)                                 \
	"\"Input Dims\": [" dims "], \"Input type\": [\"" type "\"]" END
#define MESSAGE(ts, what, n, type)                                                                 \
	SPAN("cpu_op", "record_param_comms", ts, 9)                                                \
	"\"Collective name\": \"" what "\", \"In msg nelems\": " #n ", \"dtype\": \"" type "\"" END
#define LAUNCH(ts, id)                                                                             \
	SPAN("cuda_runtime", "cudaLaunchKernel", ts, 5)                                            \
	"\"correlation\": " #id END
#define KERNEL(name, ts, dur, id) SPAN("kernel", name, ts, dur) "\"correlation\": " #id END

/* forward 20 to 400, backward 400 to 800 us */
#define PASSES                                                                                     \
	NOTE("Optimizer.zero_grad#SGD.zero_grad", 0, 10)                                           \
	"," OP("aten::zero_", 3, 2) "," OP("aten::linear", 20, 300) "," RUN(400, 100) "," RUN(500, \
											      300)
#define STEP NOTE("ProfilerStep#1", 0, 1000)
#define TWO                                                                                        \
	GRADIENT(480, 20, "[10, 10]", "float")                                                     \
	"," GRADIENT(650, 50, "[5]", "c10::Half")

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

static void test_processor(void)
{
	struct pl_kineto k;
	struct pl_err err;

	is_int(take(&k,
		    "{\"x\": {\"traceEvents\": 1}, \"traceEvents\": [" STEP "," TWO "," PASSES
		    "], \"y\": [2]}",
		    &err),
	       0, "parameters' gradients");
	ok(near(k.forward_s, 380e-6) && near(k.backward_s, 400e-6), "both passes: %g, %g",
	   k.forward_s, k.backward_s);
	ok(k.n_gradients == 2 && k.gradient[0].bytes == 400 && k.gradient[1].bytes == 10,
	   "how large they are");
	ok(near(k.gradient[0].finish, 0.25) && near(k.gradient[1].finish, 0.75),
	   "when they are there");
	ok(!k.by_message && !k.unmarked && k.n_steps == 1 && k.n_kernels == 0 && k.straggler == 0,
	   "and what that rests on");
	pl_kineto_fini(&k);

	is_int(take(&k, "[" STEP "," TWO "," PASSES "]", &err), 0, "an array alone");
	pl_kineto_fini(&k);
	is_int(take(&k, "{\"traceEvents\": [" TWO "," PASSES "]}", &err), 0,
	       "no iteration is marked");
	ok(k.unmarked && near(k.forward_s, 380e-6), "it is taken for one");
	pl_kineto_fini(&k);
	is_int(take(&k,
		    "[" NOTE("DistributedDataParallel.forward", 15, 380) "," STEP "," TWO "," PASSES
									 "]",
		    &err),
	       0, "the model's call is told");
	ok(near(k.forward_s, 385e-6), "it begins the forward pass");
	pl_kineto_fini(&k);
}

/* The accelerator is behind: the first kernel ends at 600, the second at
 * 900. */
/* clang-format off */
#define BEHIND STEP "," PASSES ","                                             \
	LAUNCH(100, 1) "," LAUNCH(450, 2) "," LAUNCH(460, 3) ","               \
	KERNEL("gemm", 110, 490, 1) "," KERNEL("gemm", 600, 300, 2) ","

static const char accelerator[] = "[" BEHIND
	KERNEL("ncclKernel_AllReduce_RING", 900, 1100, 3) ","
	MESSAGE(440, "allreduce", 100, "Float") ","
	MESSAGE(480, "allreduce", 7, "BFloat16") ","
	MESSAGE(490, "broadcast", 7, "Float") "]";

/* Its all-reduces are notes with shapes. */
static const char older_torch[] = "[" BEHIND
	KERNEL("ncclDevKernel_AllReduce_Sum", 900, 1100, 3) ","
	SPAN("user_annotation", "nccl:all_reduce", 440, 5)
	"\"Input Dims\": [[100]], \"Input type\": [\"float\"]" END ","
	SPAN("user_annotation", "nccl:all_reduce", 480, 5)
	"\"Input Dims\": [[7, 1]], \"Input type\": [\"c10::BFloat16\"]" END ","
	OP("record_param_comms", 439, 8) "]";
/* clang-format on */

static void test_accelerator(void)
{
	static const char *const texts[] = {accelerator, older_torch};
	struct pl_kineto k;
	struct pl_err err;

	for (size_t i = 0; i < 2; i++) {
		is_int(take(&k, texts[i], &err), 0, i ? "of an older PyTorch" : "an accelerator's");
		ok(near(k.forward_s, 580e-6) && near(k.backward_s, 300e-6),
		   "passes end when kernels do: %g, %g", k.forward_s, k.backward_s);
		ok(k.by_message && k.n_kernels == 2, "NCCL's do not count");
		ok(k.n_gradients == 2 && k.gradient[0].bytes == 400 && k.gradient[1].bytes == 14 &&
			   near(k.gradient[0].finish, 0) && near(k.gradient[1].finish, 1),
		   "all-reduces stand for gradients");
		pl_kineto_fini(&k);
	}
}

/* Adds an iteration at @at us: forward 100, backward @backward, a gradient at the end. */
static size_t add(char *text, size_t len, size_t room, double at, double backward, int numbers,
		  bool marked)
{
	const double from = at + 100;
	int n = snprintf(text + len, room - len,
			 "%s" SPAN("cpu_op", "aten::conv", % g, 50) END
			 "," SPAN("cpu_op", "autograd::engine::evaluate_function: F", % g, % g) END
			 "," SPAN("cpu_op", "torch::autograd::AccumulateGrad", % g,
				  1) "\"Input Dims\": [[%d]], \"Input type\": [\"float\"]" END
				     "," SPAN("user_annotation", "%s", % g, % g) END,
			 len > 1 ? "," : "", at, from, backward, from + backward - 1, numbers,
			 marked ? "ProfilerStep#7" : "Optimizer.step#SGD.step",
			 marked ? at - 1 : from + backward + 1, marked ? backward + 200 : 3);

	return len + (size_t)n;
}

static void test_several(bool marked)
{
	char text[16384] = "[";
	size_t len = 1;
	struct pl_kineto k;
	struct pl_err err;

	len = add(text, len, sizeof(text), 1000, 300, 9, marked);
	for (int i = 0; i < 8; i++)
		len = add(text, len, sizeof(text), 2000 + 1000 * i, (i * 5) % 8 * 10 + 200, 5,
			  marked);
	strcpy(text + len, "]");
	is_int(take(&k, text, &err), 0,
	       marked ? "iterations that are marked" : "by optimizer steps");
	ok(k.n_steps == 8 && k.n_other == 1 && k.n_partial == 0,
	   "one is other than the last: %zu, %zu", k.n_steps, k.n_other);
	ok(near(k.forward_s, 100e-6) && near(k.backward_s, 235e-6), "the middles: %g, %g",
	   k.forward_s, k.backward_s);
	/* quartiles of 300 to 370: 320 and 360; middle 335 */
	ok(near(k.straggler, 40 / 1.349 / 335), "how they differ: %g", k.straggler);
	pl_kineto_fini(&k);
}

#define ITERATION(at, op, back)                                                                    \
	NOTE("ProfilerStep#1", at, 900)                                                            \
	"," OP("aten::conv", op, 50) "," RUN(back, 400) ","

/* The second iteration leaves a layer out, the third has one of its own. */
/* clang-format off */
static const char dynamic[] = "["
	ITERATION(0, 10, 100) GRADIENT(200, 0, "[9]", "float") ","
	GRADIENT(400, 0, "[5]", "float") ","
	ITERATION(1000, 1010, 1100) GRADIENT(1300, 0, "[5]", "float") ","
	ITERATION(2000, 2010, 2100) GRADIENT(2400, 0, "[7]", "float") ","
	ITERATION(3000, 3010, 3100) GRADIENT(3200, 0, "[9]", "float") ","
	GRADIENT(3400, 0, "[5]", "float") "]";
/* clang-format on */

static void test_dynamic(void)
{
	const double batch[] = {8, 16};
	struct pl_profile p;
	struct pl_kineto k[2];
	struct pl_err err;

	is_int(take(&k[0], dynamic, &err), 0, "a layer that may be left out");
	is_int((int64_t)k[0].n_other, 1, "others are left out");
	ok(k[0].n_gradients == 2 && near(k[0].gradient[0].finish, 0.25) &&
		   near(k[0].gradient[1].finish, 0.75),
	   "when each is there, if it is");
	is_int(take(&k[1],
		    "[" STEP "," PASSES
		    "," GRADIENT(480, 20, "[9]", "float") "," GRADIENT(650, 50, "[5]", "float") "]",
		    &err),
	       0, "another batch, one iteration with both");
	is_int(pl_kineto_profile(&p, k, batch, 2, "m", "i", &err), 0, "a profile of both");
	ok(near(p.layer[0].probability, 0.75) && p.layer[1].probability == 1,
	   "in 3 of 4 iterations: %g", p.layer[0].probability);
	pl_profile_fini(&p);
	pl_kineto_fini(&k[0]);
	pl_kineto_fini(&k[1]);
}

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"", 1, 1, "cut off"},
	{"x", 1, 1, "'{' is wanted"},
	{"{\"a\": 1}", 1, 9, "no array \"traceEvents\""},
	{"{\"traceEvents\": 7}", 1, 17, "'[' is wanted"},
	{"{\"a\" 1}", 1, 6, "':' is wanted"},
	{"{\"a\": 1 \"b\"", 1, 9, "',' is wanted"},
	{"{1: 2}", 1, 3, "name of a member is missing"},
	{"[\n{\"a\": \n 1 2}]", 3, 4, "expected near '2'"},
	{"[\n {\"a\": [", 2, 2, "cut off"},
	{"[\n {\"a\": \"", 2, 2, "cut off"},
	{"[\n {}", 2, 4, "cut off"},
	{"[\n {},", 2, 5, "cut off"},
	{"[\n {},]", 2, 5, "expected"},
	{"[{} {}]", 1, 5, "',' is wanted"},
	{"[7]", 1, 2, "not an object"},
	{"[]\n x", 2, 2, "text after the end"},
	{"{\"traceEvents\": [], \"a\": ", 1, 26, "cut off"},
	{"{\"traceEvents\": []", 1, 19, "cut off"},
	{"{\"traceEvents\": [], \"traceEvents\": []}", 1, 36, "comes again"},
	{"[{\"ph\": \"X\", \"ts\": 1}]", 1, 2, "\"ts\" and \"dur\""},
	{"[{\"ph\": \"X\", \"ts\": 1, \"dur\": -1}]", 1, 2, "\"ts\" and"},
	{"[{\"ph\": \"X\", \"ts\": 1e30, \"dur\": 1}]", 1, 2, "\"ts\" and"},
	{"[]", 0, 0, "no backward pass: none of its 0 events"},
	{"[" OP("aten::linear", 1, 2) "]", 0, 0, "no backward pass: none of its 1 events"},
	{"[" RUN(3, 4) "]", 0, 0, "no iteration with a forward"},
	{"[" STEP "," PASSES "]", 0, 0, "it has no sizes of gradients"},
	{"[" STEP "," PASSES "," GRADIENT(500, 5, "[9]", "complex") "]", 0, 0,
	 "the size of elements \"complex\""},
	{"[" STEP "," PASSES "," GRADIENT(500, 5, "[9]", "float") "," GRADIENT(
		 510, 5, "[999999999, 999999999]", "float") "]",
	 0, 0, "it has no sizes of"},
	{"[" STEP "," PASSES "," MESSAGE(500, "_reduce_scatter_base", 4, "Float") "]", 0, 0,
	 "not exchanged by all-reduces"},
	{"[" STEP "," PASSES "," MESSAGE(500, "allreduce", -4, "Float") "]", 0, 0,
	 "it has no sizes of"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pl_kineto k;
		struct pl_err err;
		const int rc = take(&k, bad[i].text, &err);

		if (!ok(rc == -1 && err.code == PL_EINPUT && err.line == bad[i].line &&
				err.col == bad[i].col && !k.gradient,
			"nonsense %zu is refused: %s", i, bad[i].part))
			printf("# %d %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		has_str(err.text, bad[i].part, "it says why");
	}
}

/* Events that are no JSON, among those that count. */
static void test_damaged(void)
{
	static const struct {
		const char *event;
		long col; /* of the first fault; 0: nothing is left out */
	} odd[] = {
		{"{\"ph\": \"M\", \"name\": \"\x01\xff\\q\nb\", \"a\": [inf, N/A, "
		 "18446744073709551615]}",
		 0},
		{"{\"ph\": \"M\", \"name\": \"a\"b\"c\"}", 24},
		{"{\"ph\": \"M\", \"name\": \"a\"b\", \"args\": {}}", 1},
		{"{\"ph\": \"X\", \"ts\": 1, \"dur\": inf}", 1},
	};

	for (size_t i = 0; i < 3 * sizeof(odd) / sizeof(odd[0]); i++) {
		const char *event = odd[i / 3].event;
		struct pl_kineto k;
		struct pl_err err;
		char text[4096];

		snprintf(text, sizeof(text), "[\n%s%s" STEP "," TWO "%s%s," PASSES "%s%s]",
			 i % 3 == 0 ? event : "", i % 3 == 0 ? ",\n" : "", i % 3 == 1 ? ",\n" : "",
			 i % 3 == 1 ? event : "", i % 3 == 2 ? ",\n" : "", i % 3 == 2 ? event : "");
		is_int(take(&k, text, &err), 0, "odd events are no fault of the file");
		ok(k.n_gradients == 2 && near(k.backward_s, 400e-6), "all others count");
		ok(odd[i / 3].col ? k.damage.col == odd[i / 3].col : !k.damage.code,
		   "what is left out is told: %ld:%ld: %s", k.damage.line, k.damage.col,
		   k.damage.text);
		pl_kineto_fini(&k);
	}
}

/* An event longer than what is read at once, and many. */
static void test_long(void)
{
	const size_t room = (size_t)1 << 20;
	char *text = malloc(room);
	struct pl_json_stream *s;
	struct pl_err err = {0};
	json_t *value = NULL;
	size_t len = 2, n = 0;
	int rc;

	strcpy(text, "[\"");
	memset(text + len, 'x', 200000);
	len += 200000;
	text[len++] = '"';
	while (len < room - 100)
		len += (size_t)sprintf(text + len, ",\n[%zu, \"]\\\"[\"]", n++);
	strcpy(text + len, "]");
	put(text);
	s = pl_json_stream_open(path, "none", &err);
	rc = s ? pl_json_stream_next(s, &value, &err) : -1;
	ok(rc == 1 && json_string_length(value) == 200000, "a long element");
	json_decref(value);
	for (size_t i = 0; rc == 1; i++) {
		value = NULL;
		rc = pl_json_stream_next(s, &value, &err);
		if (rc == 1 && (json_integer_value(json_array_get(value, 0)) != (json_int_t)i ||
				pl_json_stream_place(s).line != (long)i + 2))
			rc = -1;
		else if (rc == 0)
			ok(i == n, "all %zu elements, and their lines", n);
		json_decref(value);
	}
	is_int(rc, 0, "and then the end");
	pl_json_stream_close(s);
	free(text);
}

static void test_profile(void)
{
	const double batch[] = {8, 16};
	struct pl_kineto k[2];
	struct pl_profile p, again = {0};
	struct pl_err err = {0};
	FILE *f;

	take(&k[0], "[" STEP "," TWO "," PASSES "]", &err);
	take(&k[1], "[" STEP "," TWO "," PASSES "," RUN(800, 100) "]", &err);
	is_int(pl_kineto_profile(&p, k, batch, 2, "m", "i", &err), 0, "a profile of two traces");
	f = fopen(path, "w");
	is_int(pl_profile_write(&p, f, &err), 0, "it is written");
	fclose(f);
	is_int(pl_profile_read(&again, path, &err), 0, "and read");
	ok(again.n_layers == 2 && again.layer[1].bytes == 10 && again.instance[0].backward.n == 2 &&
		   near(again.instance[0].backward.t_s[1], 500e-6) &&
		   near(again.instance[0].forward.t_s[0], 380e-6) &&
		   near(again.instance[0].finish[0], 0.2),
	   "it says the same");
	pl_profile_fini(&again);
	p.model[0] = '\xff';
	f = fopen("/dev/null", "w");
	ok(pl_profile_write(&p, f, &err) == -1 && err.code == PL_EUSAGE,
	   "a name that is no UTF-8 is refused");
	fclose(f);
	pl_profile_fini(&p);
	k[1].gradient[1].bytes++;
	ok(pl_kineto_profile(&p, k, batch, 2, "m", "i", &err) == -1 && err.code == PL_EINPUT &&
		   !p.layer,
	   "gradients of other sizes are refused");
	has_str(err.text, "gradient 2 has 10 bytes with 8", "it says which");
	k[1].n_gradients = 1;
	ok(pl_kineto_profile(&p, k, batch, 2, "m", "i", &err) == -1,
	   "so is another number of them");
	pl_kineto_fini(&k[0]);
	pl_kineto_fini(&k[1]);
}

static void test_memory(void)
{
	const double batch = 8;
	bool failed = true, clean = true;
	size_t k;

	put("[" STEP "," TWO "," PASSES "," LAUNCH(1, 1) "," KERNEL("gemm", 2, 3, 1) "]");
	for (k = 0; failed; k++) {
		struct pl_kineto trace = {0};
		struct pl_profile p = {0};
		struct pl_err err = {0};
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = pl_kineto_read(&trace, path, &err);
		if (rc == 0)
			rc = pl_kineto_profile(&p, &trace, &batch, 1, "m", "i", &err);
		pl_profile_fini(&p);
		pl_kineto_fini(&trace);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0) == !failed && (rc == 0 || err.code == PL_ESYSTEM);
	}
	ok(clean && k > 10, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	const int fd = mkstemp(path);

	if (fd < 0)
		return 99;
	close(fd);
	test_nonsense();
	test_damaged();
	test_processor();
	test_accelerator();
	test_several(true);
	test_several(false);
	test_dynamic();
	test_long();
	test_profile();
	test_memory();
	unlink(path);
	return done_testing();
}

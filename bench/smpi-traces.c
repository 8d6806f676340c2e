/* SPDX-License-Identifier: BSD-3-Clause */
/* smpi-traces.c - for bench/smpi: all-reduces of Open MPI as traces that SimGrid replays */
#include "config.h"

#include "bench/options.h"

#include "costmodels/catalogue.h"
#include "predict/protocol.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <stdio.h>

#define TOOL "smpi-traces"
#define FLOPS 1e9 /* of a host, in a second */

static const char help[] =
	"usage: smpi-traces --ranks=N --algorithm=NAME --size=BYTES --to=PREFIX [OPTION]...\n"
	"Writes what each rank does in all-reduces to files PREFIX0, PREFIX1, ..., for\n"
	"smpirun -replay: the messages and the steps that plink-order predicts by. A\n"
	"second of computing is 1e9 flops.\n"
	"\n"
	"  --calls=N  one after the other (1)\n"
	"  --help, --version\n";

struct args {
	int64_t ranks, size, calls;
	const char *algorithm, *to;
};

/* Of one rank. Each message has a tag of its own: a trace tells requests apart by them. */
struct trace {
	FILE *f;
	const struct pl_pattern *p;
	const struct pl_protocol *protocol;
	size_t first_tag; /* of the call */
	uint32_t pos;
};

static void write_work(const struct trace *t, uint32_t step)
{
	const struct pl_protocol *proto = t->protocol;

	for (size_t i = 0; i < t->p->n_work; i++) {
		const struct pl_work *w = &t->p->work[i];

		if (w->pos == t->pos && w->step == step)
			fprintf(t->f, "%u compute %.0f\n", t->pos,
				FLOPS * (proto->reduce_s_per_byte * (double)w->reduce_bytes +
					 proto->copy_s_per_byte * (double)w->copy_bytes +
					 w->compute_s));
	}
}

static void write_recvs(const struct trace *t, uint32_t step, bool wait)
{
	for (size_t i = t->p->into[t->pos]; i < t->p->into[t->pos + 1]; i++) {
		const struct pl_message *m = &t->p->message[t->p->received[i]];
		const size_t tag = t->first_tag + t->p->received[i];

		if (wait && m->received_step == step)
			fprintf(t->f, "%u wait %u %u %zu\n", t->pos, m->src, t->pos, tag);
		if (!wait && m->recv_step == step)
			fprintf(t->f, "%u irecv %u %zu %" PRIu64 "\n", t->pos, m->src, tag,
				m->bytes);
	}
}

static void write_sends(const struct trace *t, uint32_t step, bool wait)
{
	for (size_t i = t->p->from[t->pos]; i < t->p->from[t->pos + 1]; i++) {
		const struct pl_message *m = &t->p->message[i];
		const size_t tag = t->first_tag + i;

		if (wait && m->sent_step == step)
			fprintf(t->f, "%u wait %u %u %zu\n", t->pos, t->pos, m->dst, tag);
		if (!wait && m->send_step == step)
			fprintf(t->f, "%u isend %u %zu %" PRIu64 "\n", t->pos, m->dst, tag,
				m->bytes);
	}
}

static int write_rank(struct trace *t, const struct args *args, struct pl_err *err)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s%u", args->to, t->pos);
	t->f = fopen(name, "w");
	if (!t->f)
		return pl_err_errno(err, "%s", name);
	fprintf(t->f, "%u init\n", t->pos);
	for (size_t call = 0; call < (size_t)args->calls; call++) {
		t->first_tag = call * t->p->n_messages;
		for (uint32_t step = 0; step <= t->p->n_steps[t->pos]; step++) {
			write_work(t, step);
			write_recvs(t, step, false);
			write_sends(t, step, false);
			write_sends(t, step, true);
			write_recvs(t, step, true);
		}
	}
	fprintf(t->f, "%u finalize\n", t->pos);
	return fclose(t->f) ? pl_err_errno(err, "%s", name) : 0;
}

static int run(const struct args *args, struct pl_err *err)
{
	const struct pl_call call = {.n_pos = (size_t)args->ranks, .bytes = (uint64_t)args->size};
	struct pl_protocol protocol;
	struct pl_pattern p;
	struct trace t = {.p = &p, .protocol = &protocol};
	size_t radix;
	const struct pl_algorithm *a =
		pl_catalogue_find(PL_ALLREDUCE, PL_OPENMPI, args->algorithm, &radix, err);
	int rc = 0;

	if (!a || pl_protocol_of(a, radix, &protocol, err) ||
	    pl_algorithm_pattern(a, &call, &p, err))
		return -1;
	for (; rc == 0 && t.pos < p.n_pos; t.pos++)
		rc = write_rank(&t, args, err);
	pl_pattern_fini(&p);
	return rc;
}

int main(int argc, char **argv)
{
	struct args args = {.calls = 1, .algorithm = "", .to = ""};
	const struct bench_option options[] = {
		{"ranks", .whole = &args.ranks, .least = 2, .most = 1024},
		{"algorithm", .text = &args.algorithm},
		{"size", .whole = &args.size, .least = 4, .most = INT64_C(1) << 30},
		{"calls", .whole = &args.calls, .least = 1, .most = 1000},
		{"to", .text = &args.to},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	struct pl_err err = {0};

	if (status >= 0)
		return status;
	if (!args.ranks || !args.size || !*args.algorithm || !*args.to)
		return pl_tool_usage(TOOL, "--ranks, --size, --algorithm and --to are needed");
	return run(&args, &err) ? pl_tool_fail(TOOL, &err) : PL_EXIT_DONE;
}

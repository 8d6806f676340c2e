/* SPDX-License-Identifier: BSD-3-Clause */
/* options-check.c - options of plink-order that contradict each other */
#include "config.h"

#include "src/order/format/format.h"
#include "src/order/options.h"

#include "base/hosts/hosts-slurm.h"
#include "base/text/path.h"
#include "costmodels/catalogue.h"
#include "report/report.h"
#include "report/text.h"
#include "src/order/library.h"
#include "src/order/schedule-candidates.h"
#include "src/order/setting.h"

#include <string.h>

static bool is_stdio(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

/* How many inputs are standard input? */
static int n_from_stdin(const struct pl_reorder_options *o)
{
	return is_stdio(o->hosts) + is_stdio(o->matrix) + is_stdio(o->topology) +
	       is_stdio(o->groups) + is_stdio(o->resume) + is_stdio(o->cost_of) +
	       is_stdio(o->request.stats) + is_stdio(o->schedule) + is_stdio(o->job);
}

/* Are two of the outputs the same? NULL stands for none. */
static bool shared_output(const struct pl_reorder_options *o)
{
	const char *const to[] = {o->output ? o->output : "-", o->plan, o->save_matrix, o->rules,
				  o->report};

	for (size_t i = 0; i < sizeof(to) / sizeof(*to); i++)
		for (size_t j = 0; j < i; j++)
			if (pl_same_file(to[i], to[j]) || (is_stdio(to[i]) && is_stdio(to[j])))
				return true;
	return false;
}

/* Would an output replace the measurements? A host list may be replaced by its order. */
static bool replaces_input(const struct pl_reorder_options *o)
{
	const char *const to[] = {o->output, o->plan, o->save_matrix, o->rules, o->report};
	const char *const from[] = {o->matrix,  o->topology, o->groups, o->request.stats,
				    o->cost_of, o->schedule, o->job};

	for (size_t i = 0; i < sizeof(to) / sizeof(*to); i++)
		for (size_t j = 0; j < sizeof(from) / sizeof(*from); j++)
			if (pl_same_file(to[i], from[j]))
				return true;
	return false;
}

bool pl_reorder_writes_rules(const struct pl_reorder_options *o)
{
	return o->rules || o->format == PL_FORMAT_OMPI_RULES;
}

bool pl_reorder_wants_rates(const struct pl_reorder_options *o)
{
	bool sized = o->request.stats || o->job;

	for (size_t i = 0; i < o->request.n_sizes; i++)
		sized = sized || o->request.size_bytes[i] > PL_ORDER_FRAME_BYTES;
	return !o->rtt_only && ((sized && (pl_order_request_promises(&o->request) ||
					   o->request.for_job || pl_reorder_predicts(o))) ||
				o->format == PL_FORMAT_SCHEDULE);
}

bool pl_reorder_predicts(const struct pl_reorder_options *o)
{
	return o->predict || pl_reorder_writes_rules(o);
}

bool pl_reorder_draws(const struct pl_reorder_options *o, size_t n)
{
	return o->report || (!o->job && o->terminal.color && n <= PL_TEXT_MAP_HOSTS && !o->cost_of);
}

static bool several_collectives(const struct pl_reorder_options *o)
{
	return o->request.names.collective && strchr(o->request.names.collective, ',');
}

/* Every collective of a list must be known and occur once. The first one that has a size stands for
 * all of them. */
static int find_collectives(struct pl_reorder_options *o, struct pl_err *err)
{
	const char *list = o->request.names.collective, *rest = list;
	char one[PL_ORDER_NAME_CHARS];
	unsigned long seen = 0;

	if (o->request.names.algorithm)
		return pl_err_set(err, PL_EUSAGE,
				  "--algorithm is for one collective: give only one --collective");
	while (pl_order_next_name(&rest, one)) {
		struct pl_order_algorithm what = o->request.what;
		struct pl_order_names names = o->request.names;
		unsigned long bit;

		names.collective = one;
		if (pl_order_algorithm_find(&what, &names, err))
			return -1;
		bit = 1UL << what.a->collective;
		if (seen & bit)
			return pl_err_set(err, PL_EUSAGE, "--collective=%s: %s twice", list, one);
		if (!seen || o->request.what.a->collective == PL_BARRIER)
			o->request.what = what;
		seen |= bit;
	}
	return 0;
}

/* Does --algorithm name an all-reduce of the engine's own? Not one of the library that was named.
 * The order is then for what the library takes. */
static void find_schedule(struct pl_reorder_options *o)
{
	struct pl_order_algorithm what = {.a = NULL};
	struct pl_order_names *names = &o->request.names;
	struct pl_err none = {0};

	if (o->format != PL_FORMAT_SCHEDULE || !names->algorithm ||
	    !pl_reorder_is_own(names->algorithm) ||
	    (names->impl && pl_order_algorithm_find(&what, names, &none) == 0))
		return;
	o->own_schedule = names->algorithm;
	names->algorithm = NULL;
}

static int find_what(struct pl_reorder_options *o, struct pl_err *err)
{
	struct pl_order_names names = o->request.names;

	pl_reorder_library_find(o, &names);
	return several_collectives(o) ? find_collectives(o, err)
				      : pl_order_algorithm_find(&o->request.what, &names, err);
}

/* The algorithm, and the size that the order is for. */
static int find_algorithm(struct pl_reorder_options *o, struct pl_err *err)
{
	o->request.for_job = o->job != NULL;
	find_schedule(o);
	if (find_what(o, err))
		return -1;
	o->request.what.has_size = o->request.n_sizes == 1 || (o->request.n_sizes && o->cost_of);
	o->request.what.bytes = o->request.size_bytes[0];
	for (size_t i = 1; i < o->request.n_sizes && o->cost_of; i++)
		if (o->request.size_bytes[i] > o->request.what.bytes)
			o->request.what.bytes = o->request.size_bytes[i];
	o->request.tables = pl_reorder_predicts(o);
	o->request.full_prediction = o->predict;
	if (o->request.n_sizes == 0 && (pl_order_request_promises(&o->request) || o->predict))
		pl_order_request_usual(&o->request);
	return pl_order_algorithm_check(&o->request.what, err);
}

/* Is there no algorithm to be predicted that sends segments? */
static bool cuts_nothing(const struct pl_reorder_options *o)
{
	const bool all = pl_reorder_writes_rules(o) || (o->predict && !o->request.names.algorithm);
	const struct pl_algorithm *a;

	if (!all)
		return !o->request.what.a->takes_segment;
	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		if (pl_algorithm_same_function(a, o->request.what.a) && a->takes_segment)
			return false;
	return true;
}

/* Has the user asked for what NCCL takes? */
static bool asks_nccl(const struct pl_reorder_options *o)
{
	return o->request.what.a->impl == PL_NCCL && o->request.what.has_size;
}

/* Is an option given that is about the order to be found? */
static bool orders(const struct pl_reorder_options *o)
{
	return o->verify || o->plan || o->request.pin || o->request.not_first || o->has_min_gain ||
	       o->request.has_moves;
}

/* An option that contradicts --predict and rules; NULL: none. */
static const char *unfit_prediction(const struct pl_reorder_options *o)
{
	if (pl_reorder_predicts(o) && o->topology && !o->matrix)
		return "--predict and rules need measurements: give a --matrix with --topology";
	if (!pl_reorder_predicts(o) && !pl_order_request_promises(&o->request) &&
	    (o->request.uplink_bps > 0 || (o->request.nic_bps > 0 && !asks_nccl(o))))
		return "--nic and --uplink have an effect only where times are predicted, so not "
		       "with --impl=thesis, --impl=nccl or --choose (except --nic with --impl=nccl "
		       "and a --size)";
	if (!o->predict && !pl_order_request_promises(&o->request) &&
	    (o->request.n_sizes > 1 || o->request.stats || several_collectives(o)))
		return "several sizes, several collectives and --stats work only where times are "
		       "predicted: not with --impl=thesis, --impl=nccl or --choose";
	if (o->request.stats && (o->request.n_sizes > 0 && !o->request.usual_sizes))
		return "--stats gives the sizes: it cannot be combined with --size";
	if (o->request.stats && (o->request.names.collective || o->request.names.algorithm))
		return "--stats gives the collectives, with the algorithms of the library: it "
		       "cannot be combined with --collective or --algorithm";
	if (o->request.accept_loss > 0 && (!pl_order_request_promises(&o->request) || o->cost_of))
		return "--accept-loss needs predicted times: it cannot be combined with "
		       "--impl=thesis, --impl=nccl, --choose or --cost-of";
	if (o->predict && (o->cost_of || o->verify || o->request.time_ns))
		return "--predict cannot be combined with --cost-of, --verify or --time";
	if (o->predict && o->has_format && o->format != PL_FORMAT_JSON)
		return "--predict writes a table, or --json; the order goes to --plan=FILE";
	if (o->schedule &&
	    (orders(o) || pl_reorder_writes_rules(o) || o->report || o->request.names.algorithm ||
	     (o->request.names.impl && !o->guessed_impl) || o->request.names.collective))
		return "--predict=FILE is about the schedule in FILE: it cannot be combined with "
		       "--collective, --impl, --algorithm, --report, rules and options for an "
		       "order";
	if (pl_reorder_predicts(o) && o->request.choose)
		return "--choose cannot be combined with --predict or rules: predict for the "
		       "chosen hosts";
	if (pl_reorder_predicts(o) && o->request.method != PL_METHOD_SEARCH)
		return "--predict and rules can only be combined with --method=search";
	if (pl_reorder_writes_rules(o) && (o->cost_of || o->request.time_ns))
		return "rules cannot be combined with --cost-of or --time";
	if (pl_reorder_writes_rules(o) && o->request.what.a->impl != PL_OPENMPI)
		return "rules are Open MPI's: --impl=openmpi";
	if (o->request.stats && pl_reorder_predicts(o))
		return "--predict and rules are for one collective: name it instead of --stats";
	if (o->rules && o->format == PL_FORMAT_OMPI_RULES)
		return "either --rules or --format=ompi-rules";
	return NULL;
}

/* An option that contradicts schedules, or has an effect on them alone; NULL: none. */
static const char *unfit_schedule(const struct pl_reorder_options *o)
{
	const bool named = o->request.names.algorithm != NULL;

	if (o->format != PL_FORMAT_SCHEDULE)
		return o->groups || o->connections || o->tune || o->aggregators
			       ? "--groups, --connections, --aggregators and --tune have an "
				 "effect only with --format=schedule"
			       : NULL;
	if (o->aggregators && o->tune)
		return "schedules with --aggregators cannot --tune";
	if (o->aggregators && (o->request.choose || o->job))
		return "--aggregators cannot be combined with --choose and --job";
	if (o->own_schedule && !o->aggregators && pl_reorder_needs_hubs(o->own_schedule))
		return "--algorithm=hubs and hub-racks need --aggregators";
	if (named && o->request.what.a->collective != PL_ALLREDUCE)
		return "schedules are of all-reduces: --format=schedule cannot be combined with an "
		       "--algorithm of another collective";
	if (!o->matrix && !o->groups && is_stdio(o->topology))
		return "--format=schedule reads --topology twice: it cannot be standard input";
	if (named && o->groups)
		return "--groups has an effect only on --algorithm=two-level, levels, sharded or "
		       "best";
	return NULL;
}

/* An option that contradicts --job; NULL: none. */
static const char *unfit_job(const struct pl_reorder_options *o)
{
	const struct pl_order_request *q = &o->request;

	if (!o->job)
		return NULL;
	if (q->names.collective || q->names.algorithm || q->stats ||
	    (q->n_sizes > 0 && !q->usual_sizes) || q->what.segment_bytes || q->what.root)
		return "--job gives the calls: it cannot be combined with --collective, "
		       "--algorithm, --size, --segment, --root or --stats";
	if (q->pin || q->not_first || q->choose || q->accept_loss > 0 ||
	    q->method != PL_METHOD_SEARCH || q->has_bound)
		return "--job cannot be combined with --pin, --not-first, --choose, --accept-loss, "
		       "--method or --bound";
	if (pl_reorder_predicts(o) || o->format == PL_FORMAT_SCHEDULE)
		return "--job cannot be combined with --predict, rules or --format=schedule";
	return NULL;
}

/* An option that contradicts the output format; NULL: none. */
static const char *unfit_format(const struct pl_reorder_options *o)
{
	const struct pl_reorder_form *form = pl_reorder_form(o->format);

	if (o->job_port && !(form->flags & PL_FORM_JOB_PORT))
		return "--job-port has an effect only with --format=lightgbm, torchrun or pdsh";
	if (o->verify && !(form->flags & PL_FORM_VERIFIED))
		return "--verify starts mpirun, or srun with --format=slurm: it knows no other "
		       "launcher";
	if (o->plan_costs && !o->plan && o->format != PL_FORMAT_PLAN)
		return "--plan-costs has an effect only with --plan or --format=plan";
	if (o->rules && form->launcher && o->format != PL_FORMAT_SLURM)
		return "rules are Open MPI's: --rules cannot be combined with formats for other "
		       "launchers";
	return NULL;
}

/* Options that start agents, or keep what they measure. */
static const char *unfit_probing(const struct pl_reorder_options *o)
{
	const bool starting = o->launch || o->agent || o->push || o->iface || o->ports.min ||
			      o->fanout || o->resume;

	if (o->matrix && (starting || o->save_matrix))
		return "--launch, --agent, --push, --iface, --ports, --fanout, --resume "
		       "and --save-matrix cannot be combined with --matrix";
	if (o->topology && !o->matrix && starting)
		return "--launch, --agent, --push, --iface, --ports, --fanout and --resume "
		       "cannot be combined with --topology, which replaces probing";
	if (o->topology_label && !o->topology)
		return "--topology-label is of the file of --topology, which is missing";
	if (o->push && o->agent)
		return "--push and --agent cannot be combined: one sends the agent, the other "
		       "names one that is there";
	return NULL;
}

/* What is read, and options about it. */
static const char *unfit_inputs(const struct pl_reorder_options *o)
{
	if (!o->hosts && !o->matrix)
		return "no HOSTS and no --matrix";
	if (pl_hosts_are_slurms(o->hosts) && o->hosts_form == PL_HOSTS_SEQ)
		return "--hosts-format=seq is for files: slurm lists each host of the job once, "
		       "with its slots";
	if (n_from_stdin(o) > 1)
		return "only one of --matrix, --topology, --groups, --stats, --job, --resume, "
		       "--cost-of, --predict and HOSTS can be -";
	return NULL;
}

static const char *unfit_outputs(const struct pl_reorder_options *o)
{
	if (shared_output(o))
		return "--output, --plan, --report, --rules and --save-matrix must differ";
	if (replaces_input(o))
		return "--matrix, --topology, --groups, --stats, --job, --cost-of and --predict "
		       "are read: no output may replace them";
	if (o->report && o->cost_of)
		return "--cost-of cannot be combined with --report: plink-report draws any plan";
	return NULL;
}

/* How the order is searched, or that there is none to be found. */
static const char *unfit_search(const struct pl_reorder_options *o)
{
	if (o->request.time_ns && o->request.has_moves)
		return "either --time or --moves";
	if (o->request.choose && o->hosts_form == PL_HOSTS_SEQ)
		return "--choose takes whole hosts, not the ranks of --hosts-format=seq";
	if (o->cost_of && orders(o))
		return "--cost-of cannot be combined with --verify, --plan, --pin, --not-first, "
		       "--min-gain or --moves";
	if (o->cost_of && o->format != PL_FORMAT_HOSTFILE && o->format != PL_FORMAT_JSON)
		return "--cost-of writes a number, or --json";
	return NULL;
}

/* The first that finds fault says why. */
static int check_files(const struct pl_reorder_options *o, struct pl_err *err)
{
	const char *unfit = unfit_inputs(o);

	if (!unfit)
		unfit = unfit_probing(o);
	if (!unfit)
		unfit = unfit_outputs(o);
	if (unfit)
		return pl_err_set(err, PL_EUSAGE, "%s", unfit);
	if (o->report && pl_report_check_path("--report", o->report, err))
		return -1;
	unfit = unfit_search(o);
	return unfit ? pl_err_set(err, PL_EUSAGE, "%s", unfit) : 0;
}

int pl_reorder_options_check(struct pl_reorder_options *o, struct pl_err *err)
{
	const char *unfit;

	if (find_algorithm(o, err) || check_files(o, err))
		return -1;
	if (o->request.choose && o->request.method != PL_METHOD_SEARCH)
		return pl_err_set(err, PL_EUSAGE,
				  "--choose can only be combined with --method=search");
	if (o->request.method == PL_METHOD_EXACT && !o->request.has_bound)
		o->request.bound = PL_BOUND_FULL;
	if (o->request.what.segment_bytes && cuts_nothing(o))
		return pl_err_set(err, PL_EUSAGE,
				  "--segment has no effect: %s (%s) sends no segments",
				  o->request.what.name, pl_impl_name(o->request.what.a->impl));
	unfit = unfit_prediction(o);
	if (!unfit)
		unfit = unfit_format(o);
	if (!unfit)
		unfit = unfit_schedule(o);
	if (!unfit)
		unfit = unfit_job(o);
	return unfit ? pl_err_set(err, PL_EUSAGE, "%s", unfit) : 0;
}

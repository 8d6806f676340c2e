/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-srift predict */
#include "config.h"

#include "src/srift/options.h"

#include "base/text/number.h"
#include "base/text/path.h"
#include "base/text/size.h"
#include "src/common/tool.h"
#include "src/srift/verbs.h"

#include <math.h>
#include <string.h>

const char *const srift_data_name[] = {
	[PL_DATA_MEMORY] = "memory",
	[PL_DATA_STORAGE] = "storage",
	[PL_DATA_NONE] = "none",
	NULL,
};

/* A file of several. */
static int add_file(const char **file, size_t *n, size_t most, const struct pl_option *option,
		    const char *value, struct pl_err *err)
{
	if (!*value)
		return pl_err_set(err, PL_EUSAGE, "--%s is empty", option->name);
	if (*n == most)
		return pl_err_set(err, PL_EUSAGE, "--%s: more than %zu", option->name, most);
	file[(*n)++] = value;
	return 0;
}

int srift_take_profile(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err)
{
	struct srift_options *to = o;

	return add_file(to->profile, &to->n_profiles, SRIFT_PROFILES_MAX, option, value, err);
}

int srift_take_table(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct srift_options *to = o;

	return add_file(to->table, &to->n_tables, SRIFT_TABLES_MAX, option, value, err);
}

int srift_take_plan(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct srift_options *to = o;

	return add_file(to->plan, &to->n_plans, SRIFT_PLANS_MAX, option, value, err);
}

int srift_take_history(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err)
{
	struct srift_histories *to = pl_option_to(o, option);

	return add_file(to->file, &to->n, SRIFT_HISTORIES_MAX, option, value, err);
}

int srift_take_cap(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct srift_options *to = o;

	if (pl_take_rate(o, option, value, err))
		return -1;
	to->iteration.cap_bytes_per_s /= 8;
	return 0;
}

int srift_take_straggler(void *o, const struct pl_option *option, const char *value,
			 struct pl_err *err)
{
	struct srift_options *to = o;

	if (!pl_double_parse(value, strlen(value), &to->straggler) && to->straggler >= 0 &&
	    to->straggler <= 1)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "--%s wants a share from 0 to 1, not \"%s\"",
			  option->name, value);
}

/* "1M,25M" */
int srift_take_buckets(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err)
{
	struct srift_options *to = o;
	struct pl_bucket_rule *rule = &to->iteration.buckets;
	const size_t len = value ? strcspn(value, ",") : 0;

	*rule = (struct pl_bucket_rule){PL_DDP_FIRST_BYTES, PL_DDP_BUCKET_BYTES};
	if (!value || (value[len] && !pl_size_parse(value, len, &rule->first_bytes) &&
		       !pl_size_parse(value + len + 1, strlen(value + len + 1), &rule->bytes) &&
		       rule->first_bytes && rule->bytes))
		return 0;
	return pl_err_set(err, PL_EUSAGE, "--%s wants two sizes like 1M,25M, not \"%s\"",
			  option->name, value);
}

int srift_take_list(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct srift_list *list = pl_option_to(o, option);
	const char *s = value;
	int64_t x = (int64_t)option->min - 1;

	for (list->n = 0; list->n < SRIFT_LIST_MAX;) {
		const size_t len = strcspn(s, ",");

		if (pl_int_parse(s, len, x + 1, (int64_t)option->max, &x))
			break;
		list->v[list->n++] = (size_t)x;
		if (!s[len])
			return 0;
		s += len + 1;
	}
	return pl_err_set(
		err, PL_EUSAGE,
		"--%s wants up to %d whole numbers from %llu on that ascend, as 2,4,8, not \"%s\"",
		option->name, SRIFT_LIST_MAX, (unsigned long long)option->min, value);
}

/* "0,1,2", or "auto" */
int srift_take_hubs(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct srift_options *to = o;

	to->hub.number.n = 0;
	to->hub.any = strcmp(value, "auto") == 0;
	return to->hub.any ? 0 : srift_take_list(o, option, value, err);
}

bool srift_has_hubs(const struct srift_options *o)
{
	return o->hub.any || o->hub.number.n > 0;
}

/* clang-format off */
static const struct pl_option table[] = {
	SRIFT_JOB_ROWS,
	SRIFT_BATCH_ROW,
	{"machines", required_argument, 0, pl_take_text, SRIFT_AT(machines)},
	{"job", required_argument, 0, pl_take_filled, SRIFT_AT(job)},
	{"price", required_argument, 0, pl_take_text, SRIFT_AT(prices)},
	SRIFT_NETWORK_ROWS,
	SRIFT_HUB_ROWS,
	{"trace", required_argument, 0, pl_take_filled, SRIFT_AT(trace)},
	{0},
};
/* clang-format on */

int srift_options_spare(const struct srift_options *o, const char *output)
{
	const char *const from[] = {o->matrix, o->learned, o->job};
	int status = PL_EXIT_DONE;

	for (size_t k = 0; !status && k < o->n_tables; k++)
		status = pl_tool_spares(SRIFT_TOOL, output, o->table[k]);
	for (size_t k = 0; !status && k < o->n_plans; k++)
		status = pl_tool_spares(SRIFT_TOOL, output, o->plan[k]);
	for (size_t k = 0; !status && k < o->n_profiles; k++)
		status = pl_tool_spares(SRIFT_TOOL, output, o->profile[k]);
	for (size_t k = 0; !status && k < sizeof(from) / sizeof(from[0]); k++)
		status = pl_tool_spares(SRIFT_TOOL, output, from[k]);
	return status;
}

/* An output must not replace what is read, nor the other one. */
static int check_files(const struct srift_options *o)
{
	int status;

	if (pl_same_file(o->output, o->trace))
		return srift_usage("--output and --trace are the same file");
	status = srift_options_spare(o, o->output);
	return status ? status : srift_options_spare(o, o->trace);
}

static int check_hubs(const struct srift_options *o)
{
	const struct srift_hub_options *h = &o->hub;

	if (!srift_has_hubs(o))
		return h->machine || h->nic_bps > 0 || h->aggregators
			       ? srift_usage(
					 "--hub-machine, --hub-nic and --aggregators need --hubs")
			       : PL_EXIT_DONE;
	if (!h->aggregators != !o->n_plans)
		return srift_usage(
			"%s",
			h->aggregators
				? "--aggregators are hosts of a matrix: it needs --plan"
				: "--hubs of a measured network needs --aggregators, the hosts");
	if (h->nic_bps > 0 && !o->n_plans && o->nic_bps == 0 && o->rated_bps == 0)
		return srift_usage(
			"--hub-nic needs the rate of the machines' own cards: --nic or --rated");
	if (o->iteration.cap_bytes_per_s > 0)
		return srift_usage("--cap is for all-reduces without hubs");
	return PL_EXIT_DONE;
}

int srift_options_check_network(const struct srift_options *o)
{
	const bool cards_compared = o->hub.nic_bps > 0 && o->rated_bps == 0;
	const int n_given =
		(o->n_plans > 0) + (o->n_tables > 0) + (o->learned != NULL) + (o->rated_bps > 0);

	if (!o->matrix != !o->n_plans)
		return srift_usage("--matrix and --plan go together");
	if (n_given > 1)
		return srift_usage("only one of --busbw, --model, --plan and --rated can be given");
	if (o->place && !o->learned)
		return srift_usage("--place needs --model");
	if (!o->n_plans && ((o->nic_bps > 0 && !cards_compared) || o->uplink_bps > 0))
		return srift_usage("--nic and --uplink need --plan");
	return check_hubs(o) ? PL_EXIT_USAGE : check_files(o);
}

/* A job has its own calls, which are played on a measured network. */
static int check_job(const struct srift_options *o)
{
	const struct pl_iteration_options *it = &o->iteration;

	if (!o->matrix || o->n_plans > 1)
		return srift_usage(
			o->matrix
				? "--job takes one --plan"
				: "--job needs --matrix, the network that its calls are played on");
	if (o->n_tables || o->learned || o->rated_bps > 0 || o->place || o->trace ||
	    it->buckets.bytes || it->at_once || it->round_up || it->cap_bytes_per_s > 0 ||
	    srift_has_hubs(o))
		return srift_usage(
			"--job has calls of its own: --busbw, --model, --rated, --place, --cap, "
			"--buckets, --at-once, --round-up, --hubs and --trace do not go with it");
	return check_hubs(o) ? PL_EXIT_USAGE : check_files(o);
}

static int check(const struct srift_options *o, int n_arguments)
{
	if (n_arguments > 0)
		return srift_usage("predict takes options only");
	if (!o->n_profiles || !o->machines)
		return srift_usage("%s is wanted", o->n_profiles ? "--machines" : "--profile");
	if (o->trace && strcmp(o->trace, "-") == 0)
		return srift_usage("--trace wants a file");
	if (o->hub.any || o->hub.number.n > 1)
		return srift_usage("predict takes one number of --hubs");
	if (o->hub.number.n && o->prices && !o->hub.machine)
		return srift_usage("--hubs and --price need --hub-machine, the type of the hubs");
	if (o->job)
		return check_job(o);
	return srift_options_check_network(o);
}

void srift_options_init(struct srift_options *o)
{
	*o = (struct srift_options){
		.section = "DP",
		.straggler = NAN,
		.iteration = {.draws = 1000, .seed = 1},
	};
}

int srift_options_parse(struct srift_options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SRIFT_TOOL, .option = table, .help = srift_predict_help};
	int status;

	srift_options_init(o);
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	return check(o, argc - optind);
}

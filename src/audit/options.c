/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-audit */
#include "config.h"

#include "src/audit/options.h"

#include "audit/placement.h"
#include "base/text/number.h"
#include "costmodels/catalogue.h"
#include "src/common/options.h"
#include "src/common/tool.h"

#include <stdio.h>
#include <string.h>

static const char tool[] = AUDIT_TOOL;

/* "16": bytes a message; "0.5%": of what is expected. */
static int take_tolerance(void *o, const struct pl_option *option, const char *value,
			  struct pl_err *err)
{
	struct audit_options *to = o;
	const size_t len = strlen(value);
	double share;

	if (len && value[len - 1] != '%')
		return pl_take_size(o, option, value, err);
	if (!len || pl_double_parse(value, len - 1, &share) || !(share >= 0 && share <= 100))
		return pl_err_set(err, PL_EUSAGE, "--%s wants BYTES or a percentage, not \"%s\"",
				  option->name, value);
	to->tolerance.share = share / 100;
	return 0;
}

static int take_collective(void *o, const struct pl_option *option, const char *value,
			   struct pl_err *err)
{
	struct audit_options *to = o;

	(void)option;
	return pl_collective_parse(value, &to->collective, err);
}

static int take_impl(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct audit_options *to = o;

	(void)option;
	return pl_impl_parse(value, &to->impl, err);
}

static int take_wire(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct audit_options *to = o;

	(void)option;
	to->wire = pl_wire_find(value, err);
	return to->wire ? 0 : -1;
}

static int take_ports(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err)
{
	return pl_port_list_parse(pl_option_to(o, option), value, err);
}

#define AT(member) PL_OPTION_AT(struct audit_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"collective", required_argument, 0, .take = take_collective},
	{"impl", required_argument, 0, .take = take_impl},
	{"algorithm", required_argument, 0, pl_take_text, AT(algorithm_name)},
	{"schedule", required_argument, 0, pl_take_text, AT(schedule)},
	{"size", required_argument, 0, pl_take_size, AT(call.bytes)},
	{"segment", required_argument, 0, pl_take_size,
	 AT(call.segment_bytes)},
	{"root", required_argument, 0, pl_take_whole, AT(call.root),
	 0, PL_PLACEMENT_RANKS_MAX},
	{"slots", required_argument, 0, pl_take_whole, AT(call.slots),
	 1, PL_PLACEMENT_RANKS_MAX},
	{"element", required_argument, 0, pl_take_size,
	 AT(call.element_bytes), 1, INT64_MAX},
	{"ranks", required_argument, 0, pl_take_whole, AT(call.n_pos),
	 1, PL_PLACEMENT_RANKS_MAX},
	{"repeat", required_argument, 0, pl_take_whole, AT(repeat),
	 1, 1000000000},
	{"tolerance", required_argument, 0, take_tolerance,
	 AT(tolerance.bytes), 0, INT64_MAX},
	{"wire", required_argument, 0, .take = take_wire},
	{"eager-limit", required_argument, 0, pl_take_size, AT(eager_bytes),
	 .also = offsetof(struct audit_options, has_eager)},
	{"ports", required_argument, 0, take_ports, AT(ports)},
	{"not-ports", required_argument, 0, take_ports, AT(not_ports)},
	{"hosts", required_argument, 0, pl_take_filled, AT(hosts)},
	{"topology", required_argument, 0, pl_take_filled, AT(topology)},
	{"list", no_argument, 0, pl_take_constant, AT(mode), AUDIT_LIST},
	{"pattern", no_argument, 0, pl_take_constant, AT(mode), AUDIT_PATTERN},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

/* The algorithm, and what its library does. */
static int find_algorithm(struct audit_options *o)
{
	struct pl_err err = {0};

	o->algorithm =
		pl_catalogue_find(o->collective, o->impl, o->algorithm_name, &o->call.radix, &err);
	if (!o->algorithm)
		return pl_tool_usage(tool, "%s", err.text);
	if (o->call.root && !pl_collective_has_root(o->collective))
		return pl_tool_usage(tool, "--root: %s has no root",
				     pl_collective_name(o->collective));
	if (!o->wire)
		o->wire = o->schedule ? pl_wire_find("engine", NULL)
				      : pl_wire_of(o->algorithm, o->call.radix, NULL);
	if (o->wire && !o->has_eager)
		o->eager_bytes = o->wire->eager_bytes;
	if (o->wire && !o->ports.n) {
		o->ports.n = 1;
		o->ports.range[0].min = (uint16_t)o->wire->port_min;
		o->ports.range[0].max = (uint16_t)o->wire->port_max;
	}
	return PL_EXIT_DONE;
}

/* The output replaces nothing that is read. */
static int check_output(const struct audit_options *o)
{
	int status = pl_tool_spares(tool, o->output, o->hosts);

	if (!status)
		status = pl_tool_spares(tool, o->output, o->topology);
	for (size_t i = 0; !status && i < o->n_inputs; i++)
		status = pl_tool_spares(tool, o->output, o->input[i]);
	return status;
}

static int check(struct audit_options *o)
{
	if (!o->hosts)
		o->hosts = o->schedule;
	if (o->mode != AUDIT_FILES && o->n_inputs)
		return pl_tool_usage(tool, "unexpected argument \"%s\"", o->input[0]);
	if (o->mode == AUDIT_FILES && !o->n_inputs)
		return pl_tool_usage(tool,
				     "a capture or a file of Open MPI's monitoring is missing");
	if (o->topology && o->mode != AUDIT_FILES)
		return pl_tool_usage(tool, "--topology is for an audit: it cannot be combined with "
					   "--list or --pattern");
	if (o->mode == AUDIT_PATTERN && !o->call.n_pos && !o->hosts)
		return pl_tool_usage(tool, "--ranks or --hosts is missing");
	return check_output(o);
}

int audit_options_parse(struct audit_options *o, int argc, char **argv)
{
	static const struct pl_options options = {.tool = tool,
						  .option = table,
						  .help = audit_help,
						  .verbose =
							  offsetof(struct audit_options, verbose)};
	int status;

	*o = (struct audit_options){.collective = PL_ALLREDUCE,
				    .impl = PL_THESIS,
				    .algorithm_name = "ring",
				    .repeat = 1};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	o->input = argv + optind;
	o->n_inputs = (size_t)(argc - optind);
	status = check(o);
	if (status == PL_EXIT_DONE && o->mode != AUDIT_LIST)
		status = find_algorithm(o);
	return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-audit */
#ifndef PLINK_SRC_AUDIT_OPTIONS_H
#define PLINK_SRC_AUDIT_OPTIONS_H

#include "audit/portlist.h"
#include "audit/verdict.h"
#include "audit/wire.h"
#include "costmodels/algorithm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AUDIT_TOOL "plink-audit"

enum audit_mode {
	AUDIT_FILES,   /* read them and judge */
	AUDIT_LIST,    /* the catalogue */
	AUDIT_PATTERN, /* the messages of a pattern */
};

/* Strings are borrowed from argv. */
struct audit_options {
	enum audit_mode mode;
	enum pl_collective collective;
	enum pl_impl impl;
	const char *algorithm_name;
	const struct pl_algorithm *algorithm;
	struct pl_call call;        /* n_pos and slots: 0 if not given */
	const struct pl_wire *wire; /* NULL: not given, and not known */
	uint64_t eager_bytes;
	bool has_eager;
	uint64_t repeat;
	struct pl_audit_tolerance tolerance;
	struct pl_port_list ports, not_ports;
	const char *schedule, *hosts, *topology, *output;
	bool json, verbose;
	char **input; /* files */
	size_t n_inputs;
	bool done; /* help or version was printed: exit with the status */
};

/* Returns the exit status. If it is not PL_EXIT_DONE or @o->done is set, there is nothing more to
 * do. */
int audit_options_parse(struct audit_options *o, int argc, char **argv);

/* What --help prints. */
extern const char audit_help[];

#endif

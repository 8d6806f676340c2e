/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - command lines by tables: what each option is called, and where its value goes */
#ifndef PLINK_SRC_COMMON_OPTIONS_H
#define PLINK_SRC_COMMON_OPTIONS_H

#include "base/err.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An option of a tool; a table of them ends with {0}. */
struct pl_option {
	const char *name;
	int has_arg; /* as for getopt_long() */
	int letter;  /* of its short form; 0: none */
	/* Stores @value (NULL: none is given) in the tool's struct @o. 0, or -1 with @err set:
	 * PL_ESYSTEM, or whatever else for a wrong value. */
	int (*take)(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
	/* for the functions below: the member of @o, and what fits it */
	size_t at, size;
	uint64_t min, max;
	double least, most;
	uint64_t unit_ns;         /* of a time that is a bare number */
	bool whole;               /* numbers must be whole */
	const char *const *words; /* ends with NULL */
	uint64_t absent;          /* stored if there is no value; 0: nothing is */
	size_t also;              /* a bool of @o that is set as well; 0: none */
};

/* Initializes at and size for a member; min and max may follow. */
#define PL_OPTION_AT(type, member)                                                                 \
	.at = offsetof(type, member), .size = sizeof(((type *)NULL)->member)

/* Functions for a table. The first sets a bool, the second stores option->min
 * in an integer. The next three store the string, which is borrowed;
 * pl_take_filled refuses an empty one, pl_take_svg one that does not end in
 * .svg. pl_take_whole stores a whole number in
 * [min, max] in an integer of any type, pl_take_number a number in [least,
 * most] in a double, pl_take_word the
 * index of a word in an enum. */
int pl_take_flag(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int pl_take_constant(void *o, const struct pl_option *option, const char *value,
		     struct pl_err *err);
int pl_take_text(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int pl_take_filled(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int pl_take_svg(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int pl_take_whole(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int pl_take_number(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

int pl_take_word(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

/* Values with a unit (base/text/size.h): pl_take_time stores nanoseconds in an integer,
 * pl_take_seconds seconds in a double; both from option->least to option->most seconds. Bare
 * numbers count option->unit_ns, or seconds. pl_take_size stores bytes in [min, max or INT64_MAX]
 * in an integer, pl_take_rate bits per second in a double. */
int pl_take_time(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int pl_take_seconds(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int pl_take_size(void *o, const struct pl_option *option, const char *value, struct pl_err *err);
int pl_take_rate(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

/* The member of @o that the option is for. */
void *pl_option_to(void *o, const struct pl_option *option);

/* Stores @value in the integer or bool at option->at. */
void pl_option_store(void *o, const struct pl_option *option, uint64_t value);

/* How a tool reads its command line. */
struct pl_options {
	const char *tool;
	/* without those that all tools have: --help, --version, --quiet and --verbose */
	const struct pl_option *option;
	const char *help; /* what --help prints */
	bool in_order;    /* the first word that is no option ends them */
	bool filled;      /* no value may be empty */
	size_t verbose;   /* a bool of @o, for -v; 0: there is none */
	/* Called for each option that was taken; NULL: nothing is. */
	void (*taken)(void *o, const struct pl_option *option, const char *value);
};

enum pl_options_asked {
	PL_ASKED_RUN,
	PL_ASKED_HELP,
	PL_ASKED_VERSION,
	PL_ASKED_VERBOSE, /* to run, and say more */
};

/* Takes the options up to --help or --version into @o; optind is then the first word that is none.
 * --quiet holds from then on (tool.h). Prints nothing itself. 0, or -1 with @err set (PL_EUSAGE),
 * which for an unknown option names the one that was probably meant. */
int pl_options_take(const struct pl_options *options, int argc, char **argv, void *o,
		    enum pl_options_asked *asked, struct pl_err *err);

/* The same, and prints what there is to be printed, with --verbose the version and the command
 * line: returns the exit status. If it is not PL_EXIT_DONE or *done is set, there is nothing more
 * to do. */
int pl_options_parse(const struct pl_options *options, int argc, char **argv, void *o, bool *done);

/* What to use in place of an option that @tool had once; NULL: it never had
 * one of exactly that name. Static. */
const char *pl_option_removed(const char *tool, const char *name, size_t len);

/* The option of that name, those of all tools included, or NULL. */
const struct pl_option *pl_option_named(const struct pl_option *table, const char *name,
					size_t len);

#endif

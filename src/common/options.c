/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - command lines by tables */
#include "config.h"

#include "src/common/options.h"

#include "base/text/names.h"
#include "base/text/number.h"
#include "src/common/tool.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define OPTIONS_MAX 80
#define LONG_ID 256 /* of the first row; others are letters */

/* The options that every tool has. */
static const struct pl_option common[] = {
	{.name = "help", .letter = 'h'},
	{.name = "version", .letter = 'V'},
	{.name = "quiet", .letter = 'q'},
	{.name = "verbose", .letter = 'v'},
	{0},
};

void *pl_option_to(void *o, const struct pl_option *option)
{
	return (char *)o + option->at;
}

void pl_option_store(void *o, const struct pl_option *option, uint64_t value)
{
	const uint32_t small = (uint32_t)value;
	const bool flag = value != 0;

	if (option->size == sizeof(flag))
		memcpy(pl_option_to(o, option), &flag, sizeof(flag));
	else if (option->size == sizeof(small))
		memcpy(pl_option_to(o, option), &small, sizeof(small));
	else {
		assert(option->size == sizeof(value));
		memcpy(pl_option_to(o, option), &value, sizeof(value));
	}
}

int pl_take_flag(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	(void)value, (void)err;
	pl_option_store(o, option, true);
	return 0;
}

int pl_take_constant(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	(void)value, (void)err;
	pl_option_store(o, option, option->min);
	return 0;
}

int pl_take_text(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	(void)err;
	*(const char **)pl_option_to(o, option) = value;
	return 0;
}

int pl_take_filled(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	if (!*value)
		return pl_err_set(err, PL_EUSAGE, "--%s is empty", option->name);
	return pl_take_text(o, option, value, err);
}

int pl_take_svg(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	const size_t len = strlen(value);

	if (len < 5 || strcasecmp(value + len - 4, ".svg") != 0)
		return pl_err_set(err, PL_EUSAGE, "--%s: %s does not end in .svg", option->name,
				  value);
	return pl_take_text(o, option, value, err);
}

int pl_take_whole(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	uint64_t v = option->absent;

	if (!value) {
		if (v)
			pl_option_store(o, option, v);
		return 0;
	}
	if (pl_uint_parse(value, strlen(value), option->max, &v) || v < option->min)
		return pl_err_set(err, PL_EUSAGE,
				  "--%s wants a whole number from %" PRIu64 " to %" PRIu64
				  ", not \"%s\"",
				  option->name, option->min, option->max, value);
	pl_option_store(o, option, v);
	return 0;
}

int pl_take_number(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	double x;

	if (!value)
		return 0;
	if (pl_double_parse(value, strlen(value), &x) || !(x >= option->least && x <= option->most))
		return pl_err_set(err, PL_EUSAGE, "--%s wants a number from %g to %g, not \"%s\"",
				  option->name, option->least, option->most, value);
	*(double *)pl_option_to(o, option) = x;
	return 0;
}

/* The index of @s among option->words, or -1. */
static int word_index(const struct pl_option *option, const char *s)
{
	for (int i = 0; option->words[i]; i++)
		if (strcmp(s, option->words[i]) == 0)
			return i;
	return -1;
}

/* "a, b, c" */
static void join(char *buf, size_t room, const char *const *names)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; names[i] && used < room; i++)
		used += (size_t)snprintf(buf + used, room - used, "%s%s", i ? ", " : "", names[i]);
}

int pl_take_word(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	const int i = word_index(option, value);
	char there_is[256];

	if (i >= 0) {
		pl_option_store(o, option, (uint64_t)i);
		return 0;
	}
	join(there_is, sizeof(there_is), option->words);
	return pl_err_set(err, PL_EUSAGE, "--%s=%s: not one of %s", option->name, value, there_is);
}

const struct pl_option *pl_option_named(const struct pl_option *table, const char *name, size_t len)
{
	for (const struct pl_option *o = table; o->name; o++)
		if (strlen(o->name) == len && memcmp(o->name, name, len) == 0)
			return o;
	return table == common ? NULL : pl_option_named(common, name, len);
}

/* The table as getopt_long() wants it: longs and letters. */
struct forms {
	struct option longs[OPTIONS_MAX];
	char letters[3 + 2 * OPTIONS_MAX];
	int n;
};

static void add_forms(struct forms *f, const struct pl_option *table)
{
	for (const struct pl_option *o = table; o->name; o++) {
		assert(f->n < OPTIONS_MAX - 1);
		f->longs[f->n] = (struct option){o->name, o->has_arg, NULL, LONG_ID + f->n};
		f->n++;
		if (o->letter)
			strcat(f->letters, (char[]){(char)o->letter, '\0'});
		if (o->letter && o->has_arg == required_argument)
			strcat(f->letters, ":");
	}
}

/* NULL: an option that every tool has; *letter is its letter. */
static const struct pl_option *row_of(const struct pl_option *table, int id, int n_rows,
				      int *letter)
{
	*letter = id;
	if (id >= LONG_ID + n_rows)
		*letter = common[id - LONG_ID - n_rows].letter;
	else if (id >= LONG_ID)
		return &table[id - LONG_ID];
	for (; id < LONG_ID && table->name; table++)
		if (table->letter == id)
			return table;
	return NULL;
}

/* True: --help or --version, which ends the options. */
static bool take_common(const struct pl_options *options, void *o, int letter,
			enum pl_options_asked *asked)
{
	if (letter == 'q')
		pl_tool_be_quiet();
	if (letter == 'v')
		*asked = PL_ASKED_VERBOSE;
	if (letter == 'v' && options->verbose)
		*((bool *)o + options->verbose) = true;
	if (letter == 'h')
		*asked = PL_ASKED_HELP;
	if (letter == 'V')
		*asked = PL_ASKED_VERSION;
	return letter == 'h' || letter == 'V';
}

/* A long option that is unknown, or an ambiguous abbreviation. */
static int refuse_name(const struct forms *f, const char *tool, const char *word, size_t len,
		       struct pl_err *err)
{
	const char *const instead = pl_option_removed(tool, word, len);
	const char *found[2] = {NULL, NULL}, *meant;
	char name[64] = "";

	if (instead)
		return pl_err_set(err, PL_EUSAGE, "--%.*s was removed: %s", (int)len, word,
				  instead);
	for (int i = 0; i < f->n; i++)
		if (!strncmp(f->longs[i].name, word, len)) {
			found[0] = found[1];
			found[1] = f->longs[i].name;
		}
	if (found[0])
		return pl_err_set(err, PL_EUSAGE, "--%.*s can be --%s or --%s: write it in full",
				  (int)len, word, found[0], found[1]);
	if (len < sizeof(name))
		memcpy(name, word, len);
	meant = pl_nearest(name, &f->longs[0].name, sizeof(f->longs[0]), (size_t)f->n);
	if (meant)
		return pl_err_set(err, PL_EUSAGE, "unknown option --%.*s (did you mean --%s?)",
				  (int)len, word, meant);
	return pl_err_set(err, PL_EUSAGE, "unknown option --%.*s", (int)len, word);
}

/* The message for what getopt_long() refused; ':' as @id: the value is
 * missing. */
static int refuse(const struct forms *f, const char *tool, int id, const char *word,
		  struct pl_err *err)
{
	const char letter = (char)optopt, *instead;

	if (optopt >= LONG_ID)
		return pl_err_set(err, PL_EUSAGE, "--%s %s", f->longs[optopt - LONG_ID].name,
				  id == ':' ? "needs a value" : "takes no value");
	instead = pl_option_removed(tool, &letter, 1);
	if (optopt && instead)
		return pl_err_set(err, PL_EUSAGE, "-%c was removed: %s", letter, instead);
	if (optopt)
		return pl_err_set(err, PL_EUSAGE,
				  id == ':' ? "-%c needs a value" : "unknown option -%c", optopt);
	return refuse_name(f, tool, word + 2, strcspn(word + 2, "="), err);
}

int pl_options_take(const struct pl_options *options, int argc, char **argv, void *o,
		    enum pl_options_asked *asked, struct pl_err *err)
{
	const struct pl_option *row;
	struct forms f = {.n = 0};
	int id, n_rows, letter;

	strcat(f.letters, options->in_order ? "+:" : ":");
	add_forms(&f, options->option);
	n_rows = f.n;
	add_forms(&f, common);
	opterr = 0;
	*asked = PL_ASKED_RUN;
	while ((id = getopt_long(argc, argv, f.letters, f.longs, NULL)) != -1) {
		if (id == '?' || id == ':')
			return refuse(&f, options->tool, id, argv[optind - 1], err);
		row = row_of(options->option, id, n_rows, &letter);
		if (!row && take_common(options, o, letter, asked))
			return 0;
		if (!row)
			continue;
		if (options->filled && optarg && !*optarg)
			return pl_err_set(err, PL_EUSAGE, "--%s is empty", row->name);
		if (row->take(o, row, optarg, err))
			return -1;
		if (row->also)
			*((bool *)o + row->also) = true;
		if (options->taken)
			options->taken(o, row, optarg);
	}
	return 0;
}

int pl_options_parse(const struct pl_options *options, int argc, char **argv, void *o, bool *done)
{
	enum pl_options_asked asked;
	struct pl_err err = {0};

	if (pl_options_take(options, argc, argv, o, &asked, &err))
		return err.code == PL_ESYSTEM ? pl_tool_fail(options->tool, &err)
					      : pl_tool_usage(options->tool, "%s", err.text);
	*done = asked == PL_ASKED_HELP || asked == PL_ASKED_VERSION;
	if (asked == PL_ASKED_VERBOSE)
		pl_tool_say_call(options->tool, argv);
	if (asked == PL_ASKED_HELP)
		return pl_tool_help(options->tool, options->help);
	if (asked == PL_ASKED_VERSION)
		return pl_tool_version(options->tool);
	return PL_EXIT_DONE;
}

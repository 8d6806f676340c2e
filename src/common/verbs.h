/* SPDX-License-Identifier: BSD-3-Clause */
/* verbs.h - tools whose first argument says what to do */
#ifndef PLINK_SRC_COMMON_VERBS_H
#define PLINK_SRC_COMMON_VERBS_H

struct pl_verb {
	const char *name;
	/* Returns the exit status; argv[0] ends in the verb. */
	int (*run)(int argc, char **argv);
};

/* The arguments from the verb on, which follows its program's name there, as in the command line
 * that -v shows. */
char **pl_verb_skip(char **argv);

/* main() of such a tool, whose verbs end with a name of NULL: runs the verb, or prints @help or the
 * version. Without a verb, a usage error that names them.
 */
int pl_verb_main(const char *tool, const struct pl_verb *verbs, const char *help, int argc,
		 char **argv);

#endif

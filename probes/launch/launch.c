/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.c - a launch template becomes a command */
#include "config.h"

#include "probes/launch/launch.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *pl_launch_template(const char *name)
{
	static const char *const known[][2] = {
		{"ssh", "ssh -oBatchMode=yes %h"},
		{"srun", "srun -Q --overlap -N1 -n1 -w %h sh -c"},
		{"mpirun", "mpirun -n 1 -host %h sh -c"},
		{"kubectl", "kubectl exec -i %h -- sh -c"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(name, known[i][0]))
			return known[i][1];
	return name;
}

bool pl_launch_is_ssh(const char *template)
{
	const char *word = template + strspn(template, " \t\n");

	for (const char *s = word; *s && !strchr(" \t\n", *s); s++)
		if (*s == '/')
			word = s + 1;
	return strncmp(word, "ssh", 3) == 0;
}

char *pl_launch_as(const char *template, const char *user, struct pl_err *err)
{
	const char *ssh = pl_launch_template(template ? template : "ssh");
	const char *word = ssh + strspn(ssh, " \t\n");
	char *as = NULL;

	if (!pl_launch_is_ssh(ssh)) {
		pl_err_set(err, PL_EUSAGE,
			   "the host list has the user %s, and only ssh logs in as one", user);
		return NULL;
	}
	word += strcspn(word, " \t\n");
	if (asprintf(&as, "%.*s -l %s%s", (int)(word - ssh), ssh, user, word) >= 0)
		return as;
	pl_err_nomem(err);
	return NULL;
}

bool pl_launch_names_host(const char *template)
{
	for (const char *s = strchr(template, '%'); s; s = strchr(s + 2, '%')) {
		if (s[1] == 'h')
			return true;
		if (s[1] == '\0')
			break;
	}
	return false;
}

/* Where the words go: text is filled in a first pass only counted (NULL). */
struct writer {
	char *text;
	size_t len;
	size_t start[PL_LAUNCH_WORDS_MAX];
	size_t n_words;
};

static void put(struct writer *w, char c)
{
	if (w->text)
		w->text[w->len] = c;
	w->len++;
}

static void put_string(struct writer *w, const char *s)
{
	for (; *s; s++)
		put(w, *s);
}

static int begin_word(struct writer *w, struct pl_err *err)
{
	if (w->n_words == PL_LAUNCH_WORDS_MAX)
		return pl_err_set(err, PL_EUSAGE, "launch template: more than %d words",
				  PL_LAUNCH_WORDS_MAX);
	w->start[w->n_words++] = w->len;
	return 0;
}

/* The character after a percent sign. */
static int put_percent(struct writer *w, char c, const char *host, struct pl_err *err)
{
	if (c == 'h')
		put_string(w, host);
	else if (c == '%')
		put(w, '%');
	else
		return pl_err_set(
			err, PL_EUSAGE,
			"launch template: only %%h (host) and %%%% may follow a percent sign");
	return 0;
}

/* Does a backslash before @c quote it? Within "..." only these, as in sh. */
static bool is_escape(char quote, char c)
{
	if (quote == '\'' || c == '\0')
		return false;
	return quote == 0 || strchr("\"\\$`", c) != NULL;
}

/* One word, beginning at *s, which is moved behind it. */
static int put_word(struct writer *w, const char **s, const char *host, struct pl_err *err)
{
	char quote = 0;

	for (; **s; (*s)++) {
		const char c = **s;

		if (!quote && strchr(" \t\n", c))
			break;
		if (c == '\\' && is_escape(quote, (*s)[1])) {
			put(w, *++*s);
		} else if (c == '%') {
			if (put_percent(w, *++*s, host, err))
				return -1;
		} else if (quote ? c == quote : c == '\'' || c == '"') {
			quote = quote ? 0 : c;
		} else {
			put(w, c);
		}
	}
	if (quote)
		return pl_err_set(err, PL_EUSAGE, "launch template: no closing %c", quote);
	put(w, '\0');
	return 0;
}

static int put_all(struct writer *w, const char *template, const char *host, const char *command,
		   struct pl_err *err)
{
	const char *s = template;

	for (;;) {
		s += strspn(s, " \t\n");
		if (!*s)
			break;
		if (begin_word(w, err) || put_word(w, &s, host, err))
			return -1;
	}
	if (w->n_words == 0)
		return pl_err_set(err, PL_EUSAGE, "launch template is empty");
	if (begin_word(w, err))
		return -1;
	put_string(w, command);
	put(w, '\0');
	return 0;
}

char **pl_launch_argv(const char *template, const char *host, const char *command,
		      struct pl_err *err)
{
	struct writer count = {0}, fill = {0};
	size_t pointers;
	char **argv;

	if (host[0] == '-') {
		pl_err_set(err, PL_EUSAGE,
			   "host \"%s\" would pass for an option of the launcher; list its address "
			   "instead",
			   host);
		return NULL;
	}
	if (put_all(&count, template, host, command, err))
		return NULL;
	if (!strcmp(template, "pdsh") || !strncmp(template, "pdsh ", 5)) {
		pl_err_set(err, PL_EUSAGE,
			   "pdsh gives commands no standard input, which an agent needs; name its "
			   "ssh or rsh instead");
		return NULL;
	}
	pointers = (count.n_words + 1) * sizeof(*argv);
	argv = pl_array_create(pointers + count.len, 1);
	if (!argv) {
		pl_err_nomem(err);
		return NULL;
	}
	fill.text = (char *)argv + pointers;
	put_all(&fill, template, host, command, NULL);
	for (size_t i = 0; i < fill.n_words; i++)
		argv[i] = fill.text + fill.start[i];
	return argv;
}

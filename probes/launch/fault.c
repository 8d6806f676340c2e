/* SPDX-License-Identifier: BSD-3-Clause */
/* fault.c - what a launcher's last words mean */
#include "config.h"

#include "probes/launch/fault.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX 20

/* clang-format off */
enum {
	CHANGED_KEY, UNKNOWN_KEY, LOGIN, TOO_MANY_KEYS, NO_NAME, NO_FORWARDING,
	NO_AGENT, BAD_AGENT, OTHER_AGENT, REFUSED, SILENT, DROPPED, UNTOLD, ENDED
};

/*
 * The words are those of OpenSSH 7.4 to 10, dash, bash, zsh, fish and tcsh;
 * what they share is matched, and ssh's own line is shown besides. The rows
 * come in the order in which they count: ssh says more after a changed key, and
 * after a connection that a jump host has dropped. Words that a shell may print
 * about anything ("Permission denied") are matched only with what ssh puts
 * around them.
 */
static const struct pl_launch_fault table[] = {
	[CHANGED_KEY] = {
		.pattern = {"*ost key for * has changed and you have req*"},
		.means = "another host key than the known one on %H",
		.remedy = "if the machine was set up anew, ssh-keygen -R %h, "
			  "then ssh %h once",
	},
	[UNKNOWN_KEY] = {
		.pattern = {"*Host key verification failed*"},
		.means = "no known host key for %H",
		.remedy = "ssh %h once, or ssh-keyscan %L >> "
			  "~/.ssh/known_hosts",
	},
	[LOGIN] = {
		.pattern = {"*@*: Permission denied (*)*"},
		.means = "the login is refused on %H",
		.remedy = "ssh-add, if the key has a passphrase; User in "
			  "~/.ssh/config, or -l USER in --launch, if the "
			  "account has another name there; ssh-copy-id %h, if "
			  "it does not know the key",
	},
	[TOO_MANY_KEYS] = {
		.pattern = {"*Too many authentication failures*"},
		.means = "too many keys were offered to %H",
		.remedy = "IdentityFile and IdentitiesOnly yes in "
			  "~/.ssh/config",
	},
	[NO_NAME] = {
		.pattern = {"*Could not resolve hostname*",
			    "*open failed: connect failed: *name*"},
		.means = "no address is known for %H, or for the jump host",
		.remedy = "list the address, or HostName in ~/.ssh/config",
	},
	[NO_FORWARDING] = {
		.pattern = {"*administratively prohibited*"},
		.means = "the jump host does not forward to %H",
		.remedy = "AllowTcpForwarding yes in its sshd_config, or "
			  "another ProxyJump",
	},
	[NO_AGENT] = {
		.pattern = {"*plink-agent: not found*",
			    "*plink-agent: command not found*",
			    "*command not found: plink-agent*",
			    "*Unknown command: plink-agent*",
			    "*plink-agent: No such file or directory*"},
		.means = "plink-agent is missing on %H",
		.remedy = "add --push, or install plink there",
		.push = true,
	},
	[BAD_AGENT] = {
		.pattern = {"*plink-agent*Exec format error*",
			    "*plink-agent*Permission denied*"},
		.means = "plink-agent cannot be run on %H",
		.remedy = "install plink for that kind of machine there, or "
			  "add --push",
	},
	[OTHER_AGENT] = {
		.means = "plink-agent is of another version on %H",
		.remedy = "add --push, or install this version there",
		.push = true,
	},
	[REFUSED] = {
		.pattern = {"*Connection refused*"},
		.means = "no ssh server listens on %H",
		.remedy = "start sshd there, or name its Port in "
			  "~/.ssh/config",
	},
	[SILENT] = {
		.pattern = {"*Connection timed out*", "*Operation timed out*",
			    "*No route to host*", "*Network is unreachable*",
			    "*timed out during banner exchange*"},
		.means = "no answer from %H",
		.remedy = "is it up, and is that its address? ssh %h shows "
			  "more",
	},
	[DROPPED] = {
		.pattern = {"*kex_exchange_identification:*",
			    "*ssh_exchange_identification:*",
			    "*Connection closed by * port *",
			    "*Connection reset by * port *",
			    "*Session open refused by peer*"},
		.means = "the ssh server drops connections to %H",
		.remedy = "raise MaxStartups in its sshd_config, or that of "
			  "the jump host",
		.again = true,
	},
	[UNTOLD] = {
		.means = "the login failed without a message on %H",
		.remedy = "ssh -v %h shows why; LogLevel in ~/.ssh/config "
			  "may hide it",
	},
	[ENDED] = {
		.means = "the shell ends before it starts plink-agent on %H",
		.remedy = "look for exit in ~/.bashrc there, and for "
			  "ForceCommand in its sshd_config",
	},
};
/* clang-format on */

#define N_ROWS (sizeof(table) / sizeof(table[0]))

static bool matches(const struct pl_launch_fault *f, const char *line)
{
	const size_t n = sizeof(f->pattern) / sizeof(f->pattern[0]);

	for (size_t k = 0; k < n && f->pattern[k]; k++)
		if (fnmatch(f->pattern[k], line, FNM_CASEFOLD) == 0)
			return true;
	return false;
}

const struct pl_launch_fault *pl_launch_fault_of(const char *line)
{
	for (size_t k = 0; k < N_ROWS; k++)
		if (matches(&table[k], line))
			return &table[k];
	return NULL;
}

const struct pl_launch_fault *pl_launch_fault_status(int status, const char *line)
{
	if (status == 255 && !line[0])
		return &table[UNTOLD];
	if (status == 0)
		return &table[ENDED];
	return status == 127 && strstr(line, "plink-agent") ? &table[NO_AGENT] : NULL;
}

const struct pl_launch_fault *pl_launch_fault_silent(void)
{
	return &table[SILENT];
}

const struct pl_launch_fault *pl_launch_fault_version(void)
{
	return &table[OTHER_AGENT];
}

const struct pl_launch_fault *pl_launch_fault_row(size_t k)
{
	return k < N_ROWS ? &table[k] : NULL;
}

static void put_hosts(FILE *out, const char *const *host, size_t n, const char *between)
{
	for (size_t i = 0; i < n && i < NAMED_MAX; i++)
		fprintf(out, "%s%s", i ? between : "", host[i]);
	if (n > NAMED_MAX && between[0] == ',')
		fprintf(out, " and %zu more", n - NAMED_MAX);
	else if (n > NAMED_MAX)
		fputs(" ...", out);
}

char *pl_launch_fault_text(const char *text, const char *const *host, size_t n)
{
	char *made = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&made, &len);

	for (const char *s = text; out && *s; s++) {
		if (*s != '%')
			fputc(*s, out);
		else if (*++s == 'H')
			put_hosts(out, host, n, ", ");
		else if (*s == 'L')
			put_hosts(out, host, n, " ");
		else
			put_hosts(out, host, 1, "");
	}
	if (!out || fclose(out)) {
		free(made);
		return NULL;
	}
	return made;
}

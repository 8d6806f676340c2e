/* SPDX-License-Identifier: BSD-3-Clause */
/* shell.c - the line of shell that runs fping on a host */
#include "config.h"

#include "probes/fping/shell.h"

#define TEXT(x) WORD(x)
#define WORD(x) #x

/* Between single quotes: hence none of them in it, no backslashes, exclamation
 * marks and percent signs, which a login shell of any kind and perhaps a
 * launcher read first. fping and ip may be where only root's PATH leads. */
const char pl_fping_command[] =
	"sh -c '"
	"PATH=$PATH:/usr/sbin:/sbin:/usr/local/bin:/usr/local/sbin; "
	/* what a launcher wrote before may lack its end of line */
	"echo; v=$(fping -v 2>&1); e=$?; set -- $v; "
	"case $e in "
	"0) echo \"plink-fping $3\";; "
	"127) echo plink-fping none; echo \"error fping is not installed: "
	"install it, or use --push (without --method) to send plink-agent\"; "
	"exit 1;; "
	"*) echo plink-fping none; echo \"error fping may not run: $v "
	"(it needs the capability CAP_NET_RAW)\"; exit 1;; esac; "
	"echo \"node $(uname -n)\"; "
	"l=$(for f in -4 -6; do ip $f -o addr show up; done 2>/dev/null); "
	"if test -n \"$l\"; then echo \"$l\" | "
	"while read -r n i f a r; do echo \"addr $i $a\"; done; "
	"else for a in $(hostname -I 2>/dev/null); do echo \"addr - $a\"; "
	"done; fi; "
	"echo ready; "
	"while read -r c k n p t s d q; do case $c in "
	"end) echo bye; exit 0;; "
	"ping) echo pong;; "
	"p) echo \"begin $k\"; case $d in *:*) f=-6;; *) f=; esac; "
	"fping $f $q -C $n -p $p -i $p -t $t -r 0 "
	"-b " TEXT(PL_FPING_DATA_BYTES) " -S $s $d </dev/null 2>&1; e=$?; "
					"echo; echo \"done $k $e\"; esac; done'";

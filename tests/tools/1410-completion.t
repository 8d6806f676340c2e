#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1410-completion.t - what bash, zsh and fish complete, --help says, man pages tell and the tools
# take: the same options everywhere
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

command -v bash >/dev/null 2>&1 || skip_all "no bash here"
PATH=$builddir:$PATH

# complete LINE: what is offered at its end, a line each
cat >"$tmp/complete" <<'END'
source "$1"
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
read -ra COMP_WORDS <<<"$COMP_LINE"
[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_plink "${COMP_WORDS[0]}" 2>"$3"
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
END
complete() {
	bash "$tmp/complete" "$srcdir/completion/plink" "$1" "$tmp/err"
}

# one WHAT LINE WANT: all that is offered, on one line
one() {
	is "$1" "$(complete "$2" | xargs)" "$3"
}

is "the tools of users that nothing is completed for" "$(cd "$builddir" &&
	ls | grep '^plink-[a-z-]*$' | grep -vxE 'plink-(mpi-check|testbed)' |
	while read -r tool; do
		grep -A 9 '^_plink_tools=' "$srcdir/completion/plink" |
			grep -qE "[( 	]$tool([ )]|$)" || echo "$tool"
	done)" ""
one "the rest of a name" "plink-order --alg" "--algorithm="
one "a name without a value" "plink-order --verif" "--verify"
one "values that --help lists" "plink-order --missing=" \
	"refuse worst drop-host estimate"
one "some of them" "plink-order --format=r" "rankfile"
one "behind a semicolon" "plink-order --format=torch" "torchrun"
one "an alternative" "plink-order --hosts-format=" "list seq"
one "of the form a|b" "plink-groups --heights=" "yes no"
one "names of the catalogue" "plink-order --impl=n" "nccl"
one "collectives" "plink-order --collective=allr" "allreduce"
one "several of them" "plink-order --collective=allreduce,bro" \
	"allreduce,broadcast"
one "algorithms" "plink-order --algorithm=double-b" "double-binary-tree"
one "verbs" "plink-srift p" "$("$builddir/plink-srift" --help |
	sed -nE 's/^  (p[a-z]+)  .*/\1/p' | xargs)"
one "options of a verb" "plink-srift predict --mach" "--machines="
mkdir "$tmp/d"
: >"$tmp/d/net.matrix"
one "files as values" "plink-order --matrix=$tmp/d/n" "$tmp/d/net.matrix"
one "files" "plink-groups $tmp/d/n" "$tmp/d/net.matrix"
one "nothing that is none" "plink-order --nonsense" ""
one "tools" "plink probe-" "probe-mpi"
one "pages" "plink help gr" "groups"
one "options behind a tool" "plink order --alg" "--algorithm="
one "options of its verb" "plink srift predict --mach" "--machines="

# other SHELL COMPLETE: the same from other shells; COMPLETE LINE prints what is
# offered, or the line with it
for f in _plink plink.fish; do
	sed "s|@bashcompdir@|$srcdir/completion|" \
		"$srcdir/completion/$f.in" >"$tmp/$f"
	ok "$f is made from its source" sh -c \
		"sed 's|/.*completions/plink|X|' '$builddir/completion/$f' >'$tmp/x' &&
		sed 's|@bashcompdir@/plink|X|' '$srcdir/completion/$f.in' |
		cmp - '$tmp/x'"
done
cat >"$tmp/.zshrc" <<'END'
fpath=($ZDOTDIR $fpath)
autoload -U compinit
compinit -u -C -d $ZDOTDIR/.zcompdump
zle-line-init() {
	BUFFER=$LINE
	CURSOR=$#BUFFER
	zle complete-word
	print -r -- ${${BUFFER% }##* } >$ZDOTDIR/offered
	BUFFER=exit
	zle accept-line
}
zle -N zle-line-init
END
in_zsh() {
	: >"$tmp/offered"
	ZDOTDIR=$tmp LINE=$1 TERM=dumb timeout 300 \
		script -qc 'zsh -di' /dev/null >/dev/null 2>&1 </dev/null
	cat "$tmp/offered"
}
in_fish() {
	HOME=$tmp fish --no-config -c \
		"source '$tmp/plink.fish'; complete -C'$1'"
}
for shell in zsh fish; do
	command -v $shell >/dev/null 2>&1 || {
		skip "$shell" "no $shell here"
		continue
	}
	for say in "plink-order --verif:--verify" "plink order --verif:--verify" \
		"plink-order --format=r:--format=rankfile" \
		"plink-srift predict --mach:--machines=" \
		"plink-probe-mpi --outp:--output=" \
		"plink-order --matrix=$tmp/d/n:--matrix=$tmp/d/net.matrix" \
		"plink groups $tmp/d/n:$tmp/d/net.matrix"; do
		is "$shell: ${say%:*}" "$(in_$shell "${say%:*}")" \
			"${say##*:}"
	done
done

# takes TOOL: the options in its table for getopt
takes() {
	grep -hoE '^	\{"[a-z0-9-]+", (no|required|optional)_argument' \
		"$srcdir/src/${1#plink-}"/*.c 2>/dev/null |
		sed 's/^	{"/--/; s/".*//' | sort -u
}

# says TOOL [VERB...]: the options in its help
says() {
	"$builddir/$@" --help | grep -oE '(^|[ ,])--[a-z0-9][a-z0-9-]*' |
		sed 's/^[ ,]//' | sort -u
}

for tool in audit exec groups mpirun order probe probe-mpi report; do
	says plink-$tool >"$tmp/says"
	complete "plink-$tool --" | sed 's/=$//' | sort -u >"$tmp/offered"
	is "plink-$tool: what --help says is completed" \
		"$(diff "$tmp/says" "$tmp/offered")" ""
	sed 's/\\-/-/g' "$builddir/man/plink-$tool.1" >"$tmp/page"
	takes plink-$tool >"$tmp/takes"
	is "plink-$tool: and what it takes --help says, and the man page" \
		"$(comm -23 "$tmp/takes" "$tmp/says" | sed 's/^/help: /'
		grep -oE -- '--[a-z0-9][a-z0-9-]*' "$tmp/page" | sort -u |
			comm -23 "$tmp/takes" - | sed 's/^/man: /')" ""
done

done_testing

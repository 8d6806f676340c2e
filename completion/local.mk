# SPDX-License-Identifier: BSD-3-Clause
# Completion in bash: one file under the name of each tool, by which it is looked for.
bashcompdir = $(datadir)/bash-completion/completions
bashcomp_DATA = completion/plink
EXTRA_DIST += completion/plink

install-data-hook:
	cd '$(DESTDIR)$(bashcompdir)' && for tool in $(COMPLETED); do \
		rm -f $$tool && $(LN_S) plink $$tool || exit 1; done
uninstall-hook:
	cd '$(DESTDIR)$(bashcompdir)' && rm -f $(COMPLETED)
COMPLETED = $$(sed -n '/^complete -F/,$$p' $(abs_srcdir)/completion/plink | \
	grep -o 'plink-[a-z-]*')

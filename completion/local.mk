# SPDX-License-Identifier: BSD-3-Clause
# Completion in bash, zsh and fish: bash and fish look for a file under the name of
# each tool.
bashcompdir = $(datadir)/bash-completion/completions
bashcomp_DATA = completion/plink
zshcompdir = $(datadir)/zsh/site-functions
nodist_zshcomp_DATA = completion/_plink
fishcompdir = $(datadir)/fish/vendor_completions.d
nodist_fishcomp_DATA = completion/plink.fish
EXTRA_DIST += completion/plink completion/_plink.in completion/plink.fish.in
CLEANFILES += $(nodist_zshcomp_DATA) $(nodist_fishcomp_DATA)

completion/_plink completion/plink.fish: completion/%: \
		$(top_srcdir)/completion/%.in Makefile
	$(AM_V_at)$(MKDIR_P) completion
	$(AM_V_GEN)$(SED) 's|[@]bashcompdir@|$(bashcompdir)|g' \
		$(top_srcdir)/$@.in >$@

install-data-hook:
	cd '$(DESTDIR)$(bashcompdir)' && for tool in $(COMPLETED); do \
		rm -f $$tool && ln -s plink $$tool || exit 1; done
	cd '$(DESTDIR)$(fishcompdir)' && for tool in $(COMPLETED); do \
		rm -f $$tool.fish && ln -s plink.fish $$tool.fish || exit 1; done
uninstall-completions:
	for tool in $(COMPLETED); do rm -f '$(DESTDIR)$(bashcompdir)'/$$tool \
		'$(DESTDIR)$(fishcompdir)'/$$tool.fish; done
COMPLETED = $$(sed -n '/^_plink_tools/,/)/p' $(abs_srcdir)/completion/plink | \
	grep -o 'plink-[a-z-]*')

# SPDX-License-Identifier: BSD-3-Clause
# The preload library for NCCL.
EXTRA_DIST += shim/nccl/functions shim/nccl/generate.awk

# What the table of functions says, as C; for tests as well.
NCCL_MADE = shim/nccl/prototypes.h
BUILT_SOURCES = $(NCCL_MADE)
CLEANFILES += $(NCCL_MADE)
shim/nccl/%.h: $(srcdir)/shim/nccl/generate.awk $(srcdir)/shim/nccl/functions
	$(AM_V_at)$(MKDIR_P) shim/nccl
	$(AM_V_GEN)$(AWK) -v make=$* -f $(srcdir)/shim/nccl/generate.awk \
		$(srcdir)/shim/nccl/functions >$@.tmp && mv $@.tmp $@

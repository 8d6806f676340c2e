# SPDX-License-Identifier: BSD-3-Clause
# For any PyTorch, Python alone: ranks of elastic jobs of torchrun; norms of gradients;
# parameters on hubs.
plink_torchrundir = $(pkglibdir)/python/plink
dist_plink_torchrun_DATA = \
	python/plink/__init__.py \
	python/plink/chooser.py \
	python/plink/dask.py \
	python/plink/handler.py \
	python/plink/hub.py \
	python/plink/library.py \
	python/plink/norms.py \
	python/plink/plan.py \
	python/plink/ray.py \
	python/plink/rendezvous.py \
	python/plink/torchrun.py
EXTRA_DIST += python/pyproject.toml
plink_torchrun_infodir = $(pkglibdir)/python/plink.dist-info
dist_plink_torchrun_info_DATA = python/plink.dist-info/entry_points.txt
nodist_plink_torchrun_info_DATA = python/plink.dist-info/METADATA
CLEANFILES += python/plink.dist-info/METADATA
python/plink.dist-info/METADATA: Makefile
	$(AM_V_GEN)$(MKDIR_P) python/plink.dist-info
	$(AM_V_at)printf 'Metadata-Version: 2.1\nName: plink\nVersion: %s\n' \
		'$(PACKAGE_VERSION)' >$@

# The c10d backend of PyTorch, in a folder of its own that PYTHONPATH names: it
# belongs to one Python.
C10D_FILES = \
	python/plink_c10d/__init__.py \
	python/plink_c10d/__main__.py
EXTRA_DIST += $(C10D_FILES)
plink_c10ddir = $(pkglibdir)/python/plink_c10d
plink_c10dexecdir = $(plink_c10ddir)
install-plink_c10dexecPROGRAMS uninstall-plink_c10dexecPROGRAMS: transform = s,x,x,
if HAVE_TORCH
plink_c10d_DATA = $(C10D_FILES)
plink_c10dexec_PROGRAMS = python/plink_c10d/_backend.so
# It takes longest to compile: as the first archive it is compiled beside all others.
noinst_LIBRARIES += libplink-c10d.a
endif
libplink_c10d_a_SOURCES = python/plink_c10d/backend.cc
libplink_c10d_a_CPPFLAGS = $(AM_CPPFLAGS) $(TORCH_CPPFLAGS)
python_plink_c10d__backend_so_SOURCES =
nodist_EXTRA_python_plink_c10d__backend_so_SOURCES = linked-as-cxx.cc
python_plink_c10d__backend_so_LDADD = \
	python/plink_c10d/libplink_c10d_a-backend.$(OBJEXT) libplink.so $(TORCH_LIBS)
python_plink_c10d__backend_so_LDFLAGS = $(AM_LDFLAGS) -shared \
	-Wl,--version-script=$(srcdir)/python/plink_c10d/backend.map
if OWN_PREFIX
# from there to $(libdir), where the linker does not look by itself
python_plink_c10d__backend_so_LDFLAGS += -Wl,-rpath,'$$ORIGIN/../../..'
endif
EXTRA_python_plink_c10d__backend_so_DEPENDENCIES = python/plink_c10d/backend.map
EXTRA_DIST += python/plink_c10d/backend.map

# SPDX-License-Identifier: BSD-3-Clause
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

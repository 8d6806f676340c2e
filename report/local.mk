# SPDX-License-Identifier: BSD-3-Clause
# What an order looks like: heat maps, rings and trees, one page with all of it.
noinst_LIBRARIES += libplink-report.a
libplink_report_a_SOURCES = \
	report/bars.c report/bars.h \
	report/canvas.c report/canvas.h \
	report/colour.c report/colour.h \
	report/data.c \
	report/escape.c report/escape.h \
	report/chart.c report/chart.h \
	report/gain.c \
	report/image.c report/image.h \
	report/label.c report/label.h \
	report/links.c \
	report/map.c report/map.h \
	report/page.h report/page-cost.c report/page-groups.c \
	report/page-order.c \
	report/page-table.c report/page.c \
	report/picture.c \
	report/plane.c report/plane.h \
	report/parts.h report/racks.c report/report.c report/report.h \
	report/text.c report/text.h \
	report/ring.c report/speed.c report/speed.h report/tree.c \
	report/drawing.h \
	report/xy.c report/xy.h
nodist_libplink_report_a_SOURCES = report/page-text.c
libplink_report_a_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS) $(SODIUM_CFLAGS)
REPORT_A = libplink-report.a $(TOPOLOGY_A) $(COST_A) $(ZLIB_LIBS)
REPORT_LIBS = $(REPORT_A) $(RNG_LIBS) -lm
EXTRA_DIST += report/page.css report/page.js
CLEANFILES += report/page-text.c

# The page's own style and script as strings.
report/page-text.c: $(top_srcdir)/report/page.css $(top_srcdir)/report/page.js
	$(AM_V_at)$(MKDIR_P) report
	$(AM_V_GEN){ \
		echo '#include "report/page.h"'; \
		for f in css js; do \
			echo "const char pl_page_$$f[] ="; \
			$(SED) -e 's/\\/\\\\/g' -e 's/"/\\"/g' \
				-e 's/^	*/"/' -e 's/$$/\\n"/' \
				$(top_srcdir)/report/page.$$f; \
			echo ';'; \
		done; \
	} >$@.tmp && mv $@.tmp $@

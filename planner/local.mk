# SPDX-License-Identifier: BSD-3-Clause
# The planners: which machines to rent. A folder for each; what they share is here.
noinst_LTLIBRARIES += libplink-planner.la
libplink_planner_la_SOURCES = \
	planner/json.c planner/json.h \
	planner/catalogue/catalogue.c planner/catalogue/catalogue.h \
	planner/catalogue/csv-offers.c planner/catalogue/ec2instances.c \
	planner/catalogue/offers.h \
	planner/json-stream.c planner/json-stream.h \
	planner/srift/buckets.c planner/srift/buckets.h \
	planner/srift/busbw.c planner/srift/busbw.h \
	planner/srift/busbw-plan.c planner/srift/busbw-plan.h \
	planner/srift/busbw-read.c \
	planner/srift/choice.c planner/srift/choice.h \
	planner/srift/comm.h \
	planner/srift/comm-memo.c planner/srift/comm-memo.h \
	planner/srift/eager.c planner/srift/eager.h \
	planner/srift/exchange.c planner/srift/exchange.h \
	planner/srift/front.c planner/srift/front.h \
	planner/srift/iteration.c planner/srift/iteration.h \
	planner/srift/market.c planner/srift/market.h \
	planner/srift/policies.c planner/srift/policies.h \
	planner/srift/kineto.c planner/srift/kineto.h \
	planner/srift/kineto-events.c planner/srift/kineto-events.h \
	planner/srift/kineto-profile.c \
	planner/srift/profile.c planner/srift/profile.h \
	planner/srift/profile-read.c planner/srift/profile-write.c \
	planner/srift/relax.c planner/srift/relax.h \
	planner/srift/search.c planner/srift/search.h \
	planner/srift/selection.c planner/srift/selection.h \
	planner/srift/sim.c planner/srift/sim.h \
	planner/srift/straggler.c planner/srift/straggler.h \
	planner/srift/trace.c planner/srift/trace.h \
	planner/srift/why.c planner/srift/why.h \
	planner/srift/watch/acts.c planner/srift/watch/answer.c \
	planner/srift/watch/follow.c planner/srift/watch/follow.h \
	planner/srift/watch/hooks.c planner/srift/watch/hooks.h \
	planner/srift/watch/input.c \
	planner/srift/watch/journal.c planner/srift/watch/journal.h \
	planner/srift/watch/nodes.c planner/srift/watch/nodes.h \
	planner/srift/watch/parts.h \
	planner/srift/watch/progress.c planner/srift/watch/progress.h \
	planner/srift/watch/replan.c planner/srift/watch/replan.h \
	planner/srift/watch/restore.c planner/srift/watch/save.c \
	planner/srift/watch/state.h \
	planner/srift/watch/watch.c planner/srift/watch/watch.h
libplink_planner_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libplink_planner_la_LIBADD = libplink-predict.la $(JANSSON_LIBS) $(ZLIB_LIBS) -lm
PLANNER_LIBS = libplink-planner.la $(RNG_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) -lm

# Learned bandwidths stand apart: they alone need XGBoost.
noinst_LTLIBRARIES += libplink-learned.la
libplink_learned_la_SOURCES = \
	planner/srift/boost.h \
	planner/srift/crossval.c planner/srift/crossval.h \
	planner/srift/features.c planner/srift/features.h \
	planner/srift/grid.c planner/srift/grid.h \
	planner/srift/learned.c planner/srift/learned.h \
	planner/srift/learned-net.c \
	planner/srift/learned-read.c planner/srift/learned-write.c \
	planner/srift/model-file.h \
	planner/srift/trees.c planner/srift/trees.h
if HAVE_XGBOOST
libplink_learned_la_SOURCES += planner/srift/boost.c
else
libplink_learned_la_SOURCES += planner/srift/boost-none.c
endif
libplink_learned_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(SODIUM_CFLAGS)
libplink_learned_la_LIBADD = libplink-planner.la $(SODIUM_LIBS) $(XGBOOST_LIBS)
LEARNED_LIBS = libplink-learned.la $(PLANNER_LIBS) $(XGBOOST_LIBS)

# Run beside a model, or imported by its script.
dist_pkgdata_SCRIPTS = planner/srift/plink_profile.py

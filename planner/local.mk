# SPDX-License-Identifier: BSD-3-Clause
# The planners: which machines to rent. A folder for each; what they share is here, and
# catalogue/, machines and prices. srift/: profile/ what a model computes, comm/ what
# all-reduces get and what hubs cost, learned/ the same learned, iteration/ how long one
# takes, search/ the best choice, watch/ a job kept going. stalls/: where the time of a
# step goes. batch/: how many workers, and which batch. transient/, what losses of
# machines cost, has a local.mk of its own.
noinst_LIBRARIES += libplink-planner.a
libplink_planner_a_SOURCES = \
	planner/fit.c planner/fit.h \
	planner/folds.c planner/folds.h \
	planner/json.c planner/json.h \
	planner/batch/choice.c planner/batch/choice.h \
	planner/batch/knee.c planner/batch/knee.h \
	planner/batch/laws.h planner/batch/laws-epochs.c planner/batch/laws-step.c \
	planner/batch/needs.c planner/batch/needs.h \
	planner/batch/noise.c planner/batch/noise.h \
	planner/batch/norms.c planner/batch/norms.h \
	planner/batch/overlap.c planner/batch/overlap.h \
	planner/batch/points.c planner/batch/points.h \
	planner/batch/progress.c planner/batch/progress.h \
	planner/batch/rows.c planner/batch/rows.h \
	planner/batch/words.c planner/batch/words.h \
	planner/catalogue/catalogue.c planner/catalogue/catalogue.h \
	planner/catalogue/csv-offers.c planner/catalogue/ec2instances.c \
	planner/catalogue/offers.h \
	planner/srift/iteration/buckets.c planner/srift/iteration/buckets.h \
	planner/srift/comm/busbw.c planner/srift/comm/busbw.h \
	planner/srift/comm/busbw-plan.c planner/srift/comm/busbw-plan.h \
	planner/srift/comm/busbw-read.c \
	planner/srift/comm/nccl-tests.c planner/srift/comm/nccl-tests.h \
	planner/srift/search/boxes.c planner/srift/search/boxes.h \
	planner/srift/search/choice.c planner/srift/search/choice.h \
	planner/srift/comm/comm.h \
	planner/srift/comm/comm-hubs.c planner/srift/comm/comm-hubs.h \
	planner/srift/comm/hub-costs.c planner/srift/comm/hub-costs.h \
	planner/srift/comm/comm-memo.c planner/srift/comm/comm-memo.h \
	planner/srift/search/eager.c \
	planner/srift/iteration/exchange.c planner/srift/iteration/exchange.h \
	planner/srift/iteration/exchange-least.c planner/srift/iteration/exchange-least.h \
	planner/srift/search/front.c planner/srift/search/front.h \
	planner/srift/iteration/iteration.c planner/srift/iteration/iteration.h \
	planner/srift/iteration/least.c planner/srift/iteration/least.h \
	planner/srift/search/market.c planner/srift/search/market.h \
	planner/srift/search/policies.c planner/srift/search/policies.h \
	planner/srift/search/program.h \
	planner/srift/profile/kineto.c planner/srift/profile/kineto.h \
	planner/srift/profile/kineto-events.c planner/srift/profile/kineto-events.h \
	planner/srift/profile/kineto-profile.c \
	planner/srift/profile/note.c \
	planner/srift/profile/number.c planner/srift/profile/number.h \
	planner/srift/profile/profile.c planner/srift/profile/profile.h \
	planner/srift/profile/profile-read.c planner/srift/profile/profile-write.c \
	planner/srift/search/relax.c planner/srift/search/relax.h \
	planner/srift/search/search.c planner/srift/search/search.h \
	planner/srift/iteration/selection.c planner/srift/iteration/selection.h \
	planner/srift/iteration/sim.c planner/srift/iteration/sim.h \
	planner/srift/iteration/straggler.c planner/srift/iteration/straggler.h \
	planner/srift/iteration/terms.c planner/srift/iteration/terms.h \
	planner/srift/iteration/trace.c \
	planner/srift/search/why.c planner/srift/search/why.h \
	planner/srift/search/within.c planner/srift/search/within.h \
	planner/srift/watch/acts.c planner/srift/watch/answer.c \
	planner/srift/watch/follow.c planner/srift/watch/follow.h \
	planner/srift/watch/history.c planner/srift/watch/history.h \
	planner/srift/watch/hooks.c planner/srift/watch/hooks.h \
	planner/srift/watch/input.c \
	planner/srift/watch/journal.c planner/srift/watch/journal.h \
	planner/srift/watch/nodes.c planner/srift/watch/nodes.h \
	planner/srift/watch/parts.h \
	planner/srift/watch/progress.c planner/srift/watch/progress.h \
	planner/srift/watch/replan.c planner/srift/watch/replan.h \
	planner/srift/watch/restore.c planner/srift/watch/save.c \
	planner/srift/watch/slow.c \
	planner/srift/watch/watch.c planner/srift/watch/watch.h \
	planner/stalls/advice.c planner/stalls/advice.h \
	planner/stalls/law.c planner/stalls/law.h \
	planner/stalls/parts.c planner/stalls/parts.h \
	planner/stalls/predicted.c planner/stalls/predicted.h \
	planner/stalls/runs.c planner/stalls/runs.h planner/stalls/runs-read.c \
	planner/stalls/timeline.c planner/stalls/timeline.h \
	planner/stalls/whatif.c planner/stalls/whatif.h \
	planner/stalls/workload.c planner/stalls/workload.h
if HAVE_GLPK
libplink_planner_a_SOURCES += planner/srift/search/program-glpk.c
else
libplink_planner_a_SOURCES += planner/srift/search/program-none.c
endif
libplink_planner_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(LAPACKE_CFLAGS)
PLANNER_A = libplink-planner.a libplink-json.a $(PREDICT_A) $(LAPACKE_LIBS) $(GLPK_LIBS) \
	$(JANSSON_LIBS) $(ZLIB_LIBS)
PLANNER_LIBS = $(PLANNER_A) $(RNG_LIBS) -lm

# Learned bandwidths stand apart: they alone need XGBoost.
noinst_LIBRARIES += libplink-learned.a
libplink_learned_a_SOURCES = \
	planner/srift/learned/boost.h \
	planner/srift/learned/crossval.c planner/srift/learned/crossval.h \
	planner/srift/learned/features.c \
	planner/srift/learned/grid.c planner/srift/learned/grid.h \
	planner/srift/learned/learned.c planner/srift/learned/learned.h \
	planner/srift/learned/learned-net.c \
	planner/srift/learned/learned-read.c planner/srift/learned/learned-write.c \
	planner/srift/learned/parts.h planner/srift/learned/trees.c
if HAVE_XGBOOST
libplink_learned_a_SOURCES += planner/srift/learned/boost.c
else
libplink_learned_a_SOURCES += planner/srift/learned/boost-none.c
endif
libplink_learned_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(SODIUM_CFLAGS)
LEARNED_A = libplink-learned.a $(PLANNER_A) $(XGBOOST_LIBS)
LEARNED_LIBS = $(LEARNED_A) $(PLANNER_LIBS)

# Prices of plink-srift cost, as an example.
dist_pkgdata_DATA = planner/srift/comm/thesis-prices.json

# Run beside a model, or imported by its script; run by plink-srift grid.
dist_bin_SCRIPTS += planner/srift/profile/plink_profile.py
dist_pkgdata_SCRIPTS = planner/srift/learned/plink_allreduce.py

# Python loads it by itself in what plink-stalls run starts.
stallshookdir = $(pkgdatadir)/stalls
dist_stallshook_DATA = planner/stalls/sitecustomize.py
# There it is beside plink-stalls in a tree that is built.
noinst_DATA += stalls/sitecustomize.py
CLEANFILES += stalls/sitecustomize.py
stalls/sitecustomize.py: $(top_srcdir)/planner/stalls/sitecustomize.py
	$(AM_V_at)$(MKDIR_P) stalls
	$(AM_V_GEN)cp $(top_srcdir)/planner/stalls/sitecustomize.py $@

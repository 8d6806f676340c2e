# SPDX-License-Identifier: BSD-3-Clause
# Tests of predict/.
UNIT_TESTS += \
	tests/predict/unit-bbr tests/predict/unit-predict \
	tests/predict/unit-predict-costs tests/predict/unit-predict-links tests/predict/unit-predict-network \
	tests/predict/unit-predict-path tests/predict/unit-predict-strands
TOOL_TESTS += \
	tests/predict/0860-predict.t tests/predict/0862-predict-32.t
EXTRA_DIST += tests/predict/kept.sh

tests_predict_unit_predict_path_SOURCES = tests/predict/unit-predict-path.c \
	tests/predict/predict-net.h
tests_predict_unit_predict_path_LDADD = $(PREDICT_A) $(UNIT_LIBS)
tests_predict_unit_bbr_SOURCES = tests/predict/unit-bbr.c tests/predict/predict-net.h
tests_predict_unit_bbr_LDADD = $(PREDICT_A) $(UNIT_LIBS)
tests_predict_unit_predict_costs_SOURCES = tests/predict/unit-predict-costs.c \
	tests/predict/predict-net.h
tests_predict_unit_predict_costs_LDADD = $(PREDICT_A) $(UNIT_LIBS)
tests_predict_unit_predict_links_SOURCES = tests/predict/unit-predict-links.c \
	tests/predict/predict-net.h
tests_predict_unit_predict_links_LDADD = $(PREDICT_A) $(UNIT_LIBS)
tests_predict_unit_predict_SOURCES = tests/predict/unit-predict.c tests/predict/predict-net.h
tests_predict_unit_predict_LDADD = $(PREDICT_A) $(UNIT_LIBS)
tests_predict_unit_predict_strands_SOURCES = \
	tests/predict/unit-predict-strands.c tests/predict/predict-net.h
tests_predict_unit_predict_strands_LDADD = $(PREDICT_A) $(UNIT_LIBS)
tests_predict_unit_predict_network_SOURCES = tests/predict/unit-predict-network.c \
	tests/base/matrix-text.h $(FAILALLOC_FILES)
tests_predict_unit_predict_network_LDFLAGS = $(AM_LDFLAGS) $(FAILALLOC_WRAP)
tests_predict_unit_predict_network_LDADD = $(PREDICT_A) $(UNIT_LIBS)

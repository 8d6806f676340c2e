# SPDX-License-Identifier: BSD-3-Clause
# How libraries move messages: what an order's costs need of it, too.
noinst_LIBRARIES += libplink-protocol.a
libplink_protocol_a_SOURCES = predict/protocol.c predict/protocol.h

# The predictor: patterns played out on a network under a library's protocol.
noinst_LIBRARIES += libplink-predict.a
libplink_predict_a_SOURCES = \
	predict/bbr.c predict/bbr.h \
	predict/connections.c \
	predict/events.c predict/events.h \
	predict/links.c predict/links.h \
	predict/network.c predict/network.h \
	predict/packets.c \
	predict/path.c \
	predict/play.c predict/play.h predict/play-init.c \
	predict/predict.c predict/predict.h \
	predict/tcp.c
PREDICT_A = libplink-predict.a libplink-protocol.a $(COST_A)
PREDICT_LIBS = $(PREDICT_A) $(RNG_LIBS) -lm

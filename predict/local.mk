# SPDX-License-Identifier: BSD-3-Clause
# How libraries move messages: what an order's costs need of it, too.
noinst_LTLIBRARIES += libplink-protocol.la
libplink_protocol_la_SOURCES = predict/protocol.c predict/protocol.h

# The predictor: patterns played out on a network under a library's protocol.
noinst_LTLIBRARIES += libplink-predict.la
libplink_predict_la_SOURCES = \
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
libplink_predict_la_LIBADD = -lm
PREDICT_LA = libplink-predict.la libplink-protocol.la $(COST_LA)
PREDICT_LIBS = $(PREDICT_LA) $(RNG_LIBS) -lm

/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend.h - the question to plink-srift recommend, and its answer */
#ifndef PLINK_SRC_SRIFT_RECOMMEND_H
#define PLINK_SRC_SRIFT_RECOMMEND_H

#include "planner/batch/needs.h"
#include "planner/srift/search/policies.h"
#include "planner/srift/search/search.h"
#include "src/srift/history.h"
#include "src/srift/network.h"
#include "src/srift/options.h"
#include "src/srift/risk.h"
#include "src/srift/terms.h"

#include <stdio.h>

#define SRIFT_LIMITS_MAX 4096
/* Networks know one range each. */
#define SRIFT_UNKNOWN_MAX (PL_MARKET_TYPES_MAX + 1)

/* --batch=auto: with which batch does a model of the same quality cost least, or is it ready first?
 * Strings are borrowed from argv. */
struct srift_auto {
	bool on;
	struct srift_histories points; /* plink-batch(1) */
	struct srift_list batches;     /* if none: found by the points */
	uint64_t samples;              /* of the data set; 0: the points' */
	double epochs;                 /* that are needed with a batch of */
	uint64_t epochs_batch;         /* so many samples; 0: not given */
	enum pl_epoch_form form;
	struct pl_epoch_law law;
	/* [batches.n], and dollars or seconds; NaN: there is no choice */
	struct pl_batch_need need[SRIFT_LIST_MAX];
	double value[SRIFT_LIST_MAX];
	size_t best;
};

/* Strings are borrowed from argv. */
struct srift_question {
	struct srift_options o; /* those of predict, as its first member */
	const char *catalogue;
	struct pl_srift_goal goal;
	struct pl_market_rule rule;
	struct pl_market_limit *limit; /* [rule.n_limits] */
	char **excluded;               /* [rule.n_excluded] */
	char **preferred;              /* [rule.n_preferred] */
	uint64_t work;
	double search_s; /* INFINITY: no limit */
	size_t eager;    /* step; 0: search everything */
	bool pareto;
	struct srift_histories history;
	struct srift_histories spot_history; /* plink-lifetimes(5) */
	double confidence;
	double save_s; /* that a checkpoint takes; NaN: of the profile */
	struct srift_auto any;
	size_t n_regions; /* of which rule.region is the best; 0: not compared
			   */
};

/* Returns the exit status. If it is not DONE, or q->o.done is set, nothing more is to be done. End
 * with fini in any case. */
int srift_question_parse(struct srift_question *q, int argc, char **argv);
void srift_question_fini(struct srift_question *q);

/* A rule of thumb and the choice it makes. */
struct srift_policy {
	const char *name;
	bool splits; /* it can distribute the samples */
	bool known;  /* and the network model knows its number of ranks */
	struct pl_quote quote;
};

/* A number of hubs, and the best choice beside them. */
struct srift_case {
	size_t n_hubs;
	bool is_possible; /* there are as many machines for hubs */
	struct pl_market market;
	bool is_open; /* the next two can be used */
	struct srift_hub_network network;
	struct pl_sim sim;
	struct pl_srift_answer answer;
};

/* By number of hubs. Start with {0}, end with fini. */
struct srift_cases {
	struct srift_case *v;
	size_t n;
	struct srift_case *best; /* the only one that is open */
};
void srift_cases_fini(struct srift_cases *cases);

/* Start with {0}, end with fini. */
struct srift_advice {
	const struct srift_question *q;
	struct pl_profile profile;
	struct pl_catalogue catalogue;
	struct pl_market market; /* beside the hubs of the answer */
	struct srift_network network;
	struct srift_cases cases; /* one without hubs, if none are asked for */
	struct pl_srift_answer answer;
	struct pl_iteration_terms terms; /* of the best choice */
	struct srift_policy policy[2];
	struct pl_history history;
	struct pl_replan_times times;
	/* numbers of ranks, from and to, that were not considered */
	size_t unknown[SRIFT_UNKNOWN_MAX][2];
	size_t n_unknown;
	struct srift_risks risks; /* empty without a spot history */
};

/* Reads the files and finds the answer. 0, or -1 with @err set; PL_EPARTIAL: there is no such
 * choice, and why. */
int srift_recommend(struct srift_advice *a, const struct srift_question *q, struct pl_err *err);
/* The same, with *v the dollars or seconds of the answer, in the mean with losses if they count;
 * NaN where there is none, which is no error. Says what came of it, after @what. Chooses the batch
 * if it is to be chosen. */
int srift_try(const struct srift_question *q, const struct pl_replan_times *times, const char *what,
	      double *v, struct pl_err *err);
/* Asks the question for each batch, says the answers, and makes the best one's its goal. 0, or -1
 * with @err set; PL_EPARTIAL: no batch has an answer. */
int srift_choose_batch(struct srift_question *q, const struct pl_replan_times *times,
		       struct pl_err *err);
/* Asks the question for each region of its catalogue, says the answers, and makes the best one's
 * its region: *region, owned by the caller, must be NULL. 0, or -1 with @err set; PL_EPARTIAL: no
 * region has an answer. */
int srift_choose_region(struct srift_question *q, const struct pl_replan_times *times,
			char **region, struct pl_err *err);
void srift_advice_fini(struct srift_advice *a);

/* The work that a search may do from now on. */
struct pl_effort srift_effort(const struct srift_question *q);

/* Searches beside each number of hubs; a->answer and a->market become those of the best. 0, or -1
 * with @err set; PL_EPARTIAL: there are too few machines for hubs. */
int srift_cases_search(struct srift_advice *a, struct pl_err *err);

/* The market of a quote among them. */
const struct pl_market *srift_market_of(const struct srift_advice *a, const struct pl_quote *q);

/* The case without hubs; NULL: none is asked for. */
const struct srift_case *srift_case_without(const struct srift_advice *a);

/* Are the bandwidths of the quote interpolated, and between which ranks? */
bool srift_interpolated(const struct srift_advice *a, const struct pl_quote *q, size_t between[2]);

/* 0, or -1 with @err set. */
int srift_advice_text(const struct srift_advice *a, FILE *out, struct pl_err *err);
int srift_advice_json(const struct srift_advice *a, FILE *out, struct pl_err *err);

/* A choice of machines of the market @m; owned by the caller. */
json_t *srift_quote_json(const struct srift_advice *a, const struct pl_market *m,
			 const struct pl_quote *q);

/* The line of the batch that was chosen, and an array of all batches, owned by the caller. */
void srift_write_batch(const struct srift_auto *a, FILE *out);
json_t *srift_batches_json(const struct srift_auto *a);

/* ", but for choices of 2 to 7 ranks, ...", or nothing where all numbers of ranks were
 * considered. */
void srift_write_unknown(const struct srift_advice *a, FILE *out);

/* "4xp3.8xlarge@1024,...", as --machines of predict takes it. */
void srift_write_choice(const struct pl_market *m, const struct pl_srift_choice *c, FILE *out);

#endif

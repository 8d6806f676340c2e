/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-testbed-rates.c - links passed cut-through */
#include "config.h"

#include "tests/tap.h"
#include "tests/testbed/rates.h"

/* Hosts 0, 1 in rack 0; 2, 3 in rack 1. A byte takes 1 us on a card, 4 us on
 * an uplink. */
static struct tb_rates make(double nic_bps, double uplink_bps)
{
	static const size_t rack[] = {0, 0, 1, 1};
	const struct tb_rates_options opt = {.nic_bps = nic_bps,
					     .uplink_bps = uplink_bps,
					     .n = 4,
					     .n_racks = 2,
					     .rack = rack};
	struct tb_rates rates;

	if (tb_rates_init(&rates, &opt, NULL))
		printf("Bail out! out of memory\n");
	return rates;
}

static struct tb_passage packet(size_t src, size_t dst, int64_t at_ns)
{
	return (struct tb_passage){src, dst, 100, at_ns, at_ns};
}

static void leave(struct tb_rates *rates, struct tb_passage *p)
{
	tb_rates_pass(rates, TB_CARD_OUT, p);
	tb_rates_pass(rates, TB_UPLINK, p);
}

static void arrive(struct tb_rates *rates, struct tb_passage *p)
{
	tb_rates_pass(rates, TB_DOWNLINK, p);
	tb_rates_pass(rates, TB_CARD_IN, p);
}

static void test_free(void)
{
	struct tb_rates rates = make(0, 0);
	struct tb_passage p = packet(0, 3, 500);

	leave(&rates, &p);
	arrive(&rates, &p);
	is_int(p.head_ns, 500, "no rate: the first bit does not wait");
	is_int(p.tail_ns, 500, "nor the last");
	tb_rates_fini(&rates);
}

static void test_card(void)
{
	struct tb_rates rates = make(8e6, 0);
	struct tb_passage a = packet(0, 1, 0), b = packet(0, 2, 30000);
	struct tb_passage c = packet(1, 3, 30000), d = packet(0, 1, 900000);

	leave(&rates, &a);
	is_int(a.head_ns, 0, "an idle card sends at once");
	is_int(a.tail_ns, 100000, "the last bit comes a packet's time later");
	leave(&rates, &b);
	is_int(b.head_ns, 100000, "the next packet waits for the card");
	is_int(b.tail_ns, 200000, "and takes its own time");
	leave(&rates, &c);
	is_int(c.head_ns, 30000, "another host's card is free");
	leave(&rates, &d);
	is_int(d.head_ns, 900000, "an idle time is not saved up");
	arrive(&rates, &a);
	is_int(a.tail_ns, 100000, "cut-through: a second card adds no time");
	tb_rates_fini(&rates);
}

static void test_receiver(void)
{
	struct tb_rates rates = make(8e6, 0);
	struct tb_passage a = packet(0, 3, 0), b = packet(1, 3, 0);

	leave(&rates, &a);
	leave(&rates, &b);
	is_int(b.head_ns, 0, "two senders do not wait for each other");
	arrive(&rates, &a);
	arrive(&rates, &b);
	is_int(a.tail_ns, 100000, "at one receiver the first is through");
	is_int(b.tail_ns, 200000, "and the second waits");
	tb_rates_fini(&rates);
}

static void test_uplink(void)
{
	struct tb_rates rates = make(8e6, 2e6);
	struct tb_passage a = packet(0, 2, 0), b = packet(1, 3, 0);
	struct tb_passage c = packet(0, 1, 0), back = packet(2, 0, 0);

	leave(&rates, &a);
	is_int(a.tail_ns, 400000, "the slowest link sets the time");
	leave(&rates, &b);
	is_int(b.head_ns, 400000, "hosts of a rack share the uplink");
	is_int(b.tail_ns, 800000, "all of it");
	leave(&rates, &c);
	is_int(c.tail_ns, 200000, "within the rack only the card counts");
	leave(&rates, &back);
	is_int(back.head_ns, 0, "the other direction is another link");
	arrive(&rates, &a);
	arrive(&rates, &b);
	is_int(a.tail_ns, 400000, "the far uplink adds no time");
	is_int(b.tail_ns, 800000, "to neither");
	tb_rates_fini(&rates);
}

int main(void)
{
	test_free();
	test_card();
	test_receiver();
	test_uplink();
	return done_testing();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-testbed-rates.c - links passed cut-through */
#include "config.h"

#include "tests/tap.h"
#include "tests/testbed/network/rates.h"

/* Hosts 0, 1 in rack 0; 2, 3 in rack 1, which is alone in row 2. */
static struct pl_tiers tiers_of(double nic_bps, double uplink_bps)
{
	struct pl_tiers t;

	if (pl_tiers_init(&t, 4, NULL) || pl_tiers_add_group(&t) != 0 ||
	    pl_tiers_add_group(&t) != 1 || pl_tiers_add_group(&t) != 2)
		printf("Bail out! out of memory\n");
	t.within[1] = 2;
	for (size_t h = 0; h < 4; h++) {
		t.rack[h] = h / 2;
		t.card[h] = (struct pl_link_rate){nic_bps, nic_bps};
	}
	for (size_t g = 0; g < 2; g++)
		t.uplink[g] = (struct pl_link_rate){uplink_bps, uplink_bps};
	return t;
}

static struct tb_rates make_of(struct pl_tiers *t)
{
	struct tb_rates rates;

	if (tb_rates_init(&rates, t, NULL))
		printf("Bail out! out of memory\n");
	pl_tiers_fini(t);
	return rates;
}

/* With 8 Mbit/s a byte takes 1 us on a card, with 2 Mbit/s 4 us on an
 * uplink. */
static struct tb_rates make(double nic_bps, double uplink_bps)
{
	struct pl_tiers t = tiers_of(nic_bps, uplink_bps);

	return make_of(&t);
}

static struct tb_passage packet(const struct tb_rates *rates, size_t src, size_t dst, int64_t at_ns)
{
	return (struct tb_passage){tb_rates_way(rates, src, dst), 100, at_ns, at_ns};
}

static void leave(struct tb_rates *rates, struct tb_passage *p)
{
	for (size_t hop = 0; hop < p->way->n_near; hop++)
		tb_rates_pass(rates, hop, p);
}

static void arrive(struct tb_rates *rates, struct tb_passage *p)
{
	for (size_t hop = p->way->n_near; hop < p->way->n_links; hop++)
		tb_rates_pass(rates, hop, p);
}

static void test_free(void)
{
	struct tb_rates rates = make(0, 0);
	struct tb_passage p = packet(&rates, 0, 3, 500);

	leave(&rates, &p);
	arrive(&rates, &p);
	is_int(p.head_ns, 500, "no rate: the first bit does not wait");
	is_int(p.tail_ns, 500, "nor the last");
	tb_rates_fini(&rates);
}

static void test_card(void)
{
	struct tb_rates rates = make(8e6, 0);
	struct tb_passage a = packet(&rates, 0, 1, 0), b = packet(&rates, 0, 2, 30000);
	struct tb_passage c = packet(&rates, 1, 3, 30000), d = packet(&rates, 0, 1, 900000);

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
	struct tb_passage a = packet(&rates, 0, 3, 0), b = packet(&rates, 1, 3, 0);

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
	struct tb_passage a = packet(&rates, 0, 2, 0), b = packet(&rates, 1, 3, 0);
	struct tb_passage c = packet(&rates, 0, 1, 0), back = packet(&rates, 2, 0, 0);

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

/* Both ends and both ways of a card apart. */
static void test_unequal(void)
{
	struct pl_tiers t = tiers_of(8e6, 0);
	struct tb_rates rates;
	struct tb_passage to, from;

	t.card[1] = (struct pl_link_rate){.out_bps = 4e6, .in_bps = 2e6};
	rates = make_of(&t);
	to = packet(&rates, 0, 1, 0);
	leave(&rates, &to);
	is_int(to.tail_ns, 100000, "out of a fast card");
	arrive(&rates, &to);
	is_int(to.tail_ns, 400000, "into a slow one");
	from = packet(&rates, 1, 0, 0);
	leave(&rates, &from);
	arrive(&rates, &from);
	is_int(from.tail_ns, 200000, "out of it at another rate");
	tb_rates_fini(&rates);
}

/* Through a rack's and a row's uplink, each way of each with a rate of its
 * own. */
static void test_tiers(void)
{
	struct pl_tiers t = tiers_of(0, 0);
	struct tb_rates rates;
	struct tb_passage up, second, down;

	t.uplink[1] = (struct pl_link_rate){.out_bps = 8e6, .in_bps = 4e6};
	t.uplink[2] = (struct pl_link_rate){.out_bps = 2e6, .in_bps = 1e6};
	rates = make_of(&t);
	up = packet(&rates, 2, 0, 0);
	is_int(up.way->n_near, 3, "out: card, rack, row");
	is_int(up.way->n_links, 5, "in: rack, card");
	ok(tb_rates_is_open(&rates, up.way, 0) && !tb_rates_is_open(&rates, up.way, 1) &&
		   !tb_rates_is_open(&rates, up.way, 2) && tb_rates_is_open(&rates, up.way, 3),
	   "the rack's and the row's are no others'");
	tb_rates_pass(&rates, 1, &up);
	is_int(up.tail_ns, 100000, "the rack's uplink");
	tb_rates_pass(&rates, 2, &up);
	is_int(up.tail_ns, 400000, "then the row's");
	second = packet(&rates, 3, 1, 0);
	leave(&rates, &second);
	is_int(second.head_ns, 400000, "which its racks share");
	down = packet(&rates, 1, 3, 0);
	is_int(down.way->n_near, 2, "the other way");
	tb_rates_pass(&rates, 2, &down);
	is_int(down.tail_ns, 800000, "into the row, then");
	tb_rates_pass(&rates, 3, &down);
	is_int(down.tail_ns, 800000, "into the rack, cut-through");
	is_int(packet(&rates, 2, 3, 0).way->n_links, 2, "in a rack: cards");
	tb_rates_fini(&rates);
}

static void test_change(void)
{
	const struct pl_link_rate card[4] = {{.out_bps = 4e6}, {2e6, 2e6}};
	const struct pl_link_rate uplink[3] = {{0}, {.in_bps = 1e6}};
	struct tb_rates rates = make(8e6, 0);
	struct tb_passage a = packet(&rates, 0, 2, 0), b = a, c = a;

	leave(&rates, &a);
	tb_rates_change(&rates, card, uplink);
	leave(&rates, &b);
	is_int(b.head_ns, 100000, "a change: the line at a link stays");
	is_int(b.tail_ns, 300000, "and the next packet has the new rate");
	arrive(&rates, &b);
	is_int(b.tail_ns, 900000, "an uplink that had none has one");
	c = packet(&rates, 2, 0, 0);
	leave(&rates, &c);
	is_int(c.tail_ns, 100000, "what the change does not name stays");
	tb_rates_fini(&rates);
}

int main(void)
{
	test_free();
	test_card();
	test_receiver();
	test_uplink();
	test_unequal();
	test_tiers();
	test_change();
	return done_testing();
}

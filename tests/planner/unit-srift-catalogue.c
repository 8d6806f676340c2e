/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-catalogue.c - catalogues: nonsense with its place, prices */
#include "config.h"

#include "planner/catalogue/catalogue.h"
#include "tests/tap.h"

#include <math.h>

static int parse(struct pl_catalogue *c, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*c = (struct pl_catalogue){0};
	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "c", s, strlen(s), err))
		return -1;
	rc = pl_catalogue_parse(c, &text, err);
	pl_text_fini(&text);
	return rc;
}

#define SKY "InstanceType,Price,SpotPrice,Region,AvailabilityZone\n"
#define EC2 "{\"instance_type\": \"a\",\n\"pricing\": {\"r\": {\"linux\": "

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"", 1, 1, "the file is empty"},
	{"# only\n\n", 1, 1, "the file is empty"},
	{"type,price\na,1\n", 1, 1, "no column is called instance"},
	{"instance,region\na,r\n", 1, 1, "no column has prices"},
	{"instance,price,price\na,1,1\n", 1, 16, "\"price\" comes again"},
	{"instance,price\na\n", 2, 1, "1 columns, not 2"},
	{"instance,price\na,1,2\n", 2, 5, "3 columns, not 2"},
	{"instance,price\na,\n", 2, 1, "a has no price"},
	{"instance,price\n,1\n", 2, 1, "without a name"},
	{"instance,price\na,-0.5\n", 2, 3, "a price of -0.5"},
	{"instance,price\na,nan\n", 2, 3, "\"nan\" is not a price"},
	{"instance,price\na,1e7\n", 2, 3, "1e+07 dollars"},
	{"instance,price\na,$1\n", 2, 3, "\"$1\" is not a price"},
	{"instance,price,available\na,1,0\n", 2, 5, "\"0\" is not a number of machines"},
	{"instance,price,available\na,1,-1\n", 2, 5, "\"-1\" is not a number"},
	{"instance,spot,spot_available\na,1,1.5\n", 2, 5, "\"1.5\" is not a number"},
	{"instance,price\n\"a,1\n", 2, 1, "quote"},
	{SKY "a,1,-1,r,z\n", 2, 5, "a price of -1"},
	{SKY "a,1,1,r\n", 2, 7, "4 columns, not 5"},
	{"[]", 1, 1, "0 elements"},
	{"[1]", 1, 2, "an object is wanted"},
	{"[{\"instance_type\": \"a\"}]", 1, 2, "\"pricing\": it is missing"},
	{"{\"pricing\": {}}", 1, 1, "\"instance_type\""},
	{EC2 "{}}}}", 1, 1, "no instance has a Linux price"},
	{"{\"instance_type\": \"a\", \"pricing\": {}}", 1, 1, "no instance has a Linux price"},
	{EC2 "{\"ondemand\": \"-1\"}}}}", 2, 41, "a price of -1"},
	{EC2 "{\"ondemand\": \"x\"}}}}", 2, 41, "this is not a price"},
	{EC2 "{\"ondemand\": [1]}}}}", 2, 41, "this is not a price"},
	{EC2 "7}}}", 2, 28, "an object is wanted"},
	{EC2 "{\"ondemand\": \"1\"", 2, 43, "expected"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_catalogue c;
		struct pl_err err;
		const int rc = parse(&c, bad[i].text, &err);

		if (!ok(rc == -1 && err.code == PL_EINPUT && !c.offer && !c.file &&
				err.line == bad[i].line && err.col == bad[i].col &&
				strstr(err.text, bad[i].part),
			"refused: %s", bad[i].part))
			printf("# %d %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		pl_catalogue_fini(&c);
	}
}

static void test_own(void)
{
	struct pl_catalogue c;
	struct pl_err err;

	is_int(parse(&c,
		     "# prices\nzone,spot_available,spot,instance,other\n"
		     "z,3,0.5,\"a.b\",\"x, y\"\n\n,, 0 , c ,\n",
		     &err),
	       0, "our own");
	is_int((int64_t)c.n, 2, "two offers");
	if (c.n == 2) {
		is_str(c.offer[0].instance, "a.b", "without quotes");
		is_str(c.offer[0].zone, "z", "its zone");
		ok(c.offer[0].price[PL_SPOT] == 0.5 && isnan(c.offer[0].price[PL_ON_DEMAND]) &&
			   c.offer[0].available[PL_SPOT] == 3 &&
			   c.offer[0].available[PL_ON_DEMAND] == 0,
		   "prices and how many");
		ok(c.offer[1].price[PL_SPOT] == 0 && c.offer[1].line == 5 &&
			   strcmp(c.offer[1].instance, "c") == 0,
		   "0 is a price, and blanks do not count");
	}
	pl_catalogue_fini(&c);
}

static void test_skypilot(void)
{
	struct pl_catalogue c;
	struct pl_err err;

	is_int(parse(&c, SKY "a,1.5,,r,z1\r\n,8,2,r,z1\r\na,,0.4,r,z2\r\nb,,0,r,\r\n", &err), 0,
	       "SkyPilot's");
	is_int((int64_t)c.n, 3, "what is no machine is passed over");
	if (c.n == 3) {
		ok(c.offer[0].price[PL_ON_DEMAND] == 1.5 && isnan(c.offer[0].price[PL_SPOT]),
		   "an empty price is none");
		ok(c.offer[1].price[PL_SPOT] == 0.4 && strcmp(c.offer[1].zone, "z2") == 0,
		   "another zone");
		ok(isnan(c.offer[2].price[PL_SPOT]) && c.offer[2].line == 5, "nor is 0 one");
	}
	pl_catalogue_fini(&c);
}

static void test_gpus(void)
{
	struct pl_catalogue c;
	struct pl_err err;

	is_int(parse(&c,
		     "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region,"
		     "AvailabilityZone\n"
		     "a2-highgpu-8g,,,5.92,1.5,r,z1\ng2-standard-48,,,2,1,r,z1\n"
		     "a2-highgpu-8g,,,5.92,1.5,r,z2\na9-newgpu-8g,,,5,1,r,z1\n"
		     "n1-standard-8,,,1,0.5,r,z1\np4,A100,8.0,32,9,r,z1\n"
		     ",A100,1.0,2.93,1,r,z1\n,A100,8.0,23.47,8,r,z1\n,L4,4.0,3,,r,z1\n",
		     &err),
	       0, "SkyPilot's of Google: GPUs have lines of their own");
	is_int((int64_t)c.n, 6, "machines");
	ok(c.n == 6 && fabs(c.offer[0].price[PL_ON_DEMAND] - 29.39) < 1e-9 &&
		   c.offer[0].price[PL_SPOT] == 9.5 && c.offer[1].price[PL_ON_DEMAND] == 5 &&
		   isnan(c.offer[1].price[PL_SPOT]),
	   "the price is that of both");
	ok(c.n == 6 && isnan(c.offer[2].price[PL_ON_DEMAND]) &&
		   isnan(c.offer[3].price[PL_ON_DEMAND]),
	   "without that of the GPUs there is none");
	ok(c.n == 6 && c.offer[4].price[PL_ON_DEMAND] == 1 && c.offer[5].price[PL_ON_DEMAND] == 32,
	   "others stay as they are");
	pl_catalogue_fini(&c);
}

static const char ec2[] = "[{\"instance_type\": \"a\", \"GPU\": 1, \"pricing\": {\n"
			  " \"r\": {\"linux\": {\"ondemand\": \"2.5\", \"spot_avg\": \"0.75\"}},\n"
			  " \"s\": {\"linux\": {\"ondemand\": 3, \"spot_avg\": \"N/A\"}},\n"
			  " \"t\": {\"mswin\": {\"ondemand\": \"9\"}}}}]";

/* mac1.metal runs no Linux; that one of many has no price is no reason to refuse all. */
static const char some[] = "[{\"instance_type\": \"mac\", \"pricing\": {\"r\": {\"mac\": {}}}},\n"
			   " {\"instance_type\": \"b\", \"pricing\": {\n"
			   "  \"r\": {\"linux\": {\"ondemand\": \"N/A\"}},\n"
			   "  \"s\": {\"linux\": {\"ondemand\": \"1\"}}}},\n"
			   " {\"instance_type\": \"c\", \"pricing\": {\n"
			   "  \"r\": {\"linux\": {\"ondemand\": \"\", \"spot_avg\": null}}}}]";

static void test_unpriced(void)
{
	struct pl_catalogue c;
	struct pl_err err;

	is_int(parse(&c, some, &err), 0, "some without a price of Linux");
	is_int((int64_t)c.n, 1, "the other is there");
	is_int((int64_t)c.n_unpriced, 2, "and they are counted");
	is_str(c.unpriced, "mac", "the first is named");
	pl_catalogue_fini(&c);
}

static void test_ec2instances(void)
{
	struct pl_catalogue c;
	struct pl_err err;

	is_int(parse(&c, ec2, &err), 0, "ec2instances'");
	is_int((int64_t)c.n, 2, "of the regions that have prices for Linux");
	if (c.n == 2)
		ok(c.offer[0].price[PL_ON_DEMAND] == 2.5 && c.offer[0].price[PL_SPOT] == 0.75 &&
			   strcmp(c.offer[0].region, "r") == 0 &&
			   c.offer[1].price[PL_ON_DEMAND] == 3 && isnan(c.offer[1].price[PL_SPOT]),
		   "strings, numbers, and what is not available");
	pl_catalogue_fini(&c);
}

int main(void)
{
	test_nonsense();
	test_own();
	test_skypilot();
	test_gpus();
	test_ec2instances();
	test_unpriced();
	return done_testing();
}

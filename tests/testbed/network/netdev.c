/* SPDX-License-Identifier: BSD-3-Clause */
/* netdev.c - network devices of the calling thread's network namespace */
#include "config.h"

#include "tests/testbed/network/netdev.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Packets the device holds until the daemon reads them: more than all windows of a busy host, so
 * that only --loss loses. */
#define QUEUE_PACKETS 8192

int tb_tun_open(struct pl_err *err)
{
	const unsigned offload = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6;
	struct ifreq ifr = {.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR};
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return pl_err_errno(err, "cannot open /dev/net/tun");
	strcpy(ifr.ifr_name, TB_DEVICE);
	if (ioctl(fd, TUNSETIFF, &ifr)) {
		pl_err_errno(err, "cannot make a TUN device");
		goto fail;
	}
	if (ioctl(fd, TUNSETOFFLOAD, offload)) {
		pl_err_errno(err, "the TUN device refuses offloads");
		goto fail;
	}
	return fd;
fail:
	close(fd);
	return -1;
}

static void set_address(struct ifreq *ifr, uint32_t addr)
{
	struct sockaddr_in in = {.sin_family = AF_INET};

	in.sin_addr.s_addr = htonl(addr);
	memcpy(&ifr->ifr_addr, &in, sizeof(in));
}

static int set_queue(int fd, struct ifreq *ifr)
{
	ifr->ifr_qlen = QUEUE_PACKETS;
	return ioctl(fd, SIOCSIFTXQLEN, ifr);
}

static int set_up(int fd, struct ifreq *ifr)
{
	if (ioctl(fd, SIOCGIFFLAGS, ifr))
		return -1;
	ifr->ifr_flags |= IFF_UP;
	return ioctl(fd, SIOCSIFFLAGS, ifr);
}

int tb_link_up(const char *device, struct tb_address address, struct pl_err *err)
{
	struct ifreq ifr = {0};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret = -1;

	if (fd < 0)
		return pl_err_errno(err, "cannot open a socket");
	strncpy(ifr.ifr_name, device, IFNAMSIZ - 1);
	set_address(&ifr, address.addr);
	if (ioctl(fd, SIOCSIFADDR, &ifr)) {
		pl_err_errno(err, "cannot give %s an address", device);
		goto out;
	}
	set_address(&ifr, 0xffffffffu << (32 - address.bits));
	if (ioctl(fd, SIOCSIFNETMASK, &ifr) || set_queue(fd, &ifr) || set_up(fd, &ifr)) {
		pl_err_errno(err, "cannot set %s up", device);
		goto out;
	}
	ret = 0;
out:
	close(fd);
	return ret;
}

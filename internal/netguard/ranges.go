package netguard

import "net/netip"

// globalUnicast is the only part of the IPv6 space that is allocated.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// A reserved range is one that IANA's special-purpose registries exclude from the global address space.
type reserved struct {
	prefix  netip.Prefix
	use     string
	private bool // AllowPrivate may allow it
}

// ranges are checked in order, narrower ranges first. IPv4-mapped IPv6 addresses are checked as IPv4; those behind a
// translator (NAT64, 6to4, Teredo) are always rejected.
var ranges = []reserved{
	{netip.MustParsePrefix("0.0.0.0/8"), "this network", false},
	{netip.MustParsePrefix("10.0.0.0/8"), "private", true},
	{netip.MustParsePrefix("100.100.100.200/32"), "cloud metadata", false},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT", true},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback", true},
	{netip.MustParsePrefix("168.63.129.16/32"), "cloud metadata", false},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local, cloud metadata", false},
	{netip.MustParsePrefix("172.16.0.0/12"), "private", true},
	{netip.MustParsePrefix("192.0.0.0/24"), "protocol assignments", false},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation", false},
	{netip.MustParsePrefix("192.88.99.0/24"), "6to4 relay", false},
	{netip.MustParsePrefix("192.168.0.0/16"), "private", true},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking", false},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation", false},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation", false},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast", false},
	{netip.MustParsePrefix("255.255.255.255/32"), "broadcast", false},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved", false},
	{netip.MustParsePrefix("::/128"), "unspecified", false},
	{netip.MustParsePrefix("::1/128"), "loopback", true},
	{netip.MustParsePrefix("64:ff9b::/96"), "translated IPv4", false},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "translated IPv4, local", false},
	{netip.MustParsePrefix("100::/64"), "discard", false},
	{netip.MustParsePrefix("2001:db8::/32"), "documentation", false},
	{netip.MustParsePrefix("2001::/23"), "protocol assignments, Teredo", false},
	{netip.MustParsePrefix("2002::/16"), "6to4", false},
	{netip.MustParsePrefix("3fff::/20"), "documentation", false},
	{netip.MustParsePrefix("5f00::/16"), "segment routing", false},
	{netip.MustParsePrefix("fd00:ec2::/32"), "cloud metadata", false},
	{netip.MustParsePrefix("fc00::/7"), "private", true},
	{netip.MustParsePrefix("fe80::/10"), "link-local", false},
	{netip.MustParsePrefix("fec0::/10"), "site-local", false},
	{netip.MustParsePrefix("ff00::/8"), "multicast", false},
}

//! Which addresses are on the public internet: everything that the registries of special addresses
//! (IANA, after RFC 6890) set apart is not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Blocks that are not public: the first address, how many bits count, what they are.
const V4: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8, "this machine"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "a private network"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "a provider's own network"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "this machine"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "the local link, where clouds serve their metadata"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "a private network"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "reserved for protocols"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "for documentation"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "a retired relay"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "a private network"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "for measurements"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "for documentation"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "for documentation"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "multicast"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "reserved"),
];

/// The same of IPv6, inside the block of global addresses (`2000::/3`) and out of it.
const V6: &[(Ipv6Addr, u32, &str)] = &[
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0, 0, 1), 128, "this machine"),
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0, 0, 0), 128, "this machine"),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "reserved for protocols"),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "for documentation"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "for documentation"),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, "a private network"),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, "the local link"),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, "multicast"),
];

/// Blocks of IPv6 whose addresses lead to the IPv4 address in them, and the bit it begins at.
const EMBEDDED: &[(Ipv6Addr, u32, u32)] = &[
    // IPv4-mapped
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96, 96),
    // NAT64: on a network of IPv6 only, all of IPv4 is reached by it.
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96, 96),
    // 6to4
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, 16),
];

/// What an address is, if it is not one of a host on the public internet.
pub(super) fn not_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => v6(address),
    }
}

fn v4(address: Ipv4Addr) -> Option<&'static str> {
    let within = |block: Ipv4Addr, bits: u32| (address.to_bits() ^ block.to_bits()) >> (32 - bits) == 0;
    V4.iter().find(|(block, bits, _)| within(*block, *bits)).map(|(_, _, what)| *what)
}

fn v6(address: Ipv6Addr) -> Option<&'static str> {
    let bits_of = address.to_bits();
    let within = |block: Ipv6Addr, bits: u32| (bits_of ^ block.to_bits()) >> (128 - bits) == 0;
    if let Some((_, _, at)) = EMBEDDED.iter().find(|(block, bits, _)| within(*block, *bits)) {
        let [.., a, b, c, d] = (bits_of >> (96 - at)).to_be_bytes();
        return v4(Ipv4Addr::new(a, b, c, d));
    }
    let set_apart = V6.iter().find(|(block, bits, _)| within(*block, *bits)).map(|(_, _, what)| *what);
    let global = within(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
    set_apart.or((!global).then_some("reserved"))
}

#[cfg(test)]
mod tests {
    use super::not_public;

    #[test]
    fn only_what_is_public_is_reached() {
        let public = "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 \
             169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255 192.167.255.255 \
             192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 203.0.112.255 203.0.114.0 223.255.255.255 \
             2606:4700:4700::1111 2001:200:: 2001:4860:4860::8888 2400:: 3ffe:: ::ffff:8.8.8.8 64:ff9b::8.8.8.8 \
             2002:808:808::1";
        let others = [
            ("this machine", "0.0.0.0 0.1.2.3 127.0.0.1 127.255.255.255 ::1 :: ::ffff:127.0.0.1 64:ff9b::7f00:1"),
            ("this machine", "2002:7f00:1::1 ::ffff:0.0.0.0"),
            ("private", "10.0.0.1 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 fc00::"),
            ("private", "fdff::1 ::ffff:10.0.0.1 64:ff9b::192.168.1.1 2002:c0a8:101::"),
            ("provider", "100.64.0.0 100.127.255.255"),
            ("local link", "169.254.0.0 169.254.169.254 fe80::1 febf:: ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe"),
            ("documentation", "192.0.2.1 198.51.100.1 203.0.113.255 2001:db8::1 3fff:fff::"),
            ("measurements", "198.18.0.0 198.19.255.255"),
            ("multicast", "224.0.0.1 239.255.255.255 ff02::1"),
            ("protocols", "192.0.0.1 2001::1 2001:1ff::"),
            ("relay", "192.88.99.1"),
            // Among them: addresses of IPv4 in the old compatible form, a local NAT64, site-local.
            ("reserved", "240.0.0.1 255.255.255.255 ::7f00:1 64:ff9b:1::1 fec0::1 4000:: 5f00::1 100::1 1fff::"),
        ];
        let rows = others.iter().map(|(what, list)| (Some(*what), *list)).chain([(None, public)]);
        let mut wrong = Vec::new();
        for (want, address) in rows.flat_map(|(want, list)| list.split_whitespace().map(move |one| (want, one))) {
            let got = not_public(address.parse().unwrap());
            let right = match (want, got) {
                (None, None) => true,
                (Some(want), Some(got)) => got.contains(want),
                (None, Some(_)) | (Some(_), None) => false,
            };
            if !right {
                wrong.push(format!("{address}: {got:?}, not {want:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

"""Whether a domain accepts mail, by its MX records. Queries only the machine's own name servers."""

from collections.abc import Awaitable, Callable
from typing import Final

import dns.asyncresolver
import dns.exception
import dns.resolver

TakesMail = Callable[[str], Awaitable[bool | None]]

_SECONDS: Final = 5.0


async def takes_mail(domain: str) -> bool | None:
    """Whether it has a mail exchanger, or an address in its place; None if no name server answers.

    A null MX (RFC 7505) says that it takes none.
    """
    resolver = dns.asyncresolver.Resolver()
    resolver.lifetime = _SECONDS
    try:
        found = await resolver.resolve(domain, "MX")
    except dns.resolver.NXDOMAIN:
        return False
    except dns.resolver.NoAnswer:
        return await _has_address(resolver, domain)
    except (dns.exception.DNSException, OSError):
        return None
    return any(str(row.exchange) != "." for row in found)


async def _has_address(resolver: dns.asyncresolver.Resolver, domain: str) -> bool | None:
    try:
        await resolver.resolve(domain, "A")
    except (dns.resolver.NoAnswer, dns.resolver.NXDOMAIN):
        return False
    except (dns.exception.DNSException, OSError):
        return None
    return True

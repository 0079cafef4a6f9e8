import { BlockList, isIP } from 'node:net'

/** Parts of a request that tell where it came from. */
export type RequestOrigin = { socket: { remoteAddress?: string | undefined }; headers: NodeJS.Dict<string | string[]> }

/**
 * Returns a function that reads the address of a request's sender: the address of the connection or, behind trusted
 * proxies (addresses or CIDR ranges), the last address in X-Forwarded-For that isn't a proxy. An IPv6 sender is its
 * /64, because one customer owns the whole /64.
 */
export function senderReader(trustedProxies: readonly string[]): (request: RequestOrigin) => string {
  const isTrusted = addressMatcher(trustedProxies)

  return ({ socket, headers }) => {
    const hops = [...String(headers['x-forwarded-for'] ?? '').split(','), socket.remoteAddress ?? ''].map(normalizeIp)
    let sender = hops.pop() ?? ''
    while (isTrusted(sender) && isIP(hops.at(-1) ?? '') !== 0) sender = hops.pop() ?? ''
    return isIP(sender) === 6 ? subnetOf(sender) : sender
  }
}

/** Checks whether a socket's address is one of the given addresses or in one of the given ranges. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList()
  for (const range of ranges) addRange(trusted, range)
  return (address) => {
    const ip = normalizeIp(address)
    return isIP(ip) !== 0 && trusted.check(ip, isIP(ip) === 4 ? 'ipv4' : 'ipv6')
  }
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/** Normalizes an address: IPv4 over an IPv6 socket becomes plain IPv4. */
const normalizeIp = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** Returns the network of a `senderReader` address, as given to one customer: an IPv4 /24 or an IPv6 /48. */
export function networkOf(sender: string): string {
  if (isIP(sender) === 4) return `${sender.split('.').slice(0, 3).join('.')}.0/24`
  return sender.endsWith('::/64') ? `${sender.split(':').slice(0, 3).join(':')}::/48` : sender
}

function subnetOf(address: string): string {
  const groups = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::')
  const [head = [], tail = []] = groups.map((part) => part.split(':').filter((group) => group !== ''))
  const whole =
    groups.length === 1 ? head : [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
  return `${whole.slice(0, 4).join(':')}::/64`
}

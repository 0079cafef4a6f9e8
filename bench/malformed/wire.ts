import type { OutgoingHttpHeaders } from 'node:http'
import type { Random } from '../cost/genes.ts'
import { methodOf, type Sent } from '../cost/requests.ts'
import { MALFORMED } from './values.ts'

/** Request as sent over the wire, with any method. */
export type Wired = Sent & { method: string }

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']
const TYPES = [
  '',
  'text/plain',
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=latin1',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'a'.repeat(300)}`,
  'application/xml',
  ';',
]
/** Invalid UTF-8: an overlong '/', a surrogate, and a code point beyond Unicode. */
const OVERLONG = Buffer.from('c0afe080afeda080f4908080', 'hex')
const BYTES = [0x00, 0x80, 0xc0, 0xed, 0xa0, 0xfe, 0xff, 0x22, 0x5c, 0x7b, 0x5d, 0x25, 0x26, 0x3d, 0x0d, 0x0a]

export const withMethod = (sent: Sent): Wired => ({ ...sent, method: methodOf(sent) })

/** Breaks a request as a whole: its body, its headers, its method or its path. */
export function breakRequest(random: Random, sent: Sent): Wired {
  const wired = withMethod(sent)
  return random.of<() => Wired>([
    () => ({ ...wired, body: sent.body.subarray(0, Math.floor(random.next() * sent.body.length)) }),
    () => ({ ...wired, body: flipBytes(random, sent.body) }),
    () => ({ ...wired, body: Buffer.concat([sent.body, Buffer.from([random.of(BYTES), random.of(BYTES)])]) }),
    () => ({ ...wired, body: Buffer.from(random.of(MALFORMED)) }),
    () => ({ ...wired, body: Buffer.concat([OVERLONG, sent.body, OVERLONG]) }),
    () => ({ ...wired, body: duplicateNames(sent.body) }),
    () => ({ ...wired, headers: { ...sent.headers, 'content-type': random.of(TYPES) } }),
    () => ({ ...wired, headers: withStrangeHeader(random, sent.headers) }),
    () => ({ ...wired, method: random.of(METHODS) }),
    () => ({
      ...wired,
      path: `${sent.path}${random.of(['%', '%zz', '/..', '//', '/%2e%2e', '?', '?&=&&', '?a=%ff', '?q=%c0%af%ed%a0%80', '#a', '/\u00e9'])}`,
    }),
    () => ({
      ...wired,
      path: sent.path.replace(
        /[0-9a-f]{8}-[0-9a-f-]{27}/,
        random.of(['a', '0', '%00', '-'.repeat(36), 'a'.repeat(300), '[object Object]']),
      ),
    }),
  ])()
}

/** Returns a body with some bytes changed. */
function flipBytes(random: Random, body: Buffer): Buffer {
  const changed = Buffer.from(body)
  for (let i = 0; i < 3 && changed.length > 0; i++)
    changed[Math.floor(random.next() * changed.length)] = random.of(BYTES)
  return changed
}

/** Returns a body with each name of its object twice. */
const duplicateNames = (body: Buffer): Buffer => {
  const text = body.toString('latin1')
  return Buffer.from(text.startsWith('{') ? `${text.slice(0, -1)},${text.slice(1)}` : `${text}&${text}`, 'latin1')
}

const withStrangeHeader = (random: Random, headers: OutgoingHttpHeaders): OutgoingHttpHeaders => ({
  ...headers,
  ...random.of<OutgoingHttpHeaders>([
    { authorization: 'Bearer' },
    { authorization: `Bearer ${'a'.repeat(4_000)}` },
    { authorization: 'Basic %%%' },
    { accept: '*/*;q=a, ,;' },
    { 'accept-language': `${'x-'.repeat(500)}a` },
    { cookie: '=; ==; a' },
    { cookie: 'session=%ff%fe; __Host-session=a' },
    { 'if-none-match': '"' },
    { 'if-modified-since': 'yesterday' },
    { range: 'bytes=9-1,-,a-b' },
    { origin: 'null' },
    { host: 'evil.example' },
    { 'x-forwarded-for': 'a, , 999.1.1.1' },
    { 'x-forwarded-proto': 'gopher' },
    { 'mcp-protocol-version': '0000-00-00' },
    { 'mcp-session-id': 'a b' },
    { 'last-event-id': '\u00ff' },
    { 'content-encoding': 'gzip' },
    { expect: '100-continue' },
    { 'idempotency-key': 'a'.repeat(2_000) },
  ]),
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkOf, senderReader } from './addresses.ts'

const requestFrom = (remoteAddress: string | undefined, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: { 'x-forwarded-for': forwarded },
})

describe('the client address', () => {
  it("is the connection's address without trusted proxies, whatever the header says", () => {
    assert.equal(senderReader([])(requestFrom('203.0.113.5', '198.51.100.7')), '203.0.113.5')
  })

  it('is the last forwarded address that is not a trusted proxy', () => {
    const senderOf = senderReader(['10.0.0.0/8', '::1'])
    assert.equal(senderOf(requestFrom('10.0.0.1', '192.0.2.66, 198.51.100.7, 10.1.2.3')), '198.51.100.7')
    assert.equal(senderOf(requestFrom('::1', '198.51.100.7')), '198.51.100.7')
    assert.equal(senderOf(requestFrom('203.0.113.5', '198.51.100.7')), '203.0.113.5')
  })

  it("is the proxy's own address when the header is missing or unreadable", () => {
    assert.equal(senderReader(['10.0.0.1'])(requestFrom('10.0.0.1', 'unknown')), '10.0.0.1')
    assert.equal(senderReader(['10.0.0.1'])(requestFrom('10.0.0.1')), '10.0.0.1')
  })

  it('is the /64 of an IPv6 address and the IPv4 address of a mapped one', () => {
    assert.equal(senderReader([])(requestFrom('2001:db8:1:2:3:4:5:6')), '2001:db8:1:2::/64')
    assert.equal(senderReader([])(requestFrom('2001:db8::6')), '2001:db8:0:0::/64')
    assert.equal(senderReader([])(requestFrom('::ffff:203.0.113.5')), '203.0.113.5')
    assert.equal(senderReader([])(requestFrom('fe80::1%eth0')), 'fe80:0:0:0::/64')
  })

  it('is empty for a closed connection', () => {
    assert.equal(senderReader([])(requestFrom(undefined)), '')
  })
})

describe('the network of a client', () => {
  it('is the /24 of an IPv4 address and the /48 of an IPv6 address', () => {
    const senderOf = senderReader([])
    const cases: [string, string][] = [
      ['203.0.113.5', '203.0.113.0/24'],
      ['::ffff:203.0.113.99', '203.0.113.0/24'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
      ['2001:db8::6', '2001:db8:0::/48'],
    ]
    for (const [address, network] of cases) assert.equal(networkOf(senderOf(requestFrom(address))), network, address)
    assert.equal(networkOf(''), '')
  })
})

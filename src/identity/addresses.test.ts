import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkOf, senderReader } from './addresses.ts'

const requestFrom = (remoteAddress: string | undefined, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: { 'x-forwarded-for': forwarded },
})

describe('sender', () => {
  it("is the connection's, whatever a header claims, without trusted proxies", () => {
    assert.equal(senderReader([])(requestFrom('203.0.113.5', '198.51.100.7')), '203.0.113.5')
  })

  it('is the last address that no trusted proxy has', () => {
    const senderOf = senderReader(['10.0.0.0/8', '::1'])
    assert.equal(senderOf(requestFrom('10.0.0.1', '192.0.2.66, 198.51.100.7, 10.1.2.3')), '198.51.100.7')
    assert.equal(senderOf(requestFrom('::1', '198.51.100.7')), '198.51.100.7')
    assert.equal(senderOf(requestFrom('203.0.113.5', '198.51.100.7')), '203.0.113.5')
  })

  it("is the proxy's own when the header says nothing that can be read", () => {
    assert.equal(senderReader(['10.0.0.1'])(requestFrom('10.0.0.1', 'unknown')), '10.0.0.1')
    assert.equal(senderReader(['10.0.0.1'])(requestFrom('10.0.0.1')), '10.0.0.1')
  })

  it('of IPv6 is its /64, of IPv4 over IPv6 the IPv4 address', () => {
    assert.equal(senderReader([])(requestFrom('2001:db8:1:2:3:4:5:6')), '2001:db8:1:2::/64')
    assert.equal(senderReader([])(requestFrom('2001:db8::6')), '2001:db8:0:0::/64')
    assert.equal(senderReader([])(requestFrom('::ffff:203.0.113.5')), '203.0.113.5')
    assert.equal(senderReader([])(requestFrom('fe80::1%eth0')), 'fe80:0:0:0::/64')
  })

  it('of a closed connection is empty', () => {
    assert.equal(senderReader([])(requestFrom(undefined)), '')
  })
})

describe('network', () => {
  it('of a sender is a /24 of IPv4 and a /48 of IPv6', () => {
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

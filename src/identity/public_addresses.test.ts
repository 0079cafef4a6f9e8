import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPublic } from './public_addresses.ts'

describe('a public address', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.1.1',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
    '2001:4860:4860::8888',
  ]) {
    it(address, () => assert.equal(isPublic(address), true))
  }
})

describe('a non-public address', () => {
  for (const address of [
    '127.0.0.1',
    '127.255.255.255',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '',
    'localhost',
    '1.1.1',
    '0x7f.1',
    '2130706433',
  ])
    it(address || 'nothing', () => assert.equal(isPublic(address), false))
})

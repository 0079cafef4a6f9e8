import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { ACCOUNTS, debitsOf, postingsBetween, type LedgerAccount, type BookedDocument } from './posting.ts'

const cents = fc.integer({ min: 0, max: 10 ** 12 })
const invoice = fc
  .record({ sold: cents, tax: cents, part: fc.integer({ min: 0, max: 1000 }), is_deposit: fc.boolean() })
  .map(({ sold, tax, part, is_deposit }): BookedDocument => {
    const deducted = is_deposit ? 0 : Math.floor((sold * part) / 1000)
    return { of: 'invoice', total_cents: sold - deducted + tax, tax_cents: tax, deducted_cents: deducted, is_deposit }
  })
const payment = fc
  .record({ amount_cents: fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), is_online: fc.boolean() })
  .map((payment): BookedDocument => ({ of: 'payment', ...payment }))
const writeOff = cents.map((lost_cents): BookedDocument => ({ of: 'write_off', lost_cents }))
const tip = fc
  .integer({ min: -(10 ** 12), max: 10 ** 12 })
  .map((amount_cents): BookedDocument => ({ of: 'tip', amount_cents }))
const booking = fc.option(fc.oneof(invoice, payment, writeOff, tip))

/** Moves cents between two accounts at a time, so the result is always balanced. */
function oracle(some: readonly (readonly [BookedDocument | null, 1 | -1])[]): Map<LedgerAccount, bigint> {
  const held = new Map<LedgerAccount, bigint>(ACCOUNTS.map((account) => [account, 0n]))
  for (const [one, sign] of some) {
    const move = (to: LedgerAccount, from: LedgerAccount, cents: number): void => {
      const moved = BigInt(cents) * BigInt(sign)
      held.set(to, held.get(to)! + moved)
      held.set(from, held.get(from)! - moved)
    }
    if (one?.of === 'payment') move(one.is_online ? 'clearing' : 'undeposited', 'receivable', one.amount_cents)
    if (one?.of === 'tip') move('clearing', 'tips', one.amount_cents)
    if (one?.of === 'write_off') move('bad_debts', 'receivable', one.lost_cents)
    if (one?.of !== 'invoice') continue
    move('receivable', 'tax', one.tax_cents)
    move('receivable', one.is_deposit ? 'deposits' : 'income', one.total_cents - one.tax_cents)
    if (one.deducted_cents > 0) move('deposits', 'income', one.deducted_cents)
  }
  return held
}

describe('ledger postings', () => {
  it('match an oracle that moves each amount separately, and balance', () => {
    fc.assert(
      fc.property(booking, booking, (before, now) => {
        const postings = postingsBetween(before, now)
        const expected = oracle([
          [now, 1],
          [before, -1],
        ])
        for (const account of ACCOUNTS) assert.equal(BigInt(postings[account]), expected.get(account), account)
        const sum = ACCOUNTS.reduce((sum, account) => sum + postings[account], 0)
        const credits = ACCOUNTS.reduce((sum, account) => sum + Math.max(-postings[account], 0), 0)
        assert.deepEqual([sum, debitsOf(postings)], [0, credits])
      }),
    )
  })

  it('add up to the last state over any sequence, and to zero once the document is gone', () => {
    fc.assert(
      fc.property(fc.array(booking, { maxLength: 8 }), (states) => {
        const held = new Map<LedgerAccount, number>(ACCOUNTS.map((account) => [account, 0]))
        let before: BookedDocument | null = null
        for (const now of [...states, null]) {
          const postings = postingsBetween(before, now)
          for (const account of ACCOUNTS) held.set(account, held.get(account)! + postings[account])
          before = now
        }
        assert.deepEqual(
          [...held.values()],
          ACCOUNTS.map(() => 0),
        )
      }),
    )
  })
})

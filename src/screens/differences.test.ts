import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { differences } from './differences.ts'

const place = { timezone: 'America/New_York', currency: 'USD', country: 'US' }
const [ONE, OTHER] = ['01a1ffbf-52a8-762e-8175-2307f153a800', '01a1ffbf-52a8-762e-8175-2307f153a801']
const said = (changed: Parameters<typeof differences>[0]): string[] =>
  differences(changed, place).map(({ label, before, after }) => `${label}: ${before} → ${after}`.replace(/\s/g, ' '))

describe('what changed of a record', () => {
  it("is told in people's words: amounts, moments, yes and no, words of the wire, nothing", () => {
    assert.deepEqual(
      said({
        total_cents: [0, 39_241],
        paid_at: [null, '2020-11-21T19:14:00.000Z'],
        is_default: [false, true],
        status: ['draft', 'partially_paid'],
        subject: ['', 'Boiler'],
      }),
      [
        'Total: $0.00 → $392.41',
        'Paid at: nothing → Nov 21, 2020, 2:14 PM',
        'Is default: no → yes',
        'Status: draft → partially paid',
        'Subject: nothing → Boiler',
      ],
    )
  })

  it('names lines with what they come to, people by name, and counts ids', () => {
    assert.deepEqual(
      said({
        line_items: [[{ name: 'Boiler', line_total_cents: 100 }], [{ name: 'Boiler', line_total_cents: 200 }]],
        assignments: [[], [{ user_id: ONE, name: 'Leo' }]],
        job_ids: [[ONE], [ONE, OTHER]],
      }),
      ['Line items: Boiler $1.00 → Boiler $2.00', 'Assignments: none → Leo', 'Jobs: 1 → 2'],
    )
  })

  it('lets a name stand for an id, and says what it can of an id alone', () => {
    assert.deepEqual(
      said({
        owner_id: [ONE, OTHER],
        owner_name: ['Ana', 'Leo'],
        contact_id: [ONE, OTHER],
        media: [null, 'a.png'],
        media_id: [null, ONE],
        quote_id: [null, ONE],
      }),
      ['Owner name: Ana → Leo', 'Contact: one → another one', 'Media: nothing → a.png', 'Quote: nothing → one'],
    )
  })

  it('spells out what has parts', () => {
    assert.deepEqual(
      said({
        discount: [
          { type: 'percent', value: 5 },
          { type: 'amount', value: 500 },
        ],
        fields: [{}, { Gate: '4417' }],
      }),
      ['Discount: 5% → $5.00', 'Fields: none → Gate 4417'],
    )
  })
})

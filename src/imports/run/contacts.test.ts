import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCustomers } from '../rows/customer_rows.ts'
import type { MappedRow } from '../reading/incoming.ts'
import { parseEmails, parsePhones } from './contacts.ts'

const readRows = (...rows: MappedRow['cells'][]) =>
  readCustomers(
    rows.map((cells, i) => ({ number: i + 2, cells, custom: {} })),
    { country: 'US', source: 'Jobber' },
  )
const readInput = async (cells: MappedRow['cells']) => (await readRows(cells))[0]!.input

describe('contact details in a cell', () => {
  it('give each phone number with its label', () => {
    for (const [text, numbers] of [
      ['(512) 555-0101, 512-555-0102 x7', ['(512) 555-0101', '512-555-0102 x7']],
      ['512-555-0101 / 512-555-0102 or 512-555-0103', ['512-555-0101', '512-555-0102', '512-555-0103']],
      ['512/555-0101', ['512/555-0101']],
      ['512-555-0101 (wife)', ['512-555-0101 wife']],
      ['Phone:(512) 555-0101  Mobile:(512) 555-0102 Fax:(512) 555-0103', ['(512) 555-0101', '(512) 555-0102 Mobile']],
      ['5125550104.0', ['5125550104']],
      ['N/A', []],
      ['none', []],
      ['call the office', ['call the office']],
    ] as const)
      assert.deepEqual(
        parsePhones(text).map(({ phone, role_label }) => [phone, role_label].filter(Boolean).join(' ')),
        numbers,
        text,
      )
  })

  it('give each email address, and none for "n/a"', () => {
    for (const [text, addresses] of [
      ['a@x.com; b@x.com, c@x.com', ['a@x.com', 'b@x.com', 'c@x.com']],
      ['"Ray, Bo" <b@x.com>', ['b@x.com']],
      ['mailto:a@x.com', ['a@x.com']],
      ['n/a', []],
      ['No email', []],
      ['nobody', ['nobody']],
    ] as const)
      assert.deepEqual(parseEmails(text), addresses, text)
  })
})

describe('a customer from several rows', () => {
  it('is a lead or inactive only when its column says so, and active when any of its rows is', async () => {
    const states = (...flags: [lead: string, archived: string][]) =>
      readRows(
        ...flags.map(([is_lead, is_archived], i) => ({ name: 'Ana', source_id: `7_${i}`, is_lead, is_archived })),
      )
    assert.deepEqual((await states(['false', 'false']))[0]!.input['status'], undefined)
    assert.deepEqual((await states(['true', 'false']))[0]!.input['status'], 'lead')
    assert.deepEqual((await states(['false', 'true']))[0]!.input['status'], 'inactive')
    const [one, ...more] = await states(['false', 'true'], ['false', 'false'])
    assert.deepEqual([one!.key, one!.input['status'], more.length], ['7', undefined, 0])
  })

  it('is a company by the end of its name, and gets back the leading zero of a ZIP code', async () => {
    assert.deepEqual(await readInput({ name: 'Acme, Inc.', address_line1: '2 Elm', postal_code: '2134' }), {
      customer_type: 'company',
      company_name: 'Acme, Inc.',
      locations: [{ type: 'service', address_line1: '2 Elm', postal_code: '02134' }],
    })
    assert.equal((await readInput({ name: 'Ruiz, Ana' }))['first_name'], 'Ana')
    const abroad = await readInput({ name: 'Ana', address_line1: '2 Elm', postal_code: '2134', country: 'Australia' })
    assert.deepEqual(abroad['locations'], [
      { type: 'service', address_line1: '2 Elm', postal_code: '2134', country: 'AU' },
    ])
  })

  it('without a street has no location, with a remark; a one-cell address is split', async () => {
    const [one] = await readRows({ name: 'Ana', city: 'Austin', region: 'TX' })
    assert.equal(one!.input['locations'], undefined)
    assert.deepEqual(one!.remarks, [{ field: 'city', value: 'Austin, TX', taken: '' }])
    assert.deepEqual(
      (await readInput({ name: 'Ana', address_line1: '1 Elm St\nSTE 4\nAustin TX 78701' }))['locations'],
      [
        {
          type: 'service',
          address_line1: '1 Elm St',
          address_line2: 'STE 4',
          city: 'Austin',
          region: 'TX',
          postal_code: '78701',
        },
      ],
    )
  })
})

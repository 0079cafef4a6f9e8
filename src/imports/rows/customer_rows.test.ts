import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { Refusal } from '../../platform/errors/refusal.ts'
import { MAX_ROWS } from '../reading/limits.ts'
import { readCustomers } from './customer_rows.ts'
import { detectFormat } from '../formats/source_format.ts'
import { SOURCE_FORMATS } from '../formats/index.ts'
import { guessMapping, readMappedRows, requireValidMapping, sampleColumns } from './mapping.ts'

/** Reads a customer file of no known product by its detected columns. */
async function read(content: string | Buffer) {
  const bytes = Buffer.from(content as string)
  const { header } = await sampleColumns(bytes)
  const mapping = guessMapping(detectFormat(SOURCE_FORMATS, header, { kind: 'customers', source: 'plain' }), header)
  requireValidMapping('customers', header, mapping)
  return readCustomers((await readMappedRows(bytes, mapping)).rows, { country: 'US', source: '' })
}
const only = async (text: string) => (await read(text))[0]!.input

describe('customer rows', () => {
  it('become people, or companies with a first contact', async () => {
    assert.deepEqual(await only('First name,Last name,E-mail,Phone\nAna,Ruiz,ana@example.com,512 555 0143'), {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'Ruiz',
      email: 'ana@example.com',
      phone: '512 555 0143',
    })
    assert.deepEqual(await only('Company,First name,Phone\nAcme,Ana,5125550143'), {
      customer_type: 'company',
      company_name: 'Acme',
      contacts: [{ first_name: 'Ana', phone: '5125550143' }],
    })
    assert.deepEqual(await only('Company\nAcme'), { customer_type: 'company', company_name: 'Acme' })
    assert.deepEqual(await only('Type,Company\ncompany,Acme'), { customer_type: 'company', company_name: 'Acme' })
  })

  it('split a single name in either order', async () => {
    const splitName = async (name: string) => {
      const { first_name, last_name } = await only(`Name\n"${name}"`)
      return [first_name, last_name]
    }
    assert.deepEqual(await splitName('Ana Maria Ruiz'), ['Ana Maria', 'Ruiz'])
    assert.deepEqual(await splitName('Ruiz, Ana'), ['Ana', 'Ruiz'])
    assert.deepEqual(await splitName('Ana'), ['Ana', undefined])
  })

  it('read address, tags, terms and the tax flag with their types', async () => {
    const content = 'Name,Street,Zip,Country,Tags,Terms,Tax exempt\nAna,1 Main St,78702,US,VIP; Unknown,30,yes'
    assert.deepEqual(await only(content), {
      customer_type: 'individual',
      first_name: 'Ana',
      locations: [{ type: 'service', address_line1: '1 Main St', postal_code: '78702', country: 'US' }],
      payment_terms_days: 30,
      tax_exempt: true,
    })
    assert.deepEqual((await read(content))[0]!.needs, ['VIP', 'Unknown'])
    assert.equal((await only('Name,Country\nAna,US'))['locations'], undefined)
  })

  it('recognize every column name of the previous importer', async () => {
    for (const [field, names] of Object.entries(FORMER))
      for (const name of names) {
        const dialect = detectFormat(SOURCE_FORMATS, [name, 'Zzz'], { kind: 'customers', source: 'plain' })
        assert.ok([field].flat().includes(guessMapping(dialect, [name, 'Zzz']).columns[0]!), `${name}: ${field}`)
      }
  })

  it('keep their row numbers and skip unknown columns', async () => {
    const rows = await read('Name,Shoe size\nAna,7\n\nBo,8')
    assert.deepEqual(
      rows.map(({ numbers, input }) => [numbers, input['fields']]),
      [
        [[2], undefined],
        [[4], undefined],
      ],
    )
  })

  it('accept commas, semicolons, tabs, a byte order mark and any line ending', async () => {
    for (const text of [
      'Name,Phone\r\nAna,512 555 0101',
      'Name;Phone\nAna;512 555 0101',
      'Name\tPhone\nAna\t512 555 0101',
      '\uFEFFName,Phone\nAna,512 555 0101\n\n',
    ])
      assert.equal((await only(text))['phone'], '512 555 0101', JSON.stringify(text))
  })

  it('keep every quoted value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(word(), word()), { minLength: 1, maxLength: 20 }), async (people) => {
        const marked = people.map(([first, last], i) => [first, last, String(i)])
        const rows = await read(stringify(marked, { header: true, columns: ['First name', 'Last name', 'Id'] }))
        assert.deepEqual(
          rows.map(({ input }) => [input['first_name'], input['last_name']]),
          people,
        )
      }),
    )
  })
})

/** Column names of the previous customer importer, by today's field. */
const FORMER: Readonly<Record<string, readonly string[]>> = {
  customer_type: ['Customer type', 'Type'],
  company_name: ['Company name', 'Company', 'Business', 'Organization'],
  first_name: ['First name', 'Given name', 'First'],
  last_name: ['Last name', 'Family name', 'Surname', 'Last'],
  name: ['Name', 'Full name', 'Customer', 'Display name', 'Customer name'],
  email: ['Email', 'E-mail', 'Email address', 'Primary email'],
  phone: ['Phone', 'Phone number', 'Telephone', 'Primary phone'],
  mobile_phone: ['Mobile'],
  status: ['Status'],
  lead_source: ['Lead source', 'Source'],
  tax_exempt: ['Tax exempt'],
  payment_terms: ['Payment terms days', 'Terms', 'Net days'],
  preferred_language: ['Preferred language', 'Language'],
  external_id: ['External id'],
  source_id: ['Customer id', 'Id'],
  tags: ['Tags', 'Tag'],
  address_line1: ['Address line1', 'Address line 1', 'Address', 'Street', 'Street address', 'Address1'],
  address_line2: ['Address line2', 'Address line 2', 'Unit', 'Address2'],
  city: ['City', 'Town'],
  region: ['Region', 'State', 'Province'],
  postal_code: ['Postal code', 'Zip', 'Zip code', 'Postcode'],
  country: ['Country'],
}

/** Generates texts that survive the import: without formula guards and lone dashes. */
const word = () =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter(
      (text) =>
        text === text.trim() &&
        text !== '' &&
        text !== '-' &&
        !/^="[^"]*"$/.test(text) &&
        !/^'[=+\-@]/.test(text) &&
        !/^(?:grand )?totals?(?: for .*)?:?$/i.test(text) &&
        !/[\r\0\uFEFF]/.test(text) &&
        text.isWellFormed(),
    )

describe('a customer file', () => {
  for (const [what, content, says] of [
    ['no names', 'Phone\n1', /one column must have the name/],
    ['no rows', 'Name\n', /no rows/],
    ['nothing', '', /no rows/],
    ['broken quotes', 'Name\n"Ana', /can't be read as CSV/],
    ['too many rows', `Name\n${'Ana\n'.repeat(MAX_ROWS + 1)}`, /at most 5000 rows/],
    ['too many columns', `Name${',x'.repeat(200)}\nAna`, /row 1 must have at most 200 columns/],
    ['a row of too many', `Name\nAna${','.repeat(300_000)}`, /row 2 must have at most 200/],
    ['too many empty rows', `Name\nAna${',\r'.repeat(20_001)}`, /at most 5000 rows \(got more than 20000 lines\)/],
    ['a long first line', `Name${','.repeat(70_000)}\nAna`, /header of at most 64 kB/],
    ['a long cell', `Name\n"${'a'.repeat(20_001)}"`, /row 2 must have at most 20000 characters .* column 1/],
    ['bytes that are no text', Buffer.from([0x4e, 0x61, 0x6d, 0x65, 0x0a, 0, 0xff]), /must be text/],
  ] as const)
    it(`is refused with ${what}`, () =>
      assert.rejects(read(content), (error) => error instanceof Refusal && says.test(error.message)))

  it('leaves a duplicate column unmapped, and rejects a mapping with one field twice', async () => {
    const { header } = await sampleColumns(Buffer.from('Name,Phone,Telephone\nAna,1,2'))
    const mapping = guessMapping(detectFormat(SOURCE_FORMATS, header, { kind: 'customers', source: 'plain' }), header)
    assert.deepEqual(mapping.columns, ['name', 'phone', null])
    const both = { ...mapping, columns: ['name', 'phone', 'phone'] }
    assert.throws(() => requireValidMapping('customers', header, both), /phone can be only one column/)
  })

  it('with many rows does not block the event loop', async () => {
    const rows = Array.from({ length: MAX_ROWS }, (_, i) => `Ana ${i},ana${i}@example.com,${'x'.repeat(900)}`).join(
      '\n',
    )
    for (const text of [`Name,E-mail,Street\n${rows}`, `Name\n${`${','.repeat(199)}\n`.repeat(19_000)}`]) {
      let turns = 0
      const counting = setInterval(() => turns++, 0)
      await read(text).catch(() => {})
      clearInterval(counting)
      assert.ok(turns > 100, `${turns} turns for ${text.length} characters`)
    }
  })
})

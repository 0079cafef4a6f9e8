import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'csv-stringify/sync'
import { Refusal } from '../../refusal.ts'
import { MAX_ROWS } from '../../coming/bounds.ts'
import { readSheet } from './customer_rows.ts'

const TAGS = new Map([['vip', 'tag-1']])
const read = (text: string) => readSheet(Buffer.from(text), TAGS)
const only = async (text: string) => (await read(text)).rows[0]!.given

describe('rows', () => {
  it('are people, or companies with a first contact', async () => {
    assert.deepEqual(await only('First name,Last name,E-mail,Phone\nAna,Ruiz,ana@example.com,512 555 0143'), {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'Ruiz',
      email: 'ana@example.com',
      phone: '512 555 0143',
    })
    assert.deepEqual(await only('Company,First name,Phone\nAcme,Ana,555'), {
      customer_type: 'company',
      company_name: 'Acme',
      contacts: [{ first_name: 'Ana', phone: '555' }],
    })
    assert.deepEqual(await only('Company\nAcme'), { customer_type: 'company', company_name: 'Acme' })
    assert.deepEqual(await only('Type,Name\ncompany,Acme'), { customer_type: 'company', company_name: 'Acme' })
  })

  it('split one name in either order', async () => {
    const named = async (name: string) => {
      const { first_name, last_name } = await only(`Name\n"${name}"`)
      return [first_name, last_name]
    }
    assert.deepEqual(await named('Ana Maria Ruiz'), ['Ana Maria', 'Ruiz'])
    assert.deepEqual(await named('Ruiz, Ana'), ['Ana', 'Ruiz'])
    assert.deepEqual(await named('Ana'), ['Ana', undefined])
  })

  it('take an address, tags, numbers and yes or no as what they are', async () => {
    assert.deepEqual(
      await only('Name,Street,Zip,Country,Tags,Terms,Tax exempt\nAna,1 Main St,78702,US,VIP; Unknown,30,yes'),
      {
        customer_type: 'individual',
        first_name: 'Ana',
        locations: [{ address_line1: '1 Main St', postal_code: '78702', country: 'US' }],
        tag_ids: ['tag-1'],
        payment_terms_days: 30,
        tax_exempt: true,
      },
    )
    assert.deepEqual((await read('Name,Tags\nAna,VIP; New one')).rows[0]!.newTags, ['New one'])
    assert.equal((await only('Name,Country\nAna,US'))['locations'], undefined)
  })

  it('carry the number that people see, and leave columns out that nothing is known about', async () => {
    const sheet = await read('Name,Shoe size\nAna,7\nBo,8')
    assert.deepEqual([sheet.ignored, sheet.rows.map(({ number }) => number)], [['Shoe size'], [2, 3]])
  })

  it('come with commas, semicolons or tabs, a mark of order, and any line ends', async () => {
    for (const text of [
      'Name,Phone\r\nAna,1',
      'Name;Phone\nAna;1',
      'Name\tPhone\nAna\t1',
      '\uFEFFName,Phone\nAna,1\n\n',
    ])
      assert.equal((await only(text))['phone'], '1', JSON.stringify(text))
  })

  it('keep every value that was quoted right', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(word(), word()), { minLength: 1, maxLength: 20 }), async (people) => {
        const { rows } = await read(stringify(people, { header: true, columns: ['First name', 'Last name'] }))
        assert.deepEqual(
          rows.map(({ given }) => [given['first_name'], given['last_name']]),
          people,
        )
      }),
    )
  })
})

/** Makes texts that come through as they are: one kept from computing loses its mark, and a lone dash says nothing. */
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
        !/[\r\0\uFEFF]/.test(text) &&
        text.isWellFormed(),
    )

describe('refusals', () => {
  for (const [what, content, says] of [
    ['no names', 'Phone\n1', /a header with a column for names/],
    ['no rows', 'Name\n', /no rows/],
    ['nothing', '', /a header/],
    ['two columns of one kind', 'Name,Phone,Mobile\nAna,1,2', /two columns for phone/],
    ['broken quotes', 'Name\n"Ana', /can't be read as CSV/],
    ['too many rows', `Name\n${'Ana\n'.repeat(MAX_ROWS + 1)}`, /at most 5000 rows/],
    ['too many columns', `Name${',x'.repeat(200)}\nAna`, /row 1 must have at most 200 columns/],
    ['a row of too many', `Name\nAna${','.repeat(300_000)}`, /row 2 must have at most 200/],
    ['too many empty rows', `Name\nAna${',\r'.repeat(20_001)}`, /at most 5000 rows \(got more than 20000 lines\)/],
    ['a long first line', `Name${','.repeat(70_000)}\nAna`, /header of at most 64 kB/],
    ['a long cell', `Name\n"${'a'.repeat(20_001)}"`, /row 2 must have at most 20000 characters .* column 1/],
  ] as const) {
    it(what, () => assert.rejects(read(content), (error) => error instanceof Refusal && says.test(error.message)))
  }

  it('bytes that are no text', () =>
    assert.rejects(readSheet(Buffer.from([0x4e, 0x61, 0x6d, 0x65, 0x0a, 0, 0xff]), TAGS), /must be text/))
})

describe('a large file', () => {
  it('leaves the loop to others all along', async () => {
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

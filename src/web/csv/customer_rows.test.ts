import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'csv-stringify/sync'
import { Refusal } from '../../refusal.ts'
import { MOST_ROWS, readSheet } from './customer_rows.ts'

const TAGS = new Map([['vip', 'tag-1']])
const read = (text: string) => readSheet(Buffer.from(text), TAGS)
const only = (text: string) => read(text).rows[0]!.given

describe('rows', () => {
  it('are people, or companies with a first contact', () => {
    assert.deepEqual(only('First name,Last name,E-mail,Phone\nAna,Ruiz,ana@example.com,512 555 0143'), {
      customer_type: 'individual', first_name: 'Ana', last_name: 'Ruiz', email: 'ana@example.com', phone: '512 555 0143',
    })
    assert.deepEqual(only('Company,First name,Phone\nAcme,Ana,555'), { customer_type: 'company', company_name: 'Acme', contacts: [{ first_name: 'Ana', phone: '555' }] })
    assert.deepEqual(only('Company\nAcme'), { customer_type: 'company', company_name: 'Acme' })
    assert.deepEqual(only('Type,Name\ncompany,Acme'), { customer_type: 'company', company_name: 'Acme' })
  })

  it('split one name in either order', () => {
    const named = (name: string) => { const { first_name, last_name } = only(`Name\n"${name}"`); return [first_name, last_name] }
    assert.deepEqual(named('Ana Maria Ruiz'), ['Ana Maria', 'Ruiz'])
    assert.deepEqual(named('Ruiz, Ana'), ['Ana', 'Ruiz'])
    assert.deepEqual(named('Ana'), ['Ana', undefined])
  })

  it('take an address, tags, numbers and yes or no as what they are', () => {
    assert.deepEqual(only('Name,Street,Zip,Country,Tags,Terms,Tax exempt\nAna,1 Main St,78702,US,VIP; Unknown,30,yes'), {
      customer_type: 'individual', first_name: 'Ana', locations: [{ address_line1: '1 Main St', postal_code: '78702', country: 'US' }],
      tag_ids: ['tag-1', 'Unknown'], payment_terms_days: 30, tax_exempt: true,
    })
    assert.equal(only('Name,Country\nAna,US')['locations'], undefined)
  })

  it('carry the number that people see, and leave columns out that nothing is known about', () => {
    const sheet = read('Name,Shoe size\nAna,7\nBo,8')
    assert.deepEqual([sheet.ignored, sheet.rows.map(({ number }) => number)], [['Shoe size'], [2, 3]])
  })

  it('come with commas, semicolons or tabs, a mark of order, and any line ends', () => {
    for (const text of ['Name,Phone\r\nAna,1', 'Name;Phone\nAna;1', 'Name\tPhone\nAna\t1', '\uFEFFName,Phone\nAna,1\n\n']) assert.equal(only(text)['phone'], '1', JSON.stringify(text))
  })

  it('keep every value that was quoted right', () => {
    fc.assert(fc.property(fc.array(fc.tuple(word(), word()), { minLength: 1, maxLength: 20 }), (people) => {
      const { rows } = read(stringify(people, { header: true, columns: ['First name', 'Last name'] }))
      assert.deepEqual(rows.map(({ given }) => [given['first_name'], given['last_name']]), people)
    }))
  })
})

const word = () => fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text === text.trim() && text !== '' && !text.includes('\uFEFF') && !/[\r\0]/.test(text) && text.isWellFormed())

describe('refusals', () => {
  for (const [what, content, says] of [
    ['no names', 'Phone\n1', /a header with a column for names/], ['no rows', 'Name\n', /no rows/], ['nothing', '', /a header/],
    ['two columns of one kind', 'Name,Phone,Mobile\nAna,1,2', /two columns for phone/], ['broken quotes', 'Name\n"Ana', /can't be read as CSV/],
    ['too many rows', `Name\n${'Ana\n'.repeat(MOST_ROWS + 1)}`, /at most 5000 rows/],
  ] as const) {
    it(what, () => assert.throws(() => read(content), (error) => error instanceof Refusal && says.test(error.message)))
  }

  it('bytes that aren\'t UTF-8', () => assert.throws(() => readSheet(Buffer.from([0x4e, 0x61, 0x6d, 0x65, 0x0a, 0xff]), TAGS), /UTF-8/))
})

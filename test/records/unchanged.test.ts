import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf, type ListedTool } from '../../src/tools/declare/catalog.ts'
import { inDays, makeFullRecords } from '../harness/clients/full_records.ts'
import { makeCompany, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openOffice, sendForm, submit } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

const updates = [...toolCatalogOf(entities).tools.values()].filter(({ tool }) => tool.verb === 'update')

let service: TestService
let witness: Witness
let company: Company
let email: string
let records: Record<string, string[]>
before(async () => {
  service = await startSite()
  witness = await openWitness(service)
  company = await makeCompany(service)
  email = company.owner.email
  records = await makeFullRecords(company)
})
after(async () => {
  await witness.close()
  await service.stop()
})

const LINE = [
  'kind',
  'catalog_item_id',
  'name',
  'description',
  'quantity',
  'unit',
  'unit_price_cents',
  'taxable',
  'tax_rate_id',
  'discount_type',
  'discount_value',
]
const OFF = ['kind', 'catalog_item_id', 'name', 'description', 'discount_type', 'discount_value']
const parts = (whole: Result, names: readonly string[]): Result =>
  Object.fromEntries(names.flatMap((name) => (name in whole ? [[name, whole[name]]] : [])))
const typedLine = (line: Result): Result =>
  parts(line, line['kind'] === 'discount' ? OFF : LINE.filter((name) => !name.startsWith('discount')))

/** Update input for fields with another name or shape in the output. */
const typed: Readonly<Record<string, (record: Result) => unknown>> = {
  assignees: ({ assignments }) => assignments.map(({ user_id }: Result) => user_id),
  line_items: ({ line_items }) => line_items.map(typedLine),
  components: ({ components }) => components?.map((each: Result) => parts(each, ['catalog_item_id', 'quantity'])),
}

/** Fields of the call rather than the record. */
const OF_THE_CALL = new Set(['id', 'expected_updated_at', 'keep_exceptions'])
const DRAFT_ONLY = new Set([
  'line_items',
  'discount',
  'tax_rate_id',
  'location_id',
  'contact_id',
  'issue_date',
  'title',
  'terms',
  'job_ids',
  'subject',
  'due_date',
  'po_number',
  'message',
  'internal_memo',
  'fields',
])
const OPEN_IN_QUOTES = new Set(['message', 'fields'])

/** Returns every field that an update accepts for a record, with its current value. */
function presentOf({ tool, entity }: ListedTool, record: Result): [name: string, value: unknown][] {
  return Object.keys(tool.input.shape)
    .filter((name) => !OF_THE_CALL.has(name))
    .map((name): [string, unknown] => [name, (typed[name] ?? (() => record[name]))(record)])
    .filter(([name, value]) => value !== undefined && !isClosed(entity.name, record, name))
}

/** Checks whether the record's status or kind excludes a field. */
function isClosed(entity: string, record: Result, name: string): boolean {
  if (entity === 'invoices') return record['status'] !== 'draft' && DRAFT_ONLY.has(name)
  if (entity === 'quotes')
    return (
      (record['status'] !== 'draft' && DRAFT_ONLY.has(name) && !OPEN_IN_QUOTES.has(name)) ||
      (name === 'decline_reason' && record['status'] !== 'declined')
    )
  if (entity === 'jobs') return record['status'] === 'unscheduled' && name === 'scheduled_end'
  return entity === 'catalog_items' && record['pricing'] === 'sum' && ['unit_price_cents', 'cost_cents'].includes(name)
}

const reverseFields = (fields: object): object => Object.fromEntries(Object.entries(fields).toReversed())

/** Other spellings of the same value, per field. */
const respelled: Readonly<Record<string, (value: never, record: Result) => unknown[]>> = {
  phone: () => ['(512) 555-0143', '+1 512 555 0143', '5125550143 x12'],
  email: (value: string) => [value.toUpperCase()],
  assignees: ([first]: string[]) => (first === undefined ? [] : [[email], [email.toUpperCase(), company.owner.id]]),
  fields: (value: object) => [reverseFields(value)],
  line_items: (lines: Result[]) => [
    lines.map((line) => reverseFields(line)),
    lines.map((line) => ({
      ...line,
      name: ` ${line['name']} `,
      ...('quantity' in line ? { quantity: Number(line['quantity']).toFixed(3) } : {}),
    })),
    lines.map((line) => ({
      ...line,
      unit: line['catalog_item_id'] === null ? line['unit'] : undefined,
      taxable: line['taxable'] === true ? undefined : line['taxable'],
    })),
    lines.map((line, position) => ({ ...line, position })).toReversed(),
  ],
  components: (list: Result[]) => [
    list.map((each, position) => ({ ...each, position: position * 2 })).toReversed(),
    list.map((each) => (each['quantity'] === 1 ? parts(each, ['catalog_item_id']) : each)),
  ],
  job_ids: (ids: string[]) => [ids.toReversed(), [...ids, ...ids]],
  rrule: () => ['byday=mo,th;freq=weekly'],
  dtstart: (value: string) => [value.replace(/:00$/, '')],
  discount: (value: object) => [reverseFields(value)],
  color: (value: string) => [value.toLowerCase()],
  country: (value: string) => [value.toLowerCase()],
  preferred_language: (value: string) => [value.toLowerCase()],
  scheduled_start: (value: string) => inOtherWords(value),
  scheduled_end: (value: string) => inOtherWords(value),
}

const inOtherWords = (value: string): string[] => [
  Temporal.Instant.from(value).toString({ timeZone: 'Asia/Kolkata' }),
  Temporal.Instant.from(value).toZonedDateTimeISO('America/New_York').toPlainDateTime().toString(),
]

/** Returns other spellings of a value, with white space, decomposed letters or uppercase if the field ignores them. */
function spellings({ tool }: ListedTool, name: string, value: unknown, record: Result): unknown[] {
  if (value === null || value === undefined) return []
  const own = respelled[name]?.(value as never, record) ?? []
  const field = tool.input.shape[name] as { safeParse(value: unknown): { data?: unknown } }
  const loose =
    typeof value !== 'string'
      ? []
      : [` ${value}\t`, value.normalize('NFD'), value.toUpperCase()].filter(
          (text) => text !== value && field.safeParse(text).data === value,
        )
  return [...own, ...loose]
}

const digest = async (): Promise<Result[]> => (await witness.digest()).filter(({ name }) => name !== 'credentials')

/** Fields that only get or only update returns. */
const OF_ONE = ['url', 'counts', 'redacted_fields', 'usage_count', 'path', 'regeneration']
const comparable = (record: Result): Result =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !OF_ONE.includes(name)))

describe('an update without changes', () => {
  it('is tested for every kind of record', () =>
    assert.deepEqual(Object.keys(records).toSorted(), entities.map(({ singular }) => singular).toSorted()))

  for (const listed of updates) {
    it(`writes nothing and returns the record unchanged: ${listed.canonical}`, async () => {
      for (const id of records[listed.entity.singular]!) {
        const record = await company.call(`${listed.entity.name}_get`, { id })
        const present = presentOf(listed, record)
        assert.ok(present.length > 0)
        const calls: Result[] = [
          {},
          Object.fromEntries(present),
          { ...Object.fromEntries(present), expected_updated_at: record['updated_at'] },
          ...present.flatMap(([name, value]) =>
            [value, ...spellings(listed, name, value, record)].map((one) => ({ [name]: one })),
          ),
        ]
        const earlier = await digest()
        for (const given of calls) {
          const answer = await company.call(listed.wire, { id, ...given })
          assert.deepEqual(comparable(answer), comparable(record), `${listed.wire} ${JSON.stringify(given)}`)
        }
        assert.deepEqual(await digest(), earlier, `${listed.wire} wrote something`)
      }
    })
  }

  for (const { canonical, wire, entity } of updates) {
    it(`is refused for a stale expected_updated_at and writes nothing: ${canonical}`, async () => {
      const [id] = records[entity.singular]!
      const { updated_at } = await company.call(`${entity.name}_get`, { id })
      const seen = Temporal.Instant.from(updated_at).subtract({ milliseconds: 1 }).toString()
      assert.match(
        await witness.refused(company.owner, wire, { id, expected_updated_at: seen }),
        /^conflict: the record changed: its updated_at is /,
      )
    })
  }

  it('leaves all jobs of a series unchanged, edited ones included, and reports them as kept', async () => {
    const [id] = records['job_series']!
    const visits = (await company.call('jobs_list', { seriesId: id, sort: 'scheduled_asc', limit: 100 })).rows
    assert.ok(visits.length >= 12)
    await company.call('jobs_update', { id: visits[2].id, title: 'By hand' })
    const moments = async (): Promise<string[]> =>
      (await company.call('jobs_list', { seriesId: id, sort: 'scheduled_asc', limit: 100 })).rows.map(
        ({ updated_at }: Result) => updated_at,
      )
    const earlier = await moments()
    const series = await company.call('job_series_get', { id })
    for (const given of [
      { title: series.title },
      { line_items: series.line_items.map(typedLine) },
      { rrule: series.rrule, keep_exceptions: true },
    ]) {
      const { regeneration } = await company.call('job_series_update', { id, ...given })
      assert.deepEqual(regeneration, { kept: visits.length, created: 0, removed: 0, cancelled: 0, preserved: 0 })
    }
    assert.deepEqual(await moments(), earlier)
    const { regeneration } = await company.call('job_series_update', {
      id,
      end_date: inDays(301),
      line_items: series.line_items.map(typedLine),
      keep_exceptions: true,
    })
    assert.deepEqual([regeneration.kept, regeneration.preserved], [visits.length - 1, 1])
    assert.deepEqual(await moments(), earlier, 'the lines are equal, so a later end moves no visit')
  })

  it('keeps the ids of equal line items, also when another field changes', async () => {
    const [id] = records['quote']!
    const { line_items } = await company.call('quotes_get', { id })
    const after = await company.call('quotes_update', { id, title: 'Pumps', line_items: line_items.map(typedLine) })
    assert.deepEqual([after.title, after.line_items], ['Pumps', line_items])
    const [entry] = await witness.rows('select changed from audit where record_id = $1 order by at desc limit 1', id)
    assert.deepEqual(entry!['changed'], { title: ['Pump', 'Pumps'] })
  })

  it('keeps a phone extension unless the phone or extension changes', async () => {
    const [id] = records['contact']!
    const extension = async (given: object): Promise<unknown> =>
      (await company.call('contacts_update', { id, ...given })).phone_extension
    assert.equal(await extension({ phone: '512 555 0143 x15' }), '15')
    assert.equal(await extension({ phone: '512 555 0143' }), '15')
    assert.equal(await extension({ phone: '512 555 0143', phone_extension: null }), null)
    assert.equal(await extension({ phone: '512 555 0143 x12' }), '12')
    assert.equal(await extension({ phone: '512 555 0144' }), null)
    assert.equal(await extension({ phone: '512 555 0143', phone_extension: '12' }), '12')
  })

  it('leaves a lead a lead', async () => {
    assert.equal((await company.call('customers_get', { id: records['customer']![0]! })).status, 'lead')
  })

  it('is refused wherever a change would be', async () => {
    const { call } = company
    const job = await call('jobs_create', { customer_id: records['customer']![1]!, title: 'Gone' })
    await call('jobs_cancel', { id: job.id })
    const tech = await company.member('tech')
    const note = records['note']![0]!
    const { body } = await call('notes_get', { id: note })
    const readRefusal = (by: Pick<Company['owner'], 'send'>, tool: string, given: object) =>
      witness.refused(by, tool, given)
    assert.match(
      await readRefusal(company.owner, 'jobs_update', { id: job.id, title: 'Gone' }),
      /^conflict: the job is cancelled/,
    )
    assert.match(
      await readRefusal(company.owner, 'notes_update', { id: note, body, expected_updated_at: '2020-01-01T00:00:00Z' }),
      /^conflict: the record changed/,
    )
    assert.match(
      await readRefusal(tech, 'notes_update', { id: note, body }),
      /^invalid_input: only the author or an owner/,
    )
    assert.match(
      await readRefusal(tech, 'tags_update', { id: records['tag']![0]!, name: 'Pool' }),
      /^insufficient_scope/,
    )
    assert.match(
      await readRefusal(company.owner, 'customers_update', { id: records['customer']![0]!, customer_type: 'company' }),
      /^invalid_input: customer_type cannot be changed/,
    )
  })
})

describe('ending an ended record', () => {
  for (const [tool, make, given] of [
    ['jobs_cancel', 'jobs_create', { title: 'Twice' }],
    ['invoices_void', 'invoices_create', { subject: 'Twice' }],
  ] as const) {
    it(`succeeds and writes nothing: ${tool}`, async () => {
      const { id } = await company.call(make, { customer_id: records['customer']![1]!, ...given })
      const first = await company.call(tool, { id, reason: 'Rain' })
      const earlier = await digest()
      assert.deepEqual(await company.call(tool, { id, reason: 'Snow' }), first)
      assert.deepEqual(await digest(), earlier)
    })
  }
})

describe('web page actions', () => {
  it('write nothing if nothing changes', async () => {
    const office = await openOffice(service, 'Unchanged')
    const tag = await office.call('tags_create', { name: 'Pool' })
    const customer = await office.customer('Una', { tag_ids: [tag.id] })
    const note = await office.call('notes_create', { body: 'Pin' })
    const [pin, tags] = [
      office.at('notes', note.id, 'do', 'notes_pin-true'),
      office.at('customers', customer.id, 'do', 'customers_tag'),
    ]
    await sendForm(office.browser, pin, [])
    const own = async (): Promise<unknown> => [
      await office.call('notes_get', { id: note.id }),
      await office.call('customers_get', { id: customer.id }),
      await office.entries(note.id),
      await office.entries(customer.id),
    ]
    const earlier = await own()
    assert.equal((await sendForm(office.browser, pin, [])).status, 303)
    assert.equal(
      (await submit(office.browser, tags, { tag_ids: [tag.id, tag.id] })).location,
      office.at('customers', customer.id),
    )
    assert.deepEqual(await own(), earlier)
  })
})

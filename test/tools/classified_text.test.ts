import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { isClassified } from '../../src/mcp/customer_words.ts'
import { entities } from '../../src/records/index.ts'
import { ARGUMENTS, makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeFullRecords } from '../harness/clients/full_records.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let records: Records
let full: Record<string, string[]>
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  full = await makeFullRecords(company)
  records = await makeRecords(company, 'Alpha')
})
after(() => service.stop())

/** Returns the text fields of a result as `locations.access_notes`: the record or list, then the field. */
function textFields(value: unknown, of: string, field = ''): string[] {
  if (typeof value === 'string') return value === '' ? [] : [`${of}.${field}`]
  if (Array.isArray(value)) {
    const part = field === 'rows' || field === '' ? of : field
    return value.flatMap((one) => textFields(one, typeof one === 'string' ? of : part, field))
  }
  if (typeof value !== 'object' || value === null) return []
  const part = field === '' || field === 'rows' ? of : field
  return Object.entries(value).flatMap(([name, inner]) => textFields(inner, part, name))
}

it('every text field in every tool result is classified as customer text or as our own', async () => {
  const fields = new Set<string>()
  const ends = /_(archive|delete|cancel|void|end)$/
  const wires = Object.keys(ARGUMENTS).toSorted((a, b) => Number(ends.test(a)) - Number(ends.test(b)))
  for (const { name, singular } of entities)
    for (const id of full[singular] ?? [])
      for (const field of textFields(await company.call(`${name}_get`, { id }), name)) fields.add(field)
  for (const wire of wires) {
    const { name } = entities.find(({ name }) => wire.startsWith(`${name}_`))!
    for (const args of ARGUMENTS[wire]!(records)) {
      const { text, isError } = await company.owner.send(wire, args)
      if (!isError) for (const field of textFields(JSON.parse(text), name)) fields.add(field)
    }
  }
  assert.ok(fields.size > 200, String(fields.size))
  const unclassified = [...fields].filter((one) => !isClassified(...(one.split('.') as [string, string])))
  assert.deepEqual(unclassified.toSorted(), [])
})

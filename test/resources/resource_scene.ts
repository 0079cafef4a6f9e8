import assert from 'node:assert/strict'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { newProtocolClient } from '../harness/clients/protocol.ts'

export const ZONE = 'America/New_York'
export const today = () => Temporal.Now.plainDateISO(ZONE)
export const tomorrow = () => today().add({ days: 1 }).toString()

type By = { key: string }
export type Content = { uri: string; mimeType: string; text: string }

/** A company with one customer, with functions to read its resources and add records. */
export type Reading = Awaited<ReturnType<typeof openResourceScene>>

export async function openResourceScene() {
  const service = await startTestService()
  const company = await makeCompany(service)
  const tech = await company.member('tech')
  const ana = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    last_name: 'Okafor',
    locations: [{ address_line1: '1 Pier Rd' }],
  })
  return { service, company, tech, ana, ...reading(service, company), ...filling(company, ana) }
}

function reading(service: TestService, company: Company) {
  const read = async (uri: string, by: By = company.owner, query = ''): Promise<Content> => {
    const { result, error } = await newProtocolClient(service.url + query, by.key).handshake('resources/read', { uri })
    assert.ok(result, `${uri}: ${JSON.stringify(error)}`)
    assert.equal(result['contents'].length, 1)
    assert.equal(result['contents'][0].uri, uri)
    return result['contents'][0] as Content
  }
  const markdown = async (uri: string, by?: By): Promise<string> => {
    const { mimeType, text } = await read(uri, by)
    assert.equal(mimeType, 'text/markdown')
    return text
  }
  const json = async (uri: string, by?: By): Promise<Result> => {
    const { mimeType, text } = await read(`${uri}.json`, by)
    assert.equal(mimeType, 'application/json')
    return JSON.parse(text) as Result
  }
  const isAbsent = async (uri: string, by: By = company.owner, query = ''): Promise<void> => {
    const { eras } = newProtocolClient(service.url + query, by.key)
    assert.deepEqual((await eras['2025-11-25']('resources/read', { uri })).error, {
      code: -32002,
      message: 'Resource not found',
      data: { uri: uri.length > 64 ? `${uri.slice(0, 64)}…` : uri },
    })
    assert.equal((await eras['2026-07-28']('resources/read', { uri })).error!.code, -32602)
  }
  return { read, markdown, json, isAbsent }
}

function filling(company: Company, ana: Result) {
  const job = async (given: object): Promise<Result> =>
    company.call('jobs_create', { customer_id: ana['id'], title: 'Work', ...given })
  const invoice = async (given: object = {}): Promise<Result> =>
    company.call('invoices_create', {
      customer_id: ana['id'],
      line_items: [{ name: 'x', unit_price_cents: 10_000 }],
      ...given,
    })
  const late = async (): Promise<Result> => {
    const { id } = await invoice({
      issue_date: today().subtract({ days: 40 }).toString(),
      due_date: today().subtract({ days: 10 }).toString(),
    })
    return company.call('invoices_update', { id, status: 'sent' })
  }
  return { job, invoice, late }
}

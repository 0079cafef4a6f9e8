import { createHash } from 'node:crypto'
import { issueLink, type NewLink } from '../../src/customer_portal/link.ts'
import { readTenant, writeTenant, type Sql } from '../../src/platform/db/tenant.ts'
import { openOffice } from '../harness/identity/people_pages.ts'
import { startSite, newBrowser } from '../harness/web_client.ts'
import type { Result, TestService } from '../harness/harness.ts'

export type PortalScene = Awaited<ReturnType<typeof openPortalScene>>

let serial = 0

/** Starts the service, a company with a reachable customer, and the records that links lead to. */
export async function openPortalScene(env: Record<string, string> = {}, service?: TestService) {
  return linkingAt(service ?? (await startSite(env)))
}

async function linkingAt(service: TestService) {
  const office = await openOffice(service, 'Acme Plumbing')
  const customer = await office.customer('Maria', {
    last_name: 'Lopez',
    contacts: [{ first_name: 'Maria', last_name: 'Lopez', email: 'maria@example.com', is_primary: true }],
    locations: [{ address_line1: '1 Elm St', city: 'Austin', region: 'TX', postal_code: '78701' }],
  })
  const issue = async (given: Omit<NewLink, 'by'>): Promise<string> =>
    (
      await writeTenant(service.database, { tenant: office.id }, (db) =>
        issueLink(db, { by: office.owner.user_id, ...given }),
      )
    ).path
  const quote = (given: object = {}, status = 'sent'): Promise<Result> =>
    office
      .call('quotes_create', {
        customer_id: customer['id'],
        title: 'New water heater',
        terms: 'Paid on the day.',
        line_items: [{ name: 'Water heater', quantity: 1.5, unit_price_cents: 12_345 }],
        ...given,
      })
      .then((made) => (status === 'draft' ? made : office.call('quotes_update', { id: made['id'], status })))
  const invoice = (given: object = {}, status = 'sent'): Promise<Result> =>
    office
      .call('invoices_create', {
        customer_id: customer['id'],
        line_items: [{ name: 'Water heater', unit_price_cents: 39_241 }],
        ...given,
      })
      .then((made) => (status === 'draft' ? made : office.call('invoices_update', { id: made['id'], status })))
  const all = <T>(query: Sql): Promise<T[]> =>
    readTenant(service.database, { tenant: office.id }, (db) => db.all<T>(query))
  return {
    service,
    office,
    customer,
    issue,
    quote,
    invoice,
    all,
    /** Returns a customer's browser with its own address. Pages without a referrer make it send Origin: null. */
    browser: () => {
      const browser = newBrowser(service)
      const address = `203.0.113.${(serial = (serial % 250) + 1)}`
      const from = { 'x-forwarded-for': address }
      const send = (path: string, init: Parameters<typeof browser.send>[1] = {}) =>
        browser.send(path, { ...init, headers: { ...from, ...init.headers } })
      return {
        address,
        send,
        get: (path: string) => send(path),
        post: (path: string, fields: Record<string, string>) => browser.post(path, fields, { ...from, origin: 'null' }),
      }
    },
    quoteLink: async (given: object = {}): Promise<{ quote: Result; path: string }> => {
      const made = await quote(given)
      return { quote: made, path: await issue({ kind: 'quotes', id: made['id'] as string }) }
    },
    invoiceLink: async (given: object = {}): Promise<{ invoice: Result; path: string }> => {
      const made = await invoice(given)
      return { invoice: made, path: await issue({ kind: 'invoices', id: made['id'] as string }) }
    },
  }
}

/** Returns a form field's value by name. */
export const fieldValueOf = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

export const secretOf = (path: string): string => path.slice('/c/'.length)

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

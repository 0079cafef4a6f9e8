import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice } from '../harness/identity/people_pages.ts'

/** Senders for a site. Nothing is sent, because no worker runs. */
export const SENDERS = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'office@example.com',
  SMS_ACCOUNT_SID: 'AC0',
  SMS_AUTH_TOKEN: 'secret',
  SMS_FROM: '+16175550100',
}

/** Queued message as a provider would receive it. */
export type Queued = {
  id: string
  channel: string
  state: string
  cause: string
  recipient: string
  subject: string | null
  body: string
  attachments: { document: string; id: string }[]
  about_id: string | null
}

/** Opens a company, with helpers for customers with email and phone, invoices and queued messages. */
export async function openScene(service: TestService, name: string) {
  const office = await openOffice(service, name)
  const listQueued = (): Promise<Queued[]> =>
    readTenant(service.database, { tenant: office.id }, (db) =>
      db.all<Queued>(sql`select o.id, o.channel, o.state, o.cause, o.recipient, m.subject, m.body, o.attachments, o.about_id
        from outbox o join communications m on m.tenant_id = o.tenant_id and m.id = o.id
        where o.tenant_id = ${office.id} order by o.id`),
    )
  const customer = (first_name: string, contact: object = {}, more: object = {}) =>
    office.customer(first_name, {
      last_name: 'Vance',
      contacts: [
        { first_name, email: `${first_name.toLowerCase()}@example.com`, phone: '+1 617 555 0142', ...contact },
      ],
      ...more,
    })
  const invoice = (customer_id: string, more: object = {}) =>
    office.call('invoices_create', {
      customer_id,
      subject: 'New boiler',
      line_items: [{ name: 'Boiler', unit_price_cents: 200_000 }],
      ...more,
    })
  return { ...office, listQueued, customer, invoice }
}

export type Scene = Awaited<ReturnType<typeof openScene>>

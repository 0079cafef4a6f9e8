import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import type { Result } from '../harness/harness.ts'
import { sendForm } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { WEBHOOK_ENV } from '../harness/clients/webhook_calls.ts'
import { acceptByLink, importFile, pay, visitByLink, writeAll } from './marked_channels.ts'
import { openOfficeScene, type OfficeScene } from './office_scene.ts'

/** Marks in every text of two customers, and the last digits of their phone numbers. */
export const [ADA, BEN] = ['zqadaqz', 'zqbenqz'] as const
export const [ADAS, BENS] = ['617 555 7391', '617 555 2846'] as const

const LINE = (words: string) => ({ name: `Visit ${words}`, description: `For ${words}`, unit_price_cents: 12_500 })

const inDays = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()

/**
 * Creates a customer whose every text has a mark, through every channel: tools, pages, links, mail, texts and payments.
 * Lines of issued documents, which stay in the books, have none.
 */
async function createMarkedCustomer(scene: OfficeScene, mark: string, phone: string) {
  const { office, service } = scene
  const { call } = office
  const at = (to: string): string => `${mark}-${to}@example.com`
  const fields = { note: mark, [mark]: true }
  const kept = { name: 'Heater', unit_price_cents: 90_000 }
  const customer = await call('customers_create', {
    customer_type: 'individual',
    first_name: mark,
    last_name: `${mark}son`,
    lead_source: `Friend of ${mark}`,
    external_id: `ext-${mark}`,
    fields,
    contacts: [
      {
        first_name: mark,
        role_label: `Boss ${mark}`,
        email: at('home'),
        phone: `${phone} x12`,
        notes: `Rings ${mark}`,
      },
      {
        first_name: 'Second',
        last_name: mark,
        email: at('second'),
        sms_opt_out: true,
        phone: `${phone.slice(0, -1)}9`,
      },
    ],
    locations: [
      {
        name: `Lake ${mark}`,
        address_line1: `1 ${mark} St`,
        address_line2: mark,
        city: mark,
        region: mark,
        postal_code: '78701',
        access_notes: `Gate ${mark}`,
      },
      { type: 'billing', address_line1: `2 ${mark} St` },
    ],
    idempotency_key: `key-${mark}`,
  })
  const id = customer['id'] as string
  const of = { customer_id: id }
  const job = await call('jobs_create', {
    ...of,
    title: `Pump ${mark}`,
    description: mark,
    instructions: mark,
    line_items: [LINE(mark)],
    fields,
    scheduled_start: `${inDays(3)}T09:00`,
    idempotency_key: `job-${mark}`,
  })
  await call('jobs_update', { id: job['id'], title: `Pumps ${mark}` })
  const done = await call('jobs_create', { ...of, title: `Done ${mark}`, scheduled_start: `${inDays(-3)}T09:00` })
  await call('jobs_update', { id: done['id'], status: 'done' })
  const gone = await call('jobs_create', { ...of, title: `Gone ${mark}` })
  await call('jobs_cancel', { id: gone['id'], reason: `Because of ${mark}` })
  const series = await call('job_series_create', {
    ...of,
    title: `Weekly ${mark}`,
    description: mark,
    instructions: mark,
    rrule: 'FREQ=WEEKLY;BYDAY=MO',
    dtstart: `${inDays(1)}T09:00`,
    line_items: [LINE(mark)],
  })
  const plan = await call('plans_create', {
    ...of,
    name: `Care ${mark}`,
    description: mark,
    cadence: 'monthly',
    line_items: [LINE(mark)],
  })
  // A plan run dated yesterday is due at any hour; one dated today only from 6 a.m.
  await writeTenant(service.database, { tenant: office.id }, (db) =>
    db.run(sql`update plans set next_run_date = ${inDays(-1)} where tenant_id = ${office.id} and id = ${plan['id']}`),
  )
  const paper = {
    ...of,
    po_number: mark,
    subject: `Work ${mark}`,
    message: mark,
    internal_memo: mark,
    fields,
    job_ids: [done['id']],
  }
  const draft = await call('invoices_create', { ...paper, line_items: [LINE(mark)] })
  const invoice = await call('invoices_create', { ...paper, line_items: [kept] })
  await call('invoices_update', { id: invoice['id'], status: 'sent' })
  const voided = await call('invoices_create', { ...paper, line_items: [kept] })
  await call('invoices_update', { id: voided['id'], status: 'sent' })
  await call('invoices_void', { id: voided['id'], reason: `Wrong ${mark}` })
  const quote = await call('quotes_create', {
    ...of,
    title: `Offer ${mark}`,
    message: mark,
    terms: mark,
    fields,
    line_items: [LINE(mark)],
  })
  const declined = await call('quotes_create', { ...of, title: `Dear ${mark}`, line_items: [LINE(mark)] })
  await call('quotes_update', { id: declined['id'], status: 'sent' })
  await call('quotes_update', { id: declined['id'], status: 'declined', decline_reason: mark })
  const accepted = await call('quotes_create', { ...of, title: `Agreed ${mark}`, message: mark, line_items: [kept] })
  await call('quotes_update', { id: accepted['id'], status: 'sent' })
  for (const [subject_type, subject] of Object.entries({
    customer,
    contact: customer['contacts'][0],
    location: customer['locations'][0],
    job,
    job_series: series,
    invoice,
    quote,
    plan,
  }))
    await call('notes_create', { subject_type, subject_id: (subject as Result)['id'], body: `About ${mark}` })
  await acceptByLink(scene, accepted['id'], mark)
  await visitByLink(scene, invoice['id'], mark)
  await writeAll(scene, { id, job: job['id'], invoice: invoice['id'] }, mark, phone)
  await pay(scene, invoice['id'], mark)
  const twin = await call('customers_create', {
    customer_type: 'individual',
    first_name: `Twin ${mark}`,
    contacts: [{ email: at('twin') }],
  })
  await sendForm(office.browser, office.at('customers', twin['id'], 'merge'), [
    ['with', id],
    ['keep', id],
  ])
  await importFile(scene, mark, at('home'))
  const ids = {
    customers: id,
    jobs: job['id'],
    invoices: invoice['id'],
    quotes: accepted['id'],
    plans: plan['id'],
    job_series: series['id'],
  }
  return {
    id,
    name: `${mark} ${mark}son`,
    ids,
    draft: draft['id'] as string,
    invoice: invoice['id'] as string,
    quote: accepted['id'] as string,
    job: job['id'] as string,
  }
}

export type MarkedCustomers = Awaited<ReturnType<typeof openMarkedCustomers>>

/** Starts a service with its own data folder and two customers with data in every table, each under a mark. */
export async function openMarkedCustomers(env: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'callout-leaving-'))
  const service = await startSite({
    ...WEBHOOK_ENV,
    DATA_DIR: directory,
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'desk@example.com',
    ...env,
  })
  const scene = await openOfficeScene(service)
  return {
    directory,
    service,
    scene,
    ada: await createMarkedCustomer(scene, ADA, ADAS),
    ben: await createMarkedCustomer(scene, BEN, BENS),
    stop: async (): Promise<void> => {
      await service.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

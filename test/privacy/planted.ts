import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAILBOXES, NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { issueLink } from '../../src/customer_portal/link.ts'
import { assignQuarantined } from '../../src/messaging/inbox/quarantine/quarantine_review.ts'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import { attached } from '../harness/files/files.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { freshId, quarantinedUnder } from '../harness/messaging/inbound.ts'
import { openOffice, sendForm, submit, type Office } from '../harness/identity/people_pages.ts'
import { formIn } from '../harness/files/importing.ts'
import { startSite, visitor } from '../harness/visiting.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'
import { remembering } from '../harness/processes/workers.ts'
import { carried } from '../customer_portal/setting.ts'

/** Marks every word of two customers, with the ends of their numbers. */
export const [ADA, BEN] = ['zqadaqz', 'zqbenqz'] as const
export const [ADAS, BENS] = ['617 555 7391', '617 555 2846'] as const

export const NUMBER = '+16175550200'
export const MAILBOX = 'desk@in.example.com'
export const ACCOUNT = 'acct_ours'

export type Yard = Awaited<ReturnType<typeof openYard>>

/** Opens a company that receives messages and payments, and a worker that runs due tasks on request. */
export async function openYard(service: TestService) {
  const office = await openOffice(service, 'Alder Plumbing')
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
  await addChannel(service.database, MAILBOXES, office.id, MAILBOX)
  await connectPaymentAccount(service.database, null, office.id, ACCOUNT)
  const { log, lines } = remembering()
  let now = Temporal.Now.instant()
  const chores = [...PERIODIC_TASKS, ...configurableTasks(service.config, service.database)]
  const shop = { database: service.database, log, clock: () => now, stopping: new AbortController().signal }
  await enrollAll(shop, chores)
  return {
    service,
    office,
    lines,
    provider: providerOf(service),
    /** Runs what is due some seconds later, until nothing is. */
    work: async (seconds = 20): Promise<void> => {
      now = now.add({ seconds })
      for (let round = 0; round < 3; round++) await runDue(shop, chores)
    },
  }
}

const LINE = (words: string) => ({ name: `Visit ${words}`, description: `For ${words}`, unit_price_cents: 12_500 })

const inDays = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()

/**
 * Makes a customer whose every text is a mark, through every channel: tools, pages, links, mail, texts and payments.
 * The lines of issued documents, which the books keep, have no mark.
 */
export async function plant(yard: Yard, mark: string, phone: string) {
  const { office, service } = yard
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
  // A run of yesterday is due at every hour of today, and one of today from six o'clock on.
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
  await acceptByLink(yard, accepted['id'], mark)
  await visitByLink(yard, invoice['id'], mark)
  await writeAll(yard, { id, job: job['id'], invoice: invoice['id'] }, mark, phone)
  await pay(yard, invoice['id'], mark)
  const twin = await call('customers_create', {
    customer_type: 'individual',
    first_name: `Twin ${mark}`,
    contacts: [{ email: at('twin') }],
  })
  await sendForm(office.browser, office.at('customers', twin['id'], 'merge'), [
    ['with', id],
    ['keep', id],
  ])
  await importFile(yard, mark, at('home'))
  const tools = ['customers', 'jobs', 'invoices', 'quotes', 'plans', 'job_series'] as const
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
    tools,
    service,
  }
}

async function acceptByLink({ office, service }: Yard, quote: string, mark: string): Promise<void> {
  const { path } = await writeTenant(service.database, { tenant: office.id }, (db) =>
    issueLink(db, { by: office.owner.user_id, kind: 'quotes', id: quote }),
  )
  const browser = visitor(service)
  const headers = { 'user-agent': `Browser of ${mark}` }
  const { text } = await browser.send(`${path}/accept`, { headers })
  const fields = { shown: carried(text, 'shown'), name: `${mark} signs`, signature: 'M10 20L30 40L599 199M5 5' }
  const { status } = await browser.post(`${path}/accept`, fields, { ...headers, origin: 'null' })
  if (status !== 303) throw new Error(`Not accepted: ${status}`)
}

async function visitByLink({ office, service }: Yard, invoice: string, mark: string): Promise<void> {
  const { path } = await writeTenant(service.database, { tenant: office.id }, (db) =>
    issueLink(db, { by: office.owner.user_id, kind: 'invoices', id: invoice }),
  )
  await visitor(service).send(path, { headers: { 'user-agent': mark } })
}

/** Writes in both ways: texts and mail that come in, with a file, and what the office sends and answers. */
async function writeAll(
  { office, provider, service, work }: Yard,
  { id, job, invoice }: { id: string; job: string; invoice: string },
  mark: string,
  phone: string,
): Promise<void> {
  const from = `+1${phone.replaceAll(/\D/g, '')}`
  await provider.sms('/api/webhooks/sms/inbound-sms', {
    MessageSid: freshId(),
    From: from,
    To: NUMBER,
    Body: `Hello from ${mark}`,
  })
  const file = attached(`${mark}.txt`, 'text/plain', Buffer.from(`Inside of the file of ${mark}`))
  const mail = {
    from: `${mark} <${mark}-home@example.com>`,
    to: MAILBOX,
    messageId: `<${freshId()}@${mark}.example>`,
    subject: `ErasureSubject ${mark}`,
    text: `Text ${mark}`,
    html: `<p>${mark}</p>`,
    attachments: [file],
  }
  await provider.email('/api/webhooks/email/inbound', { ...mail, dmarc: 'pass' })
  await provider.email('/api/webhooks/email/inbound', {
    ...mail,
    messageId: `<${freshId()}@${mark}.example>`,
    dmarc: 'fail',
    attachments: [],
  })
  // The same message again with other content waits for the company.
  await provider.email('/api/webhooks/email/inbound', { ...mail, text: `Other ${mark}`, dmarc: 'pass' })
  const stray = freshId('m')
  await provider.email('/api/webhooks/email/inbound', {
    ...mail,
    messageId: stray,
    to: `${freshId('x')}@in.example.com`,
  })
  const [held] = await quarantinedUnder(service.database, stray)
  await assignQuarantined(service.database, { by: null, tenant: null }, String(held!['id']), office.id)
  await work()
  await submit(office.browser, office.at('invoices', invoice, 'send'), { body: `Dear ${mark}\n{link}` })
  const body = new FormData()
  body.append('files', new File([`Picture of ${mark}`], `${mark}.txt`, { type: 'text/plain' }))
  body.append('caption', `Caption ${mark}`)
  const { status } = await office.browser.send(office.at('jobs', job, 'media'), {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  if (status !== 303) throw new Error(`No media: ${status}`)
  await submit(office.browser, office.at('messages', 'with', id), { body: `Answer to ${mark}` }).catch(() => undefined)
}

async function pay({ office, provider, work }: Yard, invoice: string, mark: string): Promise<void> {
  await submit(office.browser, office.at('invoices', invoice, 'payment'), {
    amount_cents: '100.00',
    reference: `Check of ${mark}`,
    note: mark,
  })
  const object = {
    id: `ch_${newId()}`,
    object: 'charge',
    amount: 5000,
    captured: true,
    currency: 'usd',
    metadata: { invoice_id: invoice },
    billing_details: { name: mark, email: `${mark}-home@example.com` },
  }
  await provider.event({
    id: `evt_${newId()}`,
    type: 'charge.succeeded',
    account: ACCOUNT,
    livemode: false,
    data: { object },
  })
  await work()
  const dispute = {
    id: `dp_${newId()}`,
    object: 'dispute',
    charge: object.id,
    amount: 5000,
    currency: 'usd',
    reason: `reason_${mark}`,
    status: 'needs_response',
    evidence: { customer_name: mark },
  }
  await provider.event({
    id: `evt_${newId()}`,
    type: 'charge.dispute.created',
    account: ACCOUNT,
    livemode: false,
    data: { object: dispute },
  })
  await work()
}

async function importFile({ office }: Yard, name: string, email: string): Promise<void> {
  const body = new FormData()
  body.append('file', new File([`First name,E-mail\n${name},${email}\n`], `${name}.csv`, { type: 'text/csv' }))
  const request = new Request('http://localhost', { method: 'POST', body })
  const bytes = await request.arrayBuffer()
  const { location } = await office.browser.send(office.at('settings', 'import'), {
    method: 'POST',
    body: bytes,
    headers: {
      'content-type': request.headers.get('content-type')!,
      'sec-fetch-site': 'same-origin',
      'content-length': String(bytes.byteLength),
    },
  })
  const columns = await office.browser.get(location!)
  const { location: file } = await office.browser.post(location!, formIn(columns.text))
  await over(office, file!)
  await office.browser.post(file!, {})
  await over(office, file!)
}

async function over({ browser }: Office, path: string): Promise<void> {
  while ((await browser.get(path)).text.includes('<progress')) await new Promise((resolve) => setTimeout(resolve, 50))
}

export type Planted = Awaited<ReturnType<typeof openPlanted>>

/** Opens a service with a folder of its own, where all that can be known is known of two customers under their marks. */
export async function openPlanted(env: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'callout-leaving-'))
  const service = await startSite({
    ...WEBHOOK_ENV,
    DATA_DIR: directory,
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'desk@example.com',
    ...env,
  })
  const yard = await openYard(service)
  return {
    directory,
    service,
    yard,
    ada: await plant(yard, ADA, ADAS),
    ben: await plant(yard, BEN, BENS),
    stop: async (): Promise<void> => {
      await service.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

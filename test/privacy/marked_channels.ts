import { issueLink } from '../../src/customer_portal/link.ts'
import { assignQuarantined } from '../../src/messaging/inbox/quarantine/quarantine_review.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeAttachment } from '../harness/files/files.ts'
import { formIn } from '../harness/files/imports.ts'
import { submit, type Office } from '../harness/identity/people_pages.ts'
import { freshId, quarantinedUnder } from '../harness/messaging/inbound.ts'
import { newBrowser } from '../harness/web_client.ts'
import { fieldValueOf } from '../customer_portal/portal_scene.ts'
import { ACCOUNT, MAILBOX, NUMBER, type OfficeScene } from './office_scene.ts'

export async function acceptByLink({ office, service }: OfficeScene, quote: string, mark: string): Promise<void> {
  const { path } = await writeTenant(service.database, { tenant: office.id }, (db) =>
    issueLink(db, { by: office.owner.user_id, kind: 'quotes', id: quote }),
  )
  const browser = newBrowser(service)
  const headers = { 'user-agent': `Browser of ${mark}` }
  const { text } = await browser.send(`${path}/accept`, { headers })
  const fields = { shown: fieldValueOf(text, 'shown'), name: `${mark} signs`, signature: 'M10 20L30 40L599 199M5 5' }
  const { status } = await browser.post(`${path}/accept`, fields, { ...headers, origin: 'null' })
  if (status !== 303) throw new Error(`Not accepted: ${status}`)
}

export async function visitByLink({ office, service }: OfficeScene, invoice: string, mark: string): Promise<void> {
  const { path } = await writeTenant(service.database, { tenant: office.id }, (db) =>
    issueLink(db, { by: office.owner.user_id, kind: 'invoices', id: invoice }),
  )
  await newBrowser(service).send(path, { headers: { 'user-agent': mark } })
}

/** Exchanges messages both ways: inbound texts and mail with a file, and what the office sends and answers. */
export async function writeAll(
  { office, provider, service, work }: OfficeScene,
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
  const file = makeAttachment(`${mark}.txt`, 'text/plain', Buffer.from(`Inside of the file of ${mark}`))
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
  // The same message id with other content is quarantined.
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

export async function pay({ office, provider, work }: OfficeScene, invoice: string, mark: string): Promise<void> {
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

export async function importFile({ office }: OfficeScene, name: string, email: string): Promise<void> {
  const body = new FormData()
  body.append('file', new File([`First name,Email\n${name},${email}\n`], `${name}.csv`, { type: 'text/csv' }))
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

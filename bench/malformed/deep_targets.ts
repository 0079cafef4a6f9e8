import { EVENT_KINDS } from '../../src/mobile/events/kinds.ts'
import { requireValue } from '../../src/platform/errors/require_value.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { ARGUMENTS } from '../../test/harness/clients/every_tool.ts'
import { EMAIL_SECRET, emailHeaders, paymentsHeader, smsSignature } from '../../test/harness/clients/webhook_calls.ts'
import type { Office } from '../cost/office.ts'
import { FORM_TYPE, JSON_TYPE, type Sent, type Target } from '../cost/requests.ts'
import { applyGenes, applyGenesToFields, listPaths } from './apply_genes.ts'
import { ACCOUNT, type MalformedCompany } from './company.ts'

const MAX_BYTES = 200_000

/** Returns targets with nested values: every tool with all its arguments, providers' events, and phones' events. */
export const deepTargets = (office: Office, company: MalformedCompany): Target[] =>
  [
    ...toolTargets(office, company),
    ...paymentTargets(company),
    ...messageTargets(office),
    ...phoneTargets(office, company),
  ].map((target) => ({ ...target, misplaced: company.misplaced }))

/** Returns a target whose whole value can be malformed. The value is new each time, because event ids must be. */
const deep = (name: string, usual: () => object, sent: (json: string) => Sent): Target => ({
  name: `${name}, deep`,
  maxBytes: MAX_BYTES,
  fields: listPaths(usual()),
  request: (genes) => sent(applyGenes(usual(), genes)),
})

const ENDING = /_(archive|cancel|complete|convert|delete|end|merge|remove|void)/

const toolTargets = ({ key }: Office, { records, spare }: MalformedCompany): Target[] =>
  Object.entries(ARGUMENTS).flatMap(([name, argsOf]) =>
    argsOf(ENDING.test(name) ? spare : records).map((usual) =>
      deep(
        name,
        () => usual,
        (json) => ({
          path: '/api/mcp',
          headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` },
          body: Buffer.from(
            `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${json}}}`,
          ),
        }),
      ),
    ),
  )

/** Objects in the payments provider's events: payments, refunds, disputes and accounts. */
const OBJECTS: Readonly<Record<string, object>> = {
  'charge.succeeded': { id: 'ch_1', object: 'charge', amount: 1_000, captured: true, payment_intent: 'pi_1' },
  'charge.refunded': { id: 'ch_1', object: 'charge', amount: 1_000, amount_refunded: 10, refunds: { data: [] } },
  'refund.created': { id: 're_1', object: 'refund', amount: 10, charge: 'ch_1', status: 'succeeded' },
  'refund.failed': { id: 're_1', object: 'refund', amount: 10, charge: 'ch_1', status: 'failed' },
  'charge.dispute.created': { id: 'dp_1', object: 'dispute', amount: 10, charge: 'ch_1', status: 'needs_response' },
  'charge.dispute.closed': { id: 'dp_1', object: 'dispute', amount: 10, charge: 'ch_1', status: 'lost' },
  'checkout.session.completed': { id: 'cs_1', object: 'checkout.session', amount_total: 10, payment_status: 'paid' },
  'account.updated': { id: ACCOUNT, object: 'account', charges_enabled: true, requirements: { currently_due: [] } },
  'capability.updated': { id: 'card_payments', object: 'capability', account: ACCOUNT, status: 'active' },
}

const paymentTargets = ({ invoice }: MalformedCompany): Target[] =>
  Object.entries(OBJECTS).map(([type, object]) =>
    deep(
      type,
      () => ({
        id: `evt_${newId()}`,
        type,
        account: ACCOUNT,
        livemode: false,
        created: 1_800_000_000,
        data: {
          object: {
            currency: 'usd',
            metadata: { invoice_id: invoice },
            transfer_data: { destination: ACCOUNT },
            on_behalf_of: null,
            ...object,
          },
        },
        related_object: { id: ACCOUNT, type: 'v2.core.account' },
      }),
      (json) => ({
        path: '/api/webhooks/payments/connect',
        headers: { ...JSON_TYPE, 'payments-signature': paymentsHeader(json) },
        body: Buffer.from(json),
      }),
    ),
  )

/** Returns messages as their providers send them, with pictures and files, signed after they were malformed. */
function messageTargets({ service: { config }, mailbox, number }: Office): Target[] {
  const mail = (path: string, usual: () => object): Target =>
    deep(path, usual, (json) => ({
      path,
      headers: { ...JSON_TYPE, ...emailHeaders(json, { secret: EMAIL_SECRET, id: `msg_${newId()}` }) },
      body: Buffer.from(json),
    }))
  const text = (path: string, usual: () => [string, string][]): Target => ({
    name: `${path}, deep`,
    maxBytes: MAX_BYTES,
    fields: [...usual().map(([name]) => name), 'strange'],
    request: (genes) => {
      const form = applyGenesToFields(usual(), genes)
      const signed = Object.fromEntries([...new Set(form.keys())].map((name) => [name, form.getAll(name)]))
      return {
        path,
        headers: { ...FORM_TYPE, 'x-sms-signature': smsSignature(config.baseUrl + path, signed) },
        body: Buffer.from(form.toString()),
      }
    },
  })
  return [
    mail('/api/webhooks/email/inbound', () => ({
      messageId: `<${newId()}@a.example>`,
      from: 'Ana <ana@example.com>',
      to: [mailbox, 'Leo <leo@example.com>'],
      cc: ['b@example.com'],
      subject: 'Boiler',
      text: 'It leaks',
      html: '<p>It leaks</p>',
      inReplyTo: '<a@b.example>',
      references: ['<a@b.example>'],
      date: '2026-03-31T09:00:00Z',
      headers: { 'authentication-results': 'mx; dmarc=pass', 'auto-submitted': 'no' },
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: 'YQ==', contentId: '<c>', size: 1 }],
    })),
    mail('/api/webhooks/email/email-events', () => ({
      type: 'email.bounced',
      created_at: '2026-03-31T09:00:00Z',
      data: { email_id: newId(), to: ['a@b.example'], bounce: { type: 'Permanent', message: 'Gone' } },
    })),
    text('/api/webhooks/sms/inbound-sms', () => [
      ['MessageSid', `SM${newId().replaceAll('-', '')}`],
      ['From', '+16175550100'],
      ['To', number],
      ['Body', 'It leaks'],
      ['NumMedia', '1'],
      ['MediaUrl0', 'https://api.sms.example/a.jpg'],
      ['MediaContentType0', 'image/jpeg'],
      ['OptOutType', 'STOP'],
    ]),
    text('/api/webhooks/sms/sms-status', () => [
      ['MessageSid', `SM${newId().replaceAll('-', '')}`],
      ['MessageStatus', 'failed'],
      ['ErrorCode', '30003'],
    ]),
  ]
}

/** Returns events of every kind as a technician's phone sends them. */
function phoneTargets(
  { tenant }: Office,
  { technician: { user, job, cookie }, invoice, records }: MalformedCompany,
): Target[] {
  const now = (): string => Temporal.Now.instant().toString()
  const lines = [{ catalog_item_id: records.item, quantity: 2 }]
  const tenPercent = { type: 'percent', value: 10 }
  const option = {
    title: 'Good',
    line_items: lines,
    optional_lines: lines,
    discount: tenPercent,
    deposit: tenPercent,
    terms: 'Net 10',
    total_cents: 100,
  }
  const payloads: Readonly<Record<string, object>> = {
    status: { to: 'on_hold', reason: 'Lunch' },
    note: { body: 'Under the sink' },
    photo: { name: 'a.jpg', type: 'image/jpeg', bytes: 3, sha256: 'a'.repeat(64), caption: 'Leak' },
    part: { catalog_item_id: records.item, quantity: 2.5 },
    time: { what: 'paused' },
    time_correction: { entry_id: null, started_at: now(), ended_at: now(), reason: 'Forgot' },
    checklist: { item_id: newId(), value: 'yes' },
    signature: { name: 'Ana', drawing: 'M0 0L10 10' },
    payment: { invoice_id: invoice, amount_cents: 100, method: 'cash', reference: '1' },
    invoice: {},
    receipt: { invoice_id: invoice, channel: 'email', to: 'ana@example.com' },
    quote: { ...option, options: [option] },
    quote_signature: {
      quote_act: newId(),
      option: 1,
      optional_lines: [0],
      total_cents: 100,
      updated_at: now(),
      name: 'Ana',
      drawing: 'M0 0L10 10',
    },
    late: { minutes: 30, tell_customers: false },
    equipment: {
      equipment_id: newId(),
      is_new: true,
      type: 'Boiler',
      model: 'A',
      serial: '1',
      installed_on: '2026-03-31',
      note: 'Loud',
      photo_ids: [newId()],
    },
  }
  const seen = { status: job['status'] as string, scheduled_start: job['scheduled_start'] as string, mine: true }
  return [...EVENT_KINDS.keys()].map((kind) =>
    deep(
      `a phone's ${kind}`,
      () => ({
        user_id: user,
        sent_at: now(),
        acts: [
          {
            id: newId(),
            kind,
            job_id: job['id'] as string,
            at: now(),
            seen,
            decided: 'mine',
            ...requireValue(payloads[kind], kind),
          },
        ],
      }),
      (json) => ({
        path: `/field/${tenant}/acts`,
        headers: { ...JSON_TYPE, 'sec-fetch-site': 'same-origin', cookie },
        body: Buffer.from(json),
      }),
    ),
  )
}

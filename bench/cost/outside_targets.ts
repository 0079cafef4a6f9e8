import type { OutgoingHttpHeaders } from 'node:http'
import { newId } from '../../src/platform/validation/id.ts'
import {
  EMAIL_SECRET,
  PLATFORM_SECRET,
  SMS_SECRET,
  emailHeaders,
  paymentsHeader,
  smsSignature,
} from '../../test/harness/clients/webhook_calls.ts'
import type { Gene } from './genes.ts'
import type { Office } from './office.ts'
import { FORM_TYPE, JSON_TYPE, encodeForm, withGenes, type Target } from './requests.ts'

/** Returns every webhook, signed and unsigned, and every address of the authorization server. */
export const outsideTargets = (office: Office): Target[] => [...webhookTargets(office), ...oauthTargets(office)]

function webhookTargets({ service: { config }, mailbox, number }: Office): Target[] {
  const maxBytes = 1_000_000
  const mail = {
    from: 'Ana <ana@example.com>',
    to: mailbox,
    subject: 'a',
    text: 'b',
    html: '<p>b</p>',
    inReplyTo: '<a@b.c>',
    attachments: [],
  }
  const event = {
    type: 'charge.succeeded',
    livemode: false,
    created: 1_800_000_000,
    account: 'acct_ours',
    data: { object: { id: 'ch_1', object: 'charge', amount: 1, metadata: {} } },
  }
  const makeTargets = (
    path: string,
    fields: readonly string[],
    make: (genes: readonly Gene[]) => { body: Buffer; headers: OutgoingHttpHeaders },
  ): Target[] => [
    { name: `${path}, signed`, maxBytes, fields, request: (genes) => ({ path, ...make(genes) }) },
    {
      name: `${path}, unsigned`,
      maxBytes,
      fields,
      request: (genes) => ({ path, body: make(genes).body, headers: path.includes('/sms/') ? FORM_TYPE : JSON_TYPE }),
    },
  ]
  const json = (usual: object, genes: readonly Gene[]): string => JSON.stringify(withGenes(usual, genes, () => 'a'))
  const mails = (path: string, usual: () => object): Target[] =>
    makeTargets(path, [...Object.keys(usual()), 'strange'], (genes) => {
      const body = json(usual(), genes)
      return { body: Buffer.from(body), headers: { ...JSON_TYPE, ...emailHeaders(body, { secret: EMAIL_SECRET }) } }
    })
  const sms = (path: string, usual: () => [string, string][]): Target[] =>
    makeTargets(path, [...usual().map(([name]) => name), 'strange'], (genes) => {
      const body = encodeForm(usual(), genes)
      const form = Object.fromEntries(
        [...Map.groupBy(new URLSearchParams(body.toString()), ([name]) => name)].map(([name, pairs]) => [
          name,
          pairs.map(([, value]) => value),
        ]),
      )
      return {
        body,
        headers: { ...FORM_TYPE, 'x-sms-signature': smsSignature(config.baseUrl + path, form, SMS_SECRET) },
      }
    })
  return [
    ...mails('/api/webhooks/email/inbound', () => ({ ...mail, messageId: `<${newId()}@a.b>` })),
    ...mails('/api/webhooks/email/email-events', () => ({
      type: 'email.delivered',
      data: { email_id: newId(), to: ['a@b.c'] },
    })),
    ...sms('/api/webhooks/sms/inbound-sms', () => [
      ['MessageSid', `SM${newId()}`],
      ['From', '+16175550100'],
      ['To', number],
      ['Body', 'a'],
    ]),
    ...sms('/api/webhooks/sms/sms-status', () => [
      ['MessageSid', `SM${newId()}`],
      ['MessageStatus', 'delivered'],
    ]),
    ...makeTargets('/api/webhooks/payments/platform', [...Object.keys(event), 'strange'], (genes) => {
      const body = json({ id: `evt_${newId()}`, ...event }, genes)
      return {
        body: Buffer.from(body),
        headers: { ...JSON_TYPE, 'payments-signature': paymentsHeader(body, PLATFORM_SECRET) },
      }
    }),
  ]
}

function oauthTargets({ service: { config } }: Office): Target[] {
  const at = (step: string): string => `${new URL(config.authUrl).pathname}/oauth/${step}`
  const metadata = {
    client_name: 'a',
    redirect_uris: ['https://a.example/cb'],
    response_types: ['code'],
    client_uri: 'https://a.example',
  }
  const register: Target = {
    name: `POST ${at('register')}`,
    maxBytes: 15_000,
    fields: [...Object.keys(metadata), 'strange'],
    request: (genes) => ({
      path: at('register'),
      headers: JSON_TYPE,
      body: Buffer.from(JSON.stringify(withGenes(metadata, genes, (name) => (name.endsWith('s') ? ['a'] : 'a')))),
    }),
  }
  const form = (path: string, usual: [string, string][]): Target => ({
    name: `POST ${path}`,
    maxBytes: 200_000,
    fields: [...usual.map(([name]) => name), 'strange'],
    request: (genes) => ({ path, headers: FORM_TYPE, body: encodeForm(usual, genes) }),
  })
  const query: [string, string][] = [
    ['response_type', 'code'],
    ['client_id', 'a'],
    ['redirect_uri', 'https://a.example/cb'],
    ['scope', 'read:jobs'],
    ['state', 'a'],
    ['code_challenge', 'a'],
    ['code_challenge_method', 'S256'],
    ['resource', 'a'],
  ]
  const authorize: Target = {
    name: `GET ${at('authorize')}`,
    maxBytes: 12_000,
    fields: query.map(([name]) => name),
    request: (genes) => ({
      path: `${at('authorize')}?${encodeForm(query, genes).toString().slice(0, 14_000)}`,
      headers: {},
      body: Buffer.alloc(0),
    }),
  }
  return [
    register,
    authorize,
    form(at('token'), [
      ['grant_type', 'authorization_code'],
      ['code', 'a'],
      ['client_id', 'a'],
      ['redirect_uri', 'https://a.example/cb'],
      ['code_verifier', 'a'],
      ['refresh_token', 'a'],
    ]),
    form(at('revoke'), [
      ['token', 'a'],
      ['client_id', 'a'],
    ]),
  ]
}

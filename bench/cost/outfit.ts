import { createKey } from '../../src/identity/credentials/keys.ts'
import { addOperator } from '../../src/identity/people/operators.ts'
import { invitePerson } from '../../src/identity/people/invitations/invitations.ts'
import { findUser } from '../../src/identity/people/users.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { newAccountLink } from '../../src/identity/security/account_links.ts'
import { issueLink, type LinkTargetKind } from '../../src/customer_portal/link.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { entities } from '../../src/records/index.ts'
import { FILES } from '../../test/harness/files/files.ts'
import { callerOf } from '../../test/harness/harness.ts'
import { providerOf } from '../../test/harness/clients/webhook_calls.ts'
import { ACCOUNT } from '../malformed/company.ts'
import { SPARE, sendForm, uploadFile } from '../malformed/furnish.ts'
import type { Office } from './office.ts'

/** Addresses with a secret, or of what was added: those for the owner, and those for anyone. */
export type Outfit = { owner: string[]; anybody: string[]; links: Record<LinkTargetKind, string> }

/**
 * Adds to the largest records, and to the office, what people and providers add to them on pages: links, payments, files,
 * messages and events that wait for a decision, saved views, archives.
 */
export async function outfit(office: Office, records: ReadonlyMap<string, string>): Promise<Outfit> {
  const { service, tenant } = office
  const { database } = service
  const owner = await findUser(database, office.owner)
  await addOperator(database, owner)
  const at = (...steps: string[]): string => `/${[tenant, ...steps].join('/')}`
  const link = (kind: LinkTargetKind): Promise<string> =>
    writeTenant(
      database,
      { tenant },
      async (db) => (await issueLink(db, { kind, id: records.get(kind)!, by: owner.id })).path,
    )
  const links = { quotes: await link('quotes'), invoices: await link('invoices'), customers: await link('customers') }
  const second = await writeTenant(database, { tenant }, async (db) => {
    await issueLink(db, { kind: 'invoices', id: records.get('invoices')!, by: owner.id })
    return db.one<{ id: string }>(
      sql`select id from customer_links where tenant_id = ${db.tenant} order by id desc limit 1`,
    )
  })
  const today = Temporal.Now.plainDateISO('America/New_York')
  const [job, invoice] = [records.get('jobs')!, records.get('invoices')!]

  await sendForm(office, at('jobs', job, 'time', 'new'), WORKED)
  await sendForm(office, at('invoices', invoice, 'payment'), { amount: '1.00', paid_on: '2026-03-31' })
  await sendForm(office, at('settings', 'checklists'), { name: 'Boiler', 'item.0.text': 'Gas', 'item.0.kind': 'check' })
  await sendForm(office, at('reports', 'ledger'), {
    from: today.with({ month: 1, day: 1 }).toString(),
    to: today.toString(),
  })
  office.inner.set(':number', '1')
  await sendForm(office, at('settings', 'data'), {})
  await writeTenant(database, { tenant }, async (db) => {
    for (const { name } of entities)
      await db.run(sql`insert into saved_views (tenant_id, id, user_id, list, name, query, is_shared)
        values (${tenant}, ${newId()}, ${owner.id}, ${name}, 'Mine', 'sort=newest', false)`)
  })
  await sendForm(office, at('invoices', records.get('short_invoice')!, 'send'), { to: 'ana@example.com' })
  await uploadFile(office, at('jobs', job, 'media'), 'files', 'leak.png', FILES['image/png']!)
  await uploadFile(office, at('settings', 'company', 'logo'), 'logo', 'logo.png', FILES['image/png']!)
  await propose(office)
  await holdBack(office)

  const { secret } = await invitePerson(database, tenant, INVITED, { user: owner.id })
  const other = await findUser(database, SPARE)
  const reset = newAccountLink({ user: other.id, kind: 'reset', givenBy: null })
  const proof = newAccountLink({ user: other.id, kind: 'prove', mailedTo: other.email })
  await database.send([reset.insert, proof.insert])
  return {
    owner: [`/join?invitation=${secret}`, at('invoices', records.get('invoices')!, 'links', second.id)],
    anybody: [
      ...Object.values(links),
      `/join?invitation=${secret}`,
      `/new-password?link=${reset.secret}`,
      `/prove?link=${proof.secret}`,
      '/sign-in',
    ],
    links,
  }
}

const WORKED = { started_at: '2026-03-31T09:00', ended_at: '2026-03-31T10:00', reason: 'Forgot' }
const INVITED = { email: 'invited@example.com', name: null, role: 'office', areas: undefined } as const

/** Proposes a change with an assistant's key. It waits for a person. */
async function propose({ service, tenant, owner }: Office): Promise<void> {
  const { id: user } = await findUser(service.database, owner)
  const { key } = await createKey(
    service.database,
    { tenant },
    { user, name: 'Proposing', scopes: SCOPES, proposes: SCOPES, expires_at: null },
  )
  await callerOf(service.url, key).refusal('customers_create', { customer_type: 'individual', first_name: 'Kim' })
}

/** Sends mail to an unknown address, mail that reuses a message id with other content, and payments that match nothing. */
async function holdBack({ service, mailbox }: Office): Promise<void> {
  const provider = providerOf(service)
  const mail = { from: 'ana@example.com', subject: 'Cold', attachments: [] }
  const send = (to: string, messageId: string, text: string): Promise<unknown> =>
    provider.email('/api/webhooks/email/inbound', { ...mail, to, messageId, text })
  await send('nobody@in.example.com', `<${newId()}@a.example>`, 'Cold')
  const messageId = `<${newId()}@a.example>`
  await send(mailbox, messageId, 'Cold')
  await send(mailbox, messageId, 'Warm')
  for (const account of [ACCOUNT, 'acct_unknown'])
    await provider.event({
      id: `evt_${newId()}`,
      type: 'charge.succeeded',
      livemode: account !== ACCOUNT,
      account,
      data: { object: { id: `ch_${newId()}`, object: 'charge', amount: 1_500, currency: 'usd', metadata: {} } },
    })
}

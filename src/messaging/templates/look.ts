import { sql, type Db } from '../../platform/db/tenant.ts'
import { languageOf, withReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { day, money } from '../../records/format/formats.ts'
import type { MailLook } from '../outbox/senders/mail_html.ts'

type Row = {
  name: string
  address: string | null
  phone: string | null
  country: string
  language: string | null
  logo_type: string | null
  logo: Uint8Array | null
  about_kind: string | null
  cause: string
  amount: number | null
  currency: string | null
  date: string | null
}

/** Returns the look of an email: the company's branding, and the amount and date of its document. */
export async function findMailLook(db: Db, message: string): Promise<MailLook> {
  const row = await db.one<Row>(sql`select t.name, t.address, t.phone, t.country, c.preferred_language as language,
      l.content_type as logo_type, l.bytes as logo, o.about_kind, o.cause,
      coalesce(i.balance_due_cents, q.total_cents) as amount, coalesce(i.currency, q.currency, t.currency) as currency,
      coalesce(i.due_date, q.valid_until) as date
    from outbox o join communications m on m.tenant_id = o.tenant_id and m.id = o.id
    join tenants t on t.id = o.tenant_id
      left join customers c on c.tenant_id = m.tenant_id and c.id = m.customer_id
      left join logos l on l.tenant_id = o.tenant_id
      left join invoices i on o.about_kind = 'invoices' and i.tenant_id = o.tenant_id and i.id = o.about_id
      left join quotes q on o.about_kind = 'quotes' and q.tenant_id = o.tenant_id and q.id = o.about_id
    where o.tenant_id = ${db.tenant} and o.id = ${message}`)
  const language = languageOf(row.language)
  return withReader({ language, country: row.country }, () => ({
    language,
    company: { name: row.name, address: row.address, phone: row.phone },
    logo: row.logo === null || row.logo_type === null ? null : { type: row.logo_type, content: row.logo },
    facts: row.cause === 'notice' || row.cause === 'receipt' ? [] : factsOf(row),
    action: actionOf(row),
    unsubscribeLabel: say`Stop these reminders`,
  }))
}

function factsOf({ about_kind, amount, currency, date }: Row): MailLook['facts'] {
  if (amount === null || currency === null) return []
  const isInvoice = about_kind === 'invoices'
  return [
    { label: isInvoice ? say`Amount due` : say`Total`, value: money(amount, currency) },
    ...(date === null ? [] : [{ label: isInvoice ? say`Due` : say`Valid until`, value: day(date) }]),
  ]
}

function actionOf({ about_kind, cause }: Row): string {
  if (about_kind === 'invoices') return cause === 'receipt' ? say`View invoice` : say`View and pay invoice`
  if (about_kind === 'quotes') return say`View quote`
  if (about_kind === 'jobs') return say`View your visit`
  return say`Open page`
}

import { currentReader, type Language } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { KINDS, type MessageKind } from './kinds.ts'
import type { SubjectRecord } from './subject_record.ts'

/** Returns an example record, for the preview of a company that has no such record yet. */
export const exampleSubjectRecord = (
  kind: MessageKind,
  company: SubjectRecord['company'] & { currency: string },
): SubjectRecord => {
  const topic = KINDS[kind]
  const tomorrow = Temporal.Now.zonedDateTimeISO(company.timezone).add({ days: 1 }).withPlainTime('09:00')
  return {
    topic,
    id: '00000000-0000-0000-0000-000000000000',
    number: { quotes: 'Q-1042', invoices: 'INV-1042', jobs: 'J-1042', plans: null, customers: null }[topic],
    work: topic === 'plans' ? say`Maintenance plan` : say`Water heater replacement`,
    status: 'sent',
    updated_at: '',
    owner_id: null,
    customer_id: '00000000-0000-0000-0000-000000000000',
    customer_name: 'Ana Ruiz',
    first_name: 'Ana',
    language: currentReader().language,
    is_archived: false,
    contact_id: null,
    address: '500 Congress Ave, Austin, TX 78701',
    currency: company.currency,
    total_cents: 184_500,
    balance_cents: kind === 'payment_receipt' ? 0 : 184_500,
    paid_cents: 184_500,
    day: tomorrow.toPlainDate().add({ days: 13 }).toString(),
    starts_at: tomorrow.toInstant().toString(),
    all_day: false,
    window_minutes: 120,
    crew: [{ user_id: '', name: 'Luis Ortega' }],
    company,
  }
}

export const withLanguage = (record: SubjectRecord, language: Language): SubjectRecord => ({ ...record, language })

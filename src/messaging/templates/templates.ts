import { auditChange, type Actor } from '../../identity/audit.ts'
import { parseField } from '../../identity/inputs.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { Language } from '../../platform/i18n/reader.ts'
import { nonEmptyLongText, nonEmptyText } from '../../platform/validation/text/text.ts'
import { listPlaceholders, type MessageChannel, type MessageKind } from './kinds.ts'
import { requireFillable } from './placeholders.ts'
import { en } from './default_texts/en.ts'
import { es } from './default_texts/es.ts'
import type { Wordings } from './default_texts/wording.ts'

export type TemplateKey = { kind: MessageKind; channel: MessageChannel; language: Language }
/** Template text before placeholders are filled in; a text message has no subject. */
export type MessageText = { subject: string | null; body: string; isOwn: boolean }

const DEFAULTS: Readonly<Record<Language, Wordings>> = { en, es }

const MAX_SUBJECT_LENGTH = 200
const MAX_BODY_LENGTHS: Readonly<Record<MessageChannel, number>> = { email: 5000, sms: 600 }

function defaultTemplate({ kind, channel, language }: TemplateKey): MessageText {
  const words = DEFAULTS[language][kind]
  return channel === 'sms' ? { subject: null, body: words.sms.body, isOwn: false } : { ...words.email, isOwn: false }
}

/** Returns the company's own template, or the default. */
export async function findMessageTemplate(db: Db, key: TemplateKey): Promise<MessageText> {
  const own = await db.maybe<{ subject: string | null; body: string }>(sql`select subject, body from message_templates
    where tenant_id = ${db.tenant} and kind = ${key.kind} and channel = ${key.channel} and language = ${key.language}`)
  return own === undefined ? defaultTemplate(key) : { ...own, isOwn: true }
}

/** Lists the templates that the company has customized. */
export const listOwnTemplates = (db: Db): Promise<TemplateKey[]> =>
  db.all<TemplateKey>(sql`select kind, channel, language from message_templates where tenant_id = ${db.tenant}`)

/** Parses a template as typed: limited in length, with only the placeholders of its kind. */
export function parseTemplate(
  { kind, channel }: Pick<TemplateKey, 'kind' | 'channel'>,
  draft: { subject: string; body: string },
): Omit<MessageText, 'isOwn'> {
  const allowed = listPlaceholders(kind)
  const subject = channel === 'sms' ? null : parseField(nonEmptyText(MAX_SUBJECT_LENGTH), draft.subject, 'subject')
  const body = parseField(nonEmptyLongText(MAX_BODY_LENGTHS[channel]), draft.body, 'body')
  if (subject !== null)
    requireFillable(
      subject,
      allowed.filter((name) => name !== 'link'),
      'subject',
    )
  requireFillable(body, allowed, 'body')
  return { subject, body }
}

/** Saves a company's own template; one equal to the default is removed instead. */
export async function saveTemplate(
  db: Db,
  by: NonNullable<Actor>,
  key: TemplateKey,
  draft: { subject: string; body: string },
): Promise<void> {
  const template = parseTemplate(key, draft)
  await requireOwner(db, by)
  const before = await findMessageTemplate(db, key)
  const standard = defaultTemplate(key)
  if (template.subject === before.subject && template.body === before.body) return
  if (template.subject === standard.subject && template.body === standard.body)
    return removeTemplate(db, by, key, before)
  await Promise.all([
    db.run(sql`insert into message_templates (tenant_id, kind, channel, language, subject, body, updated_by)
      values (${db.tenant}, ${key.kind}, ${key.channel}, ${key.language}, ${template.subject}, ${template.body},
        ${by.user})
      on conflict (tenant_id, kind, channel, language)
      do update set subject = excluded.subject, body = excluded.body, updated_by = excluded.updated_by,
      updated_at = moment_of(excluded.tenant_id)`),
    db.run(auditTemplate(db, by, key, before, template)),
  ])
}

/** Restores the default template. */
export async function resetTemplate(db: Db, by: NonNullable<Actor>, key: TemplateKey): Promise<void> {
  await requireOwner(db, by)
  const before = await findMessageTemplate(db, key)
  if (before.isOwn) await removeTemplate(db, by, key, before)
}

async function removeTemplate(db: Db, by: NonNullable<Actor>, key: TemplateKey, before: MessageText): Promise<void> {
  await Promise.all([
    db.run(sql`delete from message_templates
      where tenant_id = ${db.tenant} and kind = ${key.kind} and channel = ${key.channel}
        and language = ${key.language}`),
    db.run(auditTemplate(db, by, key, before, defaultTemplate(key))),
  ])
}

const auditTemplate = (
  db: Db,
  by: NonNullable<Actor>,
  { kind, channel, language }: TemplateKey,
  before: Omit<MessageText, 'isOwn'>,
  after: Omit<MessageText, 'isOwn'>,
) =>
  auditChange(db.tenant, by, 'companies.set_message', db.tenant, {
    message: [null, [kind, channel, language].join(' ')],
    subject: [before.subject, after.subject],
    body: [before.body, after.body],
  })

import { sql, type Database } from '../../platform/db/tenant.ts'
import { LANGUAGES, type Language } from '../../platform/i18n/reader.ts'
import { readName } from '../inputs.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Changes a user's name, language ('' follows the browser) and single-key shortcuts, in every company. */
export async function changeOwnProfile(
  database: Database,
  user: string,
  draft: { name: string; language: string; usesKeys: boolean },
): Promise<void> {
  const name = readName(draft.name)
  const language = readLanguage(draft.language)
  await database.send([
    sql`update users set name = ${name}, is_name_assumed = false, language = ${language}, uses_keys = ${draft.usesKeys}
      where id = ${user}`,
  ])
}

/** Saves the name that a user enters when asked for it. */
export async function setOwnName(database: Database, user: string, text: string): Promise<void> {
  const name = readName(text, 'name', 100)
  await database.send([sql`update users set name = ${name}, is_name_assumed = false where id = ${user}`])
}

function readLanguage(text: string): Language | null {
  const language = LANGUAGES.find((one) => one === text)
  if (language === undefined && text !== '')
    throw invalidField('language', refusals.language({ languages: LANGUAGES.join(', '), given: text.slice(0, 60) }))
  return language ?? null
}

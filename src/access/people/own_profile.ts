import { sql, type Database } from '../../db/tenant.ts'
import { LANGUAGES, type Language } from '../../language/reader.ts'
import { readName } from '../inputs.ts'
import { invalidField } from '../../refusal.ts'

/** Changes how a user is called and in which language pages speak to them, in every company; '' follows the browser. */
export async function changeOwnProfile(
  database: Database,
  user: string,
  typed: { name: string; language: string },
): Promise<void> {
  const name = readName(typed.name)
  const language = readLanguage(typed.language)
  await database.send([sql`update users set name = ${name}, language = ${language} where id = ${user}`])
}

function readLanguage(typed: string): Language | null {
  const found = LANGUAGES.find((one) => one === typed)
  if (found === undefined && typed !== '')
    throw invalidField('language', `must be one of ${LANGUAGES.join(', ')}, or empty (got '${typed.slice(0, 60)}')`)
  return found ?? null
}

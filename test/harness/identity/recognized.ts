import type { Database } from '../../../src/platform/db/tenant.ts'
import { selectPerson, type RecognizedPerson } from '../../../src/identity/sign_in/sessions.ts'

/** Recognizes somebody as a sign-in would that has just made sure of them. */
export async function recognizePerson(database: Database, user: string): Promise<RecognizedPerson> {
  const [found] = await database.send([selectPerson(user)])
  return found!.rows[0] as RecognizedPerson
}

import type { Database } from '../../../src/platform/db/tenant.ts'
import { selectPerson, type RecognizedPerson } from '../../../src/identity/sign_in/sessions.ts'

/** Returns a person as recognized right after a confirmed sign-in. */
export async function recognizePerson(database: Database, user: string): Promise<RecognizedPerson> {
  const [found] = await database.send([selectPerson(user)])
  return found!.rows[0] as RecognizedPerson
}

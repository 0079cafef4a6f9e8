import { readTenant, sql, writeTenant, type Database } from '../../../platform/db/tenant.ts'
import { entryOf, type Caller } from '../caller.ts'

/** Seconds that a question stays open. The next one can't be asked until then. */
const QUESTION_SECONDS = 45

type Connection = Pick<Caller, 'tenant' | 'credential'>

/** Opens a question to a connection's user; false while another is open. Any process may receive the answer. */
export const openQuestion = (
  database: Database,
  { tenant, credential }: Connection,
  question: string,
): Promise<boolean> =>
  writeTenant(
    database,
    { tenant: tenant.id },
    async (db) =>
      (await db.run(sql`update credentials
        set question_id = ${question}, question_at = moment(), question_answer = null
        where tenant_id = ${db.tenant} and id = ${credential.id}
          and (question_id is null or question_at < moment() - make_interval(secs => ${QUESTION_SECONDS}))`)) > 0,
  )

/** Saves the answer to an open question, once: the chosen ID, or null. */
export async function answerQuestion(
  database: Database,
  caller: Caller,
  question: string,
  chosen: string | null,
): Promise<void> {
  await writeTenant(database, entryOf(caller), (db) =>
    db.run(sql`update credentials set question_answer = ${chosen ?? ''}
      where tenant_id = ${db.tenant} and id = ${caller.credential.id} and question_id = ${question}
        and question_answer is null`),
  )
}

/** Returns the answer to a question: null if nothing was chosen in time, undefined if it isn't answered yet. */
export const readAnswer = (
  database: Database,
  { tenant, credential }: Connection,
  question: string,
): Promise<string | null | undefined> =>
  readTenant(database, { tenant: tenant.id }, async (db) => {
    const row = await db.maybe<{ answer: string | null }>(sql`select question_answer as answer from credentials
      where tenant_id = ${db.tenant} and id = ${credential.id} and question_id = ${question}
        and question_at >= moment() - make_interval(secs => ${QUESTION_SECONDS})`)
    return row === undefined || row.answer === '' ? null : (row.answer ?? undefined)
  })

export async function closeQuestion(
  database: Database,
  { tenant, credential }: Connection,
  question: string,
): Promise<void> {
  await writeTenant(database, { tenant: tenant.id }, (db) =>
    db.run(sql`update credentials set question_id = null, question_at = null, question_answer = null
      where tenant_id = ${db.tenant} and id = ${credential.id} and question_id = ${question}`),
  )
}

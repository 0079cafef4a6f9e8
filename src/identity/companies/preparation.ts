import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'

/** Task that prepares answers to messages (docs/spec/assistant.md#prepared-answers). */
export const PREPARATION_TASK = 'prepared_answers'

/** Requests prepared answers, if an owner turned them on. */
export const requestPreparation = (db: Db): Sql =>
  sql`select ask_chore(id, ${PREPARATION_TASK}) from tenants where id = ${db.tenant} and assistant_prepares is not null`

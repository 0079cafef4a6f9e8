import type { Senders } from '../../messaging/outbox/senders/senders.ts'
import { STATEMENT_TASK } from '../../messaging/statements/run.ts'
import { listDueStatements, sendDueStatement } from '../../messaging/statements/send.ts'
import type { PeriodicTask } from '../periodic_task.ts'
import { onDemand } from '../schedule.ts'

/** Returns the task that mails the statements of runs (docs/spec/sending.md#statements). */
export const statementTask = ({ baseUrl }: Pick<Senders, 'baseUrl'>): PeriodicTask => ({
  name: STATEMENT_TASK,
  of: 'tenant',
  next: onDemand,
  run: ({ each }) => each(listDueStatements, (db, due) => sendDueStatement(db, due, baseUrl)),
})

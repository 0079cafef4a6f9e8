import type { Assistant } from '../../../assistant/assistant.ts'
import { prepareAnswers } from '../../../assistant/preparing.ts'
import { PREPARATION_TASK } from '../../../identity/companies/preparation.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import type { PeriodicTask } from '../../periodic_task.ts'
import { onDemand } from '../../schedule.ts'

/** Milliseconds for one run. */
const RUN_MS = 240_000

/** Has the assistant prepare answers to new messages, in companies whose owner turned it on. */
export const answerPreparation = (database: Database, assistant: Assistant): PeriodicTask => ({
  name: PREPARATION_TASK,
  of: 'tenant',
  lane: 'assistant',
  next: onDemand,
  run: ({ tenant }) => prepareAnswers(database, assistant, tenant.id, AbortSignal.timeout(RUN_MS)),
})

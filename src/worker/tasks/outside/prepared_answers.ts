import type { Assistant } from '../../../assistant/assistant.ts'
import { prepareAnswers } from '../../../assistant/preparing.ts'
import { PREPARATION_TASK } from '../../../identity/companies/preparation.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import type { PeriodicTask } from '../../periodic_task.ts'
import { onDemand } from '../../schedule.ts'

/** Maximum duration of a run in milliseconds. */
const MAX_RUN_MS = 240_000

/** Returns the task that has the assistant draft answers to new messages, for companies whose owner enabled it. */
export const answerPreparationTask = (database: Database, assistant: Assistant): PeriodicTask => ({
  name: PREPARATION_TASK,
  of: 'tenant',
  lane: 'assistant',
  next: onDemand,
  run: ({ tenant }) => prepareAnswers(database, assistant, tenant.id, AbortSignal.timeout(MAX_RUN_MS)),
})

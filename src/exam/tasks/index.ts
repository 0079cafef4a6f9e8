import type { Task, TaskArea } from '../task.ts'
import { billing } from './billing.ts'
import { catalog } from './catalog.ts'
import { customers } from './customers.ts'
import { notes } from './notes.ts'
import { questions } from './questions.ts'
import { quotes } from './quotes.ts'
import { recurring } from './recurring.ts'
import { schedule } from './schedule.ts'
import { technician } from './technician.ts'

/** All areas of the exam, one file each. */
export const AREAS: readonly TaskArea[] = [
  schedule,
  recurring,
  customers,
  notes,
  quotes,
  billing,
  catalog,
  technician,
  questions,
]

export const TASKS: readonly Task[] = AREAS.flatMap(({ tasks }) => tasks)

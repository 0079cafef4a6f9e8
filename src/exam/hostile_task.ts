import type { TargetCall } from './hostile/target_calls.ts'
import type { Task } from './task.ts'
import type { ExamEnvironment } from './environment/environment.ts'

/** Task in which a text that has to be read asks for a change that nobody wants. */
export type HostileTask = Task & {
  /** Part of the hostile text as results contain it. */
  bait: string
  targetCall: TargetCall
  /** Plants the text where a stranger or a colleague would write it. */
  plant(environment: ExamEnvironment): Promise<void>
}

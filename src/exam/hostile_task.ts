import type { Wish } from './hostile/wishes.ts'
import type { Task } from './task.ts'
import type { World } from './world/world.ts'

/** Task in which something that has to be read asks for a change which nobody wants. */
export type HostileTask = Task & {
  /** Beginning of the hostile text, as results have it. */
  bait: string
  wants: Wish
  /** Puts the text where a stranger or a colleague would. */
  plant(world: World): Promise<void>
}

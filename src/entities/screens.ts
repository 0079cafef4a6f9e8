import type { Screen } from '../screens/screen.ts'
import { jobScreen } from './jobs/page.ts'
import { tagScreen } from './tags/page.ts'

/** The pages of the entities, in the order of tools/list. */
export const screens: readonly Screen[] = [tagScreen, jobScreen]

import { malformedTargets } from '../malformed/targets.ts'
import { largeTargets } from './large_targets.ts'
import type { Office, Outside } from './office.ts'
import type { Target } from './requests.ts'

/** Returns every address that takes requests, for everyone who can reach it, and the requests that read or write the largest records. */
export const everyTarget = async (office: Office, outside: Outside): Promise<Target[]> => [
  ...(await malformedTargets(office)),
  ...(await largeTargets(office, outside)),
]

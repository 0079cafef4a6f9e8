import { targetsOf } from '../cost/targets.ts'
import type { Office } from '../cost/office.ts'
import type { Target } from '../cost/requests.ts'
import { fillCompany } from './company.ts'
import { deepTargets } from './deep_targets.ts'
import { furnish } from './furnish.ts'
import { oauthTargets } from './oauth_targets.ts'
import { pageTargets } from './page_targets.ts'
import { personTargets } from './person_targets.ts'

/** Returns every address that takes input, for everyone who can reach it. */
export async function malformedTargets(office: Office): Promise<Target[]> {
  const company = await fillCompany(office)
  const deep = deepTargets(office, company)
  await furnish(office, company, deep)
  return [
    ...(await targetsOf(office)),
    ...pageTargets(office),
    ...deep,
    ...(await personTargets(office, company)),
    ...(await oauthTargets(office)),
  ]
}

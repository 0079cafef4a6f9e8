import type { Office, Outside } from '../office.ts'
import { large, type Sent, type Target } from '../requests.ts'
import { accountStates } from './accounts.ts'
import { appStates } from './apps.ts'
import { assistantStates } from './assistant.ts'
import { bookingStates } from './booking.ts'
import { messageStates } from './messages.ts'
import { moneyStates } from './money.ts'
import { openPlace, type States } from './place.ts'
import { providerStates } from './providers.ts'
import { recordStates } from './records.ts'
import { setupStates } from './setup.ts'

/** Routes that let a request through only in a state which that request ends, or which pages alone don't lead to. */
export const STATES: States = {
  ...accountStates,
  ...providerStates,
  ...appStates,
  ...assistantStates,
  ...messageStates,
  ...recordStates,
  ...bookingStates,
  ...moneyStates,
  ...setupStates,
}

/** Returns a target for each of those routes, which makes its state anew before each request. */
export async function stateTargets(office: Office, outside: Outside): Promise<Target[]> {
  const place = await openPlace(office, outside)
  return Object.entries(STATES).map(([route, state]) => {
    let next: Sent | undefined
    return large(
      `${route}, in its state`,
      () => {
        if (next === undefined) throw new Error(`Nothing is prepared for ${route}`)
        return next
      },
      {
        route,
        prepare: async () => {
          next = await state(place)
        },
      },
    )
  })
}

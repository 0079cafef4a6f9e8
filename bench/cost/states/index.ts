import type { Office, Outside } from '../office.ts'
import { large, type Sent, type Target } from '../requests.ts'
import { accountStates } from './accounts.ts'
import { appStates } from './apps.ts'
import { assistantStates } from './assistant.ts'
import { bookingStates } from './booking.ts'
import { messageStates } from './messages.ts'
import { moneyStates } from './money.ts'
import { openStateContext, type States } from './context.ts'
import { providerStates } from './providers.ts'
import { recordStates } from './records.ts'
import { setupStates } from './setup.ts'

/** Routes that accept a request only in a certain state, which the request ends or which pages alone don't lead to. */
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

/** Returns a target for each of those routes. It creates the state again before each request. */
export async function stateTargets(office: Office, outside: Outside): Promise<Target[]> {
  const context = await openStateContext(office, outside)
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
          next = await state(context)
        },
      },
    )
  })
}

import { removeDevice, saveDevice, subscriptionInput, type PushSubscription } from '../../messaging/push/device.ts'
import { kindsFor } from '../../messaging/push/kinds.ts'
import { deviceIn } from '../../identity/security/device.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Site } from '../site.ts'
import { readFieldBody } from './body.ts'
import { catchFaults } from './faults.ts'
import { NO_STORE_HEADERS, fieldRefusal, requireFieldMember, unreadableRefusal } from './member.ts'

/** Saves which notifications a browser gets; with no kinds, the browser is removed. */
export async function savePush(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireFieldMember(site, request)
  if (site.pushKey === null) throw fieldRefusal(404, 'off', say`Notifications are off for this service.`)
  const { kinds, ...subscription } = await readFieldBody(request, parseSubscription)
  const { user, session } = context
  const device = deviceIn(request.req.header('user-agent') ?? null)
  await catchFaults(site, () =>
    context.write(async (db) => {
      const allowed = kindsFor(context.caller)
      if (!kinds.every((kind) => allowed.includes(kind)))
        throw fieldRefusal(403, 'insufficient_scope', say`You don’t have permission to be notified of this.`)
      if (kinds.length === 0) return removeDevice(db, user.id, subscription)
      return saveDevice(db, { user: user.id, session: session.id, device }, subscription, kinds)
    }),
  )
  return request.json({ kinds }, 200, NO_STORE_HEADERS)
}

function parseSubscription(value: unknown): PushSubscription {
  const { success, data } = subscriptionInput.safeParse(value)
  if (!success) throw unreadableRefusal(422, 'invalid_input')
  return data
}

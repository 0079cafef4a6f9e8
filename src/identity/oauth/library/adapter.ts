import { errors, Provider } from './library.ts'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { RESOURCE_SCOPE } from '../metadata.ts'
import { endAuthorization, findAuthorization } from './authorization.ts'
import { consumeRecord, deleteRecord, saveRecord, lockRecord, markEndReported, type RecordKind } from './records.ts'
import { requestContext } from './request_context.ts'

type FindClient = (id: string) => Promise<AdapterPayload | undefined>

/** Seconds that a rotated refresh token still works, for a lost response or concurrent requests. */
const ROTATION_GRACE_SECONDS = 10

/**
 * Returns the library's storage: our own for grants and clients, hashed records for the rest, nothing for its sessions.
 */
export function openAdapters(findClient: FindClient, resource: string): (model: string) => Adapter {
  return (model) => {
    switch (model) {
      case 'Client':
        return { ...emptyAdapter, find: findClient }
      case 'Grant':
        return authorizationsOf(resource)
      case 'Interaction':
      case 'AuthorizationCode':
      case 'RefreshToken':
        return recordsOf(model)
      default:
        return emptyAdapter
    }
  }
}

/** Stores none of the library's browser sessions. The service keeps its own and checks them on every request. */
const emptyAdapter: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
}

/** Maps the library's grant to one authorization, so that revoking a "grant" ends only that session's tokens. */
const authorizationsOf = (resource: string): Adapter => ({
  ...emptyAdapter,
  find: async (sid) => {
    const {
      transaction: { send },
    } = requestContext()
    const grant = await findAuthorization(send, sid)
    if (grant === undefined) return undefined
    requestContext().authorization = grant
    if (grant.hasEnded) return refuseEnded()
    return {
      jti: sid,
      kind: 'Grant',
      accountId: grant.user,
      clientId: grant.client,
      iat: 0,
      openid: { scope: grant.oidcScope },
      resources: { [resource]: RESOURCE_SCOPE },
    }
  },
  destroy: (sid) => endAuthorization(requestContext().transaction.send, sid),
})

/**
 * Reports the end of a session to its first refresh (docs/spec/oauth.md#ended-sessions). A client that sends the dead
 * token again gets `invalid_grant`, on which the official MCP clients start over in the browser.
 */
async function refuseEnded(): Promise<undefined> {
  const { grant_type, refresh_token } = Provider.ctx?.oidc.params ?? {}
  if (grant_type !== 'refresh_token' || typeof refresh_token !== 'string') return undefined
  if (await markEndReported(requestContext().transaction.send, refresh_token))
    throw new errors.InvalidToken({ detail: 'the session has ended' })
  return undefined
}

function recordsOf(kind: RecordKind): Adapter {
  return {
    ...emptyAdapter,
    upsert: async (secret, { jti: _jti, ...payload }) => {
      const { transaction, browser, namesResource } = requestContext()
      const { returnTo: _returnTo, ...content }: Record<string, unknown> = payload
      const ownFields = kind === 'Interaction' ? { namesResource } : {}
      await saveRecord(
        transaction.send,
        kind,
        secret,
        { ...content, ...ownFields },
        kind === 'Interaction' ? browser : null,
      )
    },
    find: async (secret) => {
      const record = await lockRecord(requestContext().transaction.send, kind, secret)
      if (record === undefined) return undefined
      const { consumed_at, consumed_for } = record
      const isConsumed = consumed_for !== null && (kind !== 'RefreshToken' || consumed_for > ROTATION_GRACE_SECONDS)
      return {
        ...record.payload,
        jti: secret,
        exp: Math.floor(Date.parse(record.expires_at) / 1000),
        ...(isConsumed ? { consumed: Math.floor(Date.parse(consumed_at ?? '') / 1000) } : {}),
      }
    },
    consume: async (secret) => {
      const isFirst = await consumeRecord(requestContext().transaction.send, kind, secret)
      if (!isFirst && kind !== 'RefreshToken') throw new errors.InvalidGrant('already used')
    },
    destroy: async (secret) => void (await deleteRecord(requestContext().transaction.send, kind, secret)),
  }
}

import { newId } from '../../../platform/validation/id.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import { createChallenge, spendChallenge, type PasskeyPurpose } from '../challenges.ts'
import { challengeIn, parseCreatedPasskey, parseUsedPasskey } from './passkey_answers.ts'
import { findPasskey, recordPasskeyUse, recordsOf } from './passkeys.ts'
import type { RelyingParty } from './relying_party.ts'
import type { RecognizedPerson } from '../../sign_in/sessions.ts'
import {
  creationOptions,
  requestOptions,
  verifyRegistration,
  verifyAuthentication,
  type NewPasskey,
} from './webauthn.ts'

/** Relying party of passkeys, and the secret of the browser's cookie. */
export type PasskeyContext = { rp: RelyingParty; browser: string }

/** Requests a passkey from a browser: one of a user's, or any it has for this site if the user isn't known yet. */
export async function requestPasskey(
  database: Database,
  { rp, browser }: PasskeyContext,
  purpose: 'sign_in' | 'second' | 'confirm',
  user: string | null,
): Promise<object> {
  const [existing, challenge] = await Promise.all([
    user === null ? [] : recordsOf(database.send, user),
    createChallenge(database, browser, { purpose, user, handle: null }),
  ])
  return requestOptions(rp, challenge, existing)
}

/** Requests a new passkey for a user; `id` is null if the account is created with it. */
export async function requestNewPasskey(
  database: Database,
  { rp, browser }: PasskeyContext,
  { id, email, name }: { id: string | null; email: string; name: string },
): Promise<object> {
  const records = id === null ? [] : await recordsOf(database.send, id)
  const handle = records[0]?.handle ?? id ?? newId()
  const purpose = id === null ? 'join' : 'add'
  const challenge = await createChallenge(database, browser, { purpose, user: id, handle })
  return creationOptions(rp, { handle, email, name }, challenge, records)
}

/** User identified by a passkey, or the failure: it is unknown here, its challenge expired, or it is invalid. */
type PasskeyRecognition = RecognizedPerson | { problem: 'unknown' | 'late' | 'wrong' }

/** Identifies a user by a browser's response, once, only for the requested purpose and user. */
export async function recognizePasskey(
  database: Database,
  { rp, browser }: { rp: RelyingParty; browser: string | null },
  responseText: string,
  { purpose, user }: { purpose: PasskeyPurpose; user: string | null },
): Promise<PasskeyRecognition> {
  const used = parseUsedPasskey(responseText)
  const challenge = used && challengeIn(used)
  const issued = await spendChallenge(database, browser, challenge)
  if (used === null || challenge === null) return { problem: 'wrong' }
  if (issued === null || issued.purpose !== purpose || issued.user !== user) return { problem: 'late' }
  const passkey = await findPasskey(database, used.id)
  if (passkey === undefined || (user !== null && passkey.user !== user)) return { problem: 'unknown' }
  if (user === null && used.response.userHandle === undefined) return { problem: 'wrong' }
  const verified = await verifyAuthentication(rp, challenge, used, passkey)
  if (verified === null || !(await recordPasskeyUse(database, passkey, verified))) return { problem: 'wrong' }
  return { user: passkey.user, epoch: passkey.epoch }
}

/** Returns the new passkey from a browser's response and its user handle; null if verification fails. */
export async function acceptNewPasskey(
  database: Database,
  { rp, browser }: { rp: RelyingParty; browser: string | null },
  responseText: string,
  { purpose, user }: { purpose: 'add' | 'join'; user: string | null },
): Promise<{ passkey: NewPasskey; handle: string } | null> {
  const created = parseCreatedPasskey(responseText)
  const challenge = created && challengeIn(created)
  const issued = await spendChallenge(database, browser, challenge)
  if (created === null || challenge === null || issued === null || issued.handle === null) return null
  if (issued.purpose !== purpose || issued.user !== user) return null
  const passkey = await verifyRegistration(rp, challenge, created)
  return passkey && { passkey, handle: issued.handle }
}

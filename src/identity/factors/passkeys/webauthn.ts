import type { CreatedPasskey, UsedPasskey } from './passkey_answers.ts'
import type { RelyingParty } from './relying_party.ts'

/** Lists the signatures that are taken, by their numbers in COSE: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/** Milliseconds that a browser waits for its person. */
const TIMEOUT_MS = 5 * 60_000

/** Holds what is stored of a passkey to check its use. */
export type PasskeyRecord = { id: Buffer; handle: string; public_key: Buffer; counter: number; transports: string[] }

/** Holds what a new passkey is stored with. */
export type NewPasskey = Omit<PasskeyRecord, 'handle'> & { isSynced: boolean }

/** Names the person for whom a passkey is made; `handle` is all that the authenticator tells of them later. */
type PasskeyOwner = { handle: string; email: string; name: string }

type KnownPasskeys = readonly Pick<PasskeyRecord, 'id' | 'transports'>[]

/** Loaded with the first passkey, because it is large. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** Returns what a browser needs to make a passkey on a device that has none of `known`. */
export async function creationOptions(
  rp: RelyingParty,
  owner: PasskeyOwner,
  challenge: Buffer,
  existing: KnownPasskeys,
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpID: rp.id,
    rpName: rp.name,
    userID: new Uint8Array(handleBytes(owner.handle)),
    userName: owner.email,
    userDisplayName: owner.name,
    challenge: new Uint8Array(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: toDescriptors(existing),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** Returns what a browser needs to use a passkey: one of `known`, or whichever its person has here. */
export async function requestOptions(rp: RelyingParty, challenge: Buffer, existing: KnownPasskeys) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: rp.id,
    challenge: new Uint8Array(challenge),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    ...(existing.length > 0 && { allowCredentials: toDescriptors(existing) }),
  })
}

const toDescriptors = (existing: KnownPasskeys) =>
  existing.map(({ id, transports }) => ({ id: id.toString('base64url'), transports }))

/**
 * Returns the passkey that a browser has made for us on this challenge, its person verified; null for anything else.
 * What the authenticator's maker attests isn't asked for: where certificates come along, nothing of them is read.
 */
export async function verifyRegistration(
  rp: RelyingParty,
  challenge: string,
  { response, ...sent }: CreatedPasskey,
): Promise<NewPasskey | null> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([library(), helpers()])
  try {
    const attested = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')))
    const [format, statement] = [attested.get('fmt'), attested.get('attStmt')]
    if (format !== 'none' && !(format === 'packed' && statement.get('x5c') === undefined)) return null
    const { registrationInfo: registration } = await verifyRegistrationResponse({
      response: { ...sent, response: attestationBytes(response), clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (registration === undefined || registration.credential.id !== sent.id) return null
    return {
      id: Buffer.from(registration.credential.id, 'base64url'),
      public_key: Buffer.from(registration.credential.publicKey),
      counter: registration.credential.counter,
      transports: response.transports ?? [],
      isSynced: registration.credentialBackedUp,
    }
  } catch {
    return null
  }
}

/**
 * Returns the new counter of a passkey that was used for us on this challenge, its person verified; null for anything
 * else.
 */
export async function verifyAuthentication(
  rp: RelyingParty,
  challenge: string,
  { response, ...sent }: UsedPasskey,
  { id, handle, public_key, counter }: PasskeyRecord,
): Promise<{ counter: number; isSynced: boolean } | null> {
  if (response.userHandle !== undefined && !Buffer.from(response.userHandle, 'base64url').equals(handleBytes(handle)))
    return null
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...sent, response: assertionBytes(response), clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      credential: { id: id.toString('base64url'), publicKey: new Uint8Array(public_key), counter },
    })
    return verified ? { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp } : null
  } catch {
    return null
  }
}

const attestationBytes = ({ clientDataJSON, attestationObject }: CreatedPasskey['response']) => ({
  clientDataJSON,
  attestationObject,
})

const assertionBytes = ({ clientDataJSON, authenticatorData, signature }: UsedPasskey['response']) => ({
  clientDataJSON,
  authenticatorData,
  signature,
})

const handleBytes = (handle: string): Buffer => Buffer.from(handle.replaceAll('-', ''), 'hex')

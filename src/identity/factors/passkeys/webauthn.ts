import type { CreatedPasskey, UsedPasskey } from './passkey_answers.ts'
import type { RelyingParty } from './relying_party.ts'

/** Accepted signature algorithms, as COSE numbers: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/** Milliseconds that a browser waits for its user. */
const TIMEOUT_MS = 5 * 60_000

/** Stored data that verifies the use of a passkey. */
export type PasskeyRecord = { id: Buffer; handle: string; public_key: Buffer; counter: number; transports: string[] }

/** Stored data of a new passkey. */
export type NewPasskey = Omit<PasskeyRecord, 'handle'> & { isSynced: boolean }

/** User for whom a passkey is created. `handle` is all that the authenticator returns about them later. */
type PasskeyOwner = { handle: string; email: string; name: string }

type KnownPasskeys = readonly Pick<PasskeyRecord, 'id' | 'transports'>[]

/** Lazily loaded, because it is large. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** Returns the options to create a passkey on a device that has none of `existing`. */
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

/** Returns the options to use a passkey: one of `existing`, or any the user has here. */
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
 * Returns the passkey that a browser created for this site on this challenge with user verification; null for anything
 * else. Attestation isn't requested; a response with certificates is refused.
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

/** Returns the new counter of a passkey used here on this challenge with user verification; null otherwise. */
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

import { networkOf } from '../../addresses.ts'
import { registerClient, type ClientDescription, type Client } from '../../credentials/clients/clients.ts'
import { requireRedirectUris } from '../../credentials/clients/redirect_uris.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { isRecord } from '../../../platform/validation/is_record.ts'
import { readJson } from '../../../platform/validation/json_fields.ts'
import { clientName } from './client_name.ts'

export const MAX_REGISTRATION_BYTES = 16 * 1024

/** Response of the registration endpoint (RFC 7591 3.2). */
type RegistrationResponse = { status: number; body: Record<string, unknown> }

/** Fields that are echoed to the client unchanged. */
const ECHOED_FIELDS = [
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'software_id',
  'software_version',
  'application_type',
] as const

/** Registers a client (RFC 7591), always as a public one. It never gets a secret. */
export async function handleRegistration(
  database: Database,
  text: string,
  sender: string,
): Promise<RegistrationResponse> {
  const values = readJson(text)
  if (!isRecord(values)) return refuseRegistration('invalid_client_metadata', 'The body must be a JSON object')
  const { redirect_uris: uris, response_types: types = ['code'] } = values
  if (!isTexts(uris)) return refuseRegistration('invalid_redirect_uri', 'redirect_uris must be an array of strings')
  if (!isTexts(types) || !types.includes('code'))
    return refuseRegistration('invalid_client_metadata', 'response_types must contain code')
  try {
    requireRedirectUris(uris)
    return toResponse(
      await registerClient(database, {
        name: clientName(values['client_name'], 'Unnamed client'),
        redirect_uris: uris,
        about: aboutOf(values),
        network: networkOf(sender),
      }),
      aboutOf(values),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === 'conflict'
      ? refuseRegistration('temporarily_unavailable', error.message, 503)
      : refuseRegistration('invalid_redirect_uri', error.message)
  }
}

/** Returns the client information response (RFC 7591 3.2.1). */
const toResponse = (client: Client, about: ClientDescription): RegistrationResponse => ({
  status: 201,
  body: {
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.parse(client.created_at) / 1000),
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...about,
  },
})

export const refuseRegistration = (error: string, error_description: string, status = 400): RegistrationResponse => ({
  status,
  body: { error, error_description },
})

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const aboutOf = (input: Record<string, unknown>): ClientDescription =>
  Object.fromEntries(
    ECHOED_FIELDS.flatMap((name) => {
      const value = input[name]
      return typeof value === 'string' && value.length <= 500 && value.isWellFormed() && !/\p{Cc}/u.test(value)
        ? [[name, value]]
        : []
    }),
  )

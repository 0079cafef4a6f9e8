import { ISSUER, type AuthorizingService } from '../../harness/identity/authorizing.ts'

/** Sends a client's registration. Returns the status and the body of the answer. */
export async function register(service: AuthorizingService, body: unknown, type = 'application/json') {
  const response = await service.fetch(`${ISSUER}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

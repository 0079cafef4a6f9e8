import { ISSUER, type AuthorizingService } from '../../harness/identity/authorization.ts'

/** Registers a client. Returns the status and body of the response. */
export async function register(service: AuthorizingService, body: unknown, type = 'application/json') {
  const response = await service.fetch(`${ISSUER}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

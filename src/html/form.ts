import { HTTPException } from 'hono/http-exception'
import { message } from './message.ts'

/** The fields of a form that was sent. */
export async function formOf(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return new URLSearchParams(await request.text())
  throw new HTTPException(415, { res: await message({ title: 'This isn\'t a form', says: 'Only a form can be sent to this address.', status: 415 }) })
}

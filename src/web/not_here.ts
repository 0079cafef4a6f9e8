import { message, messageRefusal } from '../html/message.ts'
import type { HttpRefusal } from '../http_refusal.ts'

const NOT_HERE = {
  title: 'There is nothing at this address',
  status: 404,
  body: 'The link may be old, or it belongs to a company that you are not a member of.',
  next: { label: 'Go to the start', href: '/' },
}

/** The page for an address without one. */
export const notHere = (): Response => message(NOT_HERE)

/** Ends a request as if there were nothing at its address. */
export const noPage = (): HttpRefusal => messageRefusal(NOT_HERE)

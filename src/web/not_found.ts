import { message, messageRefusal } from '../platform/html/message.ts'
import type { HttpRefusal } from '../platform/errors/http_refusal.ts'
import { say } from '../platform/i18n/say.ts'

const notFoundMessage = () => ({
  title: say`There is nothing at this address`,
  status: 404,
  body: say`The link may be old, or it belongs to a company that you are not a member of.`,
  next: { label: say`Home`, href: '/' },
})

/** Returns the page for an address without one. */
export const notFoundPage = (): Response => message(notFoundMessage())

/** Ends a request as if there were nothing at its address. */
export const notFoundRefusal = (): HttpRefusal => messageRefusal(notFoundMessage())

import { messageResponse, messageRefusal } from '../platform/html/message.ts'
import type { HttpRefusal } from '../platform/errors/http_refusal.ts'
import { say } from '../platform/i18n/say.ts'

const notFoundMessage = () => ({
  title: say`Page not found`,
  status: 404,
  body: say`The link may be old, or you may not have access to this company.`,
  next: { label: say`Home`, href: '/' },
})

/** Returns the page for an unknown URL. */
export const notFoundPage = (): Response => messageResponse(notFoundMessage())

/** Returns the error that ends a request as if the URL didn't exist. */
export const notFoundRefusal = (): HttpRefusal => messageRefusal(notFoundMessage())

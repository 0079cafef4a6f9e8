import { message } from '../html/message.ts'

/** The page for an address without one. */
export const notHere = (): Response => message({
  title: 'There is nothing at this address', status: 404,
  body: 'The link may be old, or it belongs to a company that you are not a member of.',
  next: { label: 'Go to the start', href: '/' },
})

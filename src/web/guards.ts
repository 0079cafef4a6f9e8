import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ourHosts } from '../access/origins.ts'
import { html } from '../html/html.ts'
import { message } from '../html/message.ts'
import type { Site, Visit } from './site.ts'

type Guard = MiddlewareHandler<{ Bindings: HttpBindings }>

const MOST_BYTES = 64 * 1024

/** A page is asked for at our own address, and a form is sent from one of our own pages: other sites can't send it for the person. */
export function sameSite({ baseUrl }: Site): Guard {
  const isOurs = ourHosts({ baseUrl, allowedOrigins: [] })
  return async (visit, next) => {
    if (isOurs(visit.env.incoming) && (isSafe(visit) || isFromHere(visit, baseUrl))) return next()
    return message({
      title: 'This came from somewhere else', status: 403,
      says: html`<p>For your safety nothing was done. Callout is at <b>${baseUrl}</b>; open it there and try again.</p>`,
      next: { label: 'Open Callout', href: baseUrl },
    })
  }
}

/** Forms are small. */
export const smallForms: Guard = bodyLimit({
  maxSize: MOST_BYTES,
  onError: () => message({ title: 'This is too much at once', says: `A form can hold ${MOST_BYTES / 1024} kB.`, status: 413 }),
})

const isSafe = ({ req }: Visit): boolean => req.method === 'GET' || req.method === 'HEAD'

/** Browsers say it in Sec-Fetch-Site (https and localhost) or in Origin; who says nothing is no browser of today. */
function isFromHere({ req }: Visit, baseUrl: string): boolean {
  const site = req.header('sec-fetch-site')
  return site === undefined ? req.header('origin') === new URL(baseUrl).origin : site === 'same-origin'
}

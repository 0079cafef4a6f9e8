import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { originChecker } from '../identity/origins.ts'
import { html } from '../platform/html/html.ts'
import { messageResponse } from '../platform/html/message.ts'
import type { PageRequest } from '../platform/http/page_request.ts'
import type { Site } from './site.ts'
import { say } from '../platform/i18n/say.ts'
import { sayHtml } from '../platform/html/say_html.ts'

type Guard = MiddlewareHandler<{ Bindings: HttpBindings }>

/** Requires our own host, and for forms our own origin, so that other sites can't submit them for the user (CSRF). */
export function requireSameSite({ baseUrl }: Site): Guard {
  const isOwnOrigin = originChecker({ baseUrl, allowedOrigins: [] })
  return async (request, next) => {
    if (isOwnOrigin(request.env.incoming) && (isSafeMethod(request) || isSameOrigin(request, baseUrl))) return next()
    if (!wantsPage(request))
      return request.json(
        { error: 'wrong_origin', error_description: 'This service does not accept the Host or Origin of this request' },
        403,
      )
    return messageResponse({
      title: say`This request came from another site`,
      status: 403,
      body: html`<p>${sayHtml`For your safety nothing was done. Callout is at ${html`<b>${baseUrl}</b>`}. Open it there and try again.`}</p>`,
      next: { label: say`Open Callout`, href: baseUrl },
    })
  }
}

/** Checks whether the client accepts HTML; other programs get JSON. */
export const wantsPage = ({ req }: PageRequest): boolean => req.header('accept')?.includes('text/html') ?? false

const isSafeMethod = ({ req }: PageRequest): boolean => req.method === 'GET' || req.method === 'HEAD'

/**
 * Checks whether a form comes from our own page, by Sec-Fetch-Site (https and localhost) or Origin; every current
 * browser sends one of them.
 */
function isSameOrigin({ req }: PageRequest, baseUrl: string): boolean {
  const site = req.header('sec-fetch-site')
  return site === undefined ? req.header('origin') === new URL(baseUrl).origin : site === 'same-origin'
}

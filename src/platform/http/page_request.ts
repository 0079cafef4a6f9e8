import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'

/** Request for a page, with Node's own request and response. */
export type PageRequest = Context<{ Bindings: HttpBindings }>

/** Router of pages. */
export type PageRouter = Hono<{ Bindings: HttpBindings }>

export const newPageRouter = (): PageRouter => new Hono<{ Bindings: HttpBindings }>()

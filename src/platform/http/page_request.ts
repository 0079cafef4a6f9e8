import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'

/** Describes a request for a page, with Node's own request and answer beside it. */
export type PageRequest = Context<{ Bindings: HttpBindings }>

/** Maps addresses to what answers there. */
export type PageRouter = Hono<{ Bindings: HttpBindings }>

export const newPageRouter = (): PageRouter => new Hono<{ Bindings: HttpBindings }>()

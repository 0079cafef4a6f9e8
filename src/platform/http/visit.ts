import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'

/** Describes a request for a page, with Node's own request and answer beside it. */
export type Visit = Context<{ Bindings: HttpBindings }>

/** Maps addresses to what answers there. */
export type Pages = Hono<{ Bindings: HttpBindings }>

export const newPages = (): Pages => new Hono<{ Bindings: HttpBindings }>()

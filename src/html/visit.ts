import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'

/** A request for a page, with Node's own request and answer beside it. */
export type Visit = Context<{ Bindings: HttpBindings }>

/** Addresses and what answers there. */
export type Pages = Hono<{ Bindings: HttpBindings }>

export const newPages = (): Pages => new Hono<{ Bindings: HttpBindings }>()

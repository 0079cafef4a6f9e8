import type { OutgoingHttpHeaders } from 'node:http'
import { fieldsOf, valueOf, type Gene } from './genes.ts'

/** Request sent with POST if it has a body and GET if not, unless `method` is set. */
export type Sent = { path: string; headers: OutgoingHttpHeaders; body: Buffer; method?: string }

/**
 * Describes an address that takes requests, and the fields that a request can set. `misplaced` are values as JSON that
 * have the form of one of its fields but don't belong there.
 */
export type Target = {
  name: string
  fields: readonly string[]
  /** Maximum length of a body in bytes. */
  maxBytes: number
  misplaced?: readonly string[]
  /** Whether the cost depends on stored data, which is at its limits, and not on the request. */
  isLarge?: boolean
  /** Whether most of the work happens after the answer or while nobody waits. Only its stretches are limited. */
  isBackground?: boolean
  /** Route of the target, if only a prepared request shows it. */
  route?: string
  /** Creates what the next request needs. Runs before each request. */
  prepare?: () => Promise<void>
  /** Waits for the work that continues after the answer. */
  waitForWork?: () => Promise<void>
  request(genes: readonly Gene[]): Sent
}

export const EMPTY = Buffer.alloc(0)

/** Returns a form as a page of the service sends it. The method is set because a form without fields has no body. */
export const formSent = (path: string, body: Buffer, cookie = ''): Sent => ({
  path,
  method: 'POST',
  headers: { ...FORM_TYPE, 'sec-fetch-site': 'same-origin', ...(cookie === '' ? {} : { cookie }) },
  body,
})

export const methodOf = ({ method, body }: Sent): string => method ?? (body.length === 0 ? 'GET' : 'POST')

export const JSON_TYPE = { 'content-type': 'application/json' }
export const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

export const withGenes = (usual: object, genes: readonly Gene[], like: (field: string) => unknown): object => ({
  ...usual,
  ...Object.fromEntries(genes.map((gene) => [gene.field, valueOf(gene, like(gene.field))])),
})

export const encodeForm = (usual: readonly [string, string][], genes: readonly Gene[]): Buffer => {
  const changed = genes.flatMap(fieldsOf)
  const names = new Set(changed.map(([name]) => name))
  return Buffer.from(new URLSearchParams([...usual.filter(([name]) => !names.has(name)), ...changed]).toString())
}

/** Returns a target whose cost depends on the largest records. It has no fields to change. */
export const large = (name: string, request: () => Sent, more: Partial<Target> = {}): Target => ({
  name: `${name}, large`,
  maxBytes: 0,
  fields: [],
  isLarge: true,
  request,
  ...more,
})

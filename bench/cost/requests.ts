import type { OutgoingHttpHeaders } from 'node:http'
import { fieldsOf, valueOf, type Gene } from './genes.ts'

export type Sent = { path: string; headers: OutgoingHttpHeaders; body: Buffer }

/**
 * Describes somewhere a request can be sent to, with the fields into which something can be put, and how long a body is
 * taken.
 */
export type Target = { name: string; fields: readonly string[]; most: number; request(genes: readonly Gene[]): Sent }

export const JSON_TYPE = { 'content-type': 'application/json' }
export const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

export const withGenes = (usual: object, genes: readonly Gene[], like: (field: string) => unknown): object => ({
  ...usual,
  ...Object.fromEntries(genes.map((gene) => [gene.field, valueOf(gene, like(gene.field))])),
})

export const encoded = (usual: readonly [string, string][], genes: readonly Gene[]): Buffer => {
  const dear = genes.flatMap(fieldsOf)
  const names = new Set(dear.map(([name]) => name))
  return Buffer.from(new URLSearchParams([...usual.filter(([name]) => !names.has(name)), ...dear]).toString())
}

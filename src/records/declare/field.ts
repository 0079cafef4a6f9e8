import type { z } from 'zod'
import { sql, type Sql } from '../../platform/db/database.ts'
import type { FieldFacts } from '../../tools/declare/record_facts.ts'
import type { FormField } from '../fields/form_field.ts'

type Options = FieldFacts & {
  /** Expression that reads it, given its column; the column itself when left out. */
  reads?: (column: Sql) => Sql
  /** Makes its field of a form. */
  form?: (about: { name: string; label: string }) => FormField | readonly FormField[]
}

/** Type of the values in rows, which no declaration holds. */
type Valued<Value> = { readonly value?: Value }

/**
 * Field that a caller can set, checked by its schema; a row holds the schema's output unless `value` says otherwise.
 */
export type InputField<Schema extends z.ZodType = z.ZodType, Value = unknown> = Options &
  Valued<Value> & { schema: Schema; default?: unknown }

/** Field that a caller can set and that is stored as the service works it out: lines with their prices. */
type ResolvedField<Schema extends z.ZodType = z.ZodType, Value = unknown> = InputField<Schema, Value> & {
  isResolved: true
}

/** Field that the service sets. */
type OwnField<Value = unknown> = Options & Valued<Value>

export type InternalField = Options & { isInternal: true }

export type RecordField = InputField | ResolvedField | OwnField | InternalField

/**
 * Declares a field that a caller can set. `default` stands in for one that a create leaves out; otherwise that is null.
 * `...type<string>()` names the type that a row holds where it isn't the schema's output, such as a unit that is never
 * empty.
 */
export const field = <Schema extends z.ZodType, Value = Exclude<z.output<Schema>, undefined>>(
  schema: Schema,
  options: Options & Valued<Value> & { default?: NoInfer<Value> } = {},
): InputField<Schema, NoInfer<Value>> => ({ ...options, schema })

/** Names the type of a field's value. */
export const type = <Value>(): Valued<Value> => ({})

/** Declares a field that a caller can set and that the service resolves to what is stored and answered. */
export const draftField = <Schema extends z.ZodType, Value = Exclude<z.output<Schema>, undefined>>(
  schema: Schema,
  options: Options & Valued<Value> = {},
): ResolvedField<Schema, NoInfer<Value>> => ({ ...options, schema, isResolved: true })

/** Declares a field that the service sets. */
export const own = <Value>(options: Options = {}): OwnField<Value> => options

/** Declares a column that no result holds. */
export const internal = (options: Options = {}): InternalField => ({ ...options, isInternal: true })

/** Declares the id of a record. */
export const idField = own<string>()

/** Columns of who wrote a record and when. */
export const stamps = {
  created_at: own<string>(),
  updated_at: own<string>(),
  created_by: own<string | null>(),
  updated_by: own<string | null>(),
}

/** Column of a record that is hidden rather than deleted; an erasure hides it. */
export const archivedAt = own<string | null>({ erased: sql`coalesce(archived_at, moment_of(tenant_id))` })

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

/**
 * Field that a caller can set, checked by its schema; a row holds the schema's output unless `value` says otherwise.
 */
export type InputField<Schema extends z.ZodType = z.ZodType, Value = unknown> = Options & {
  schema: Schema
  default?: unknown
  readonly value?: Value
}

/** Field that a caller can set and that is stored as the service works it out: lines with their prices. */
type ResolvedField<Schema extends z.ZodType = z.ZodType, Value = unknown> = InputField<Schema, Value> & {
  isResolved: true
}

/** Input that the service resolves into columns of other names. */
type ArgumentField<Schema extends z.ZodType = z.ZodType> = ResolvedField<Schema> & InternalField

/** Field that the service sets. */
type OwnField<Value = unknown> = Options & { readonly value?: Value }

export type InternalField = Options & { isInternal: true }

export type RecordField = InputField | ResolvedField | ArgumentField | OwnField | InternalField

/**
 * Declares a field that a caller can set. `default` stands in for one that a create leaves out; otherwise that is null.
 * `...type<string>()` names the type that a row holds where it isn't the schema's output, such as a unit that is never
 * empty.
 */
export const field = <Schema extends z.ZodType, Value = Exclude<z.output<Schema>, undefined>>(
  schema: Schema,
  options: Options & { default?: NoInfer<Value>; value?: Value } = {},
): InputField<Schema, NoInfer<Value>> => ({ ...options, schema })

/** Names the type of a field's value. */
export const type = <Value>(): { value?: Value } => ({})

/** Declares a field that a caller can set and that the service resolves to what is stored and answered. */
export const draftField = <Schema extends z.ZodType, Value = Exclude<z.output<Schema>, undefined>>(
  schema: Schema,
  options: Options = {},
): ResolvedField<Schema, Value> => ({ schema, ...options, isResolved: true })

/** Declares an input that the service resolves into columns of other names. */
export const argument = <Schema extends z.ZodType>(schema: Schema, options: Options = {}): ArgumentField<Schema> => ({
  schema,
  ...options,
  isResolved: true,
  isInternal: true,
  isComputed: true,
})

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

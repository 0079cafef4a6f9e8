import type { z } from 'zod'
import { sql, type Sql } from '../../platform/db/database.ts'
import type { FieldFacts } from '../../tools/declare/record_facts.ts'
import type { FormField } from '../fields/form_field.ts'

type Options = FieldFacts & {
  /** SQL expression that reads it from its column; default: the column itself. */
  reads?: (column: Sql) => Sql
  /** Builds its form field. */
  form?: (about: { name: string; label: string }) => FormField | readonly FormField[]
}

/** Phantom type for the values in rows; declarations never set it. */
type PhantomValue<Value> = { readonly value?: Value }

/**
 * Field that a caller can set, validated by its schema. A row holds the schema's output unless `value` says otherwise.
 */
export type InputField<Schema extends z.ZodType = z.ZodType, Value = unknown> = Options &
  PhantomValue<Value> & { schema: Schema; default?: unknown }

/** Field that a caller can set and the service resolves before it stores it: line items with their prices. */
type ResolvedField<Schema extends z.ZodType = z.ZodType, Value = unknown> = InputField<Schema, Value> & {
  isResolved: true
}

/** Field that the service sets. */
type OwnField<Value = unknown> = Options & PhantomValue<Value>

export type InternalField = Options & { isInternal: true }

export type RecordField = InputField | ResolvedField | OwnField | InternalField

/**
 * Declares a field that a caller can set. `default` applies when a create omits it; otherwise it is null.
 * `...type<string>()` sets the type in a row if it isn't the schema's output, such as a unit that is never empty.
 */
export const field = <Schema extends z.ZodType, Value = Exclude<z.output<Schema>, undefined>>(
  schema: Schema,
  options: Options & PhantomValue<Value> & { default?: NoInfer<Value> } = {},
): InputField<Schema, NoInfer<Value>> => ({ ...options, schema })

/** Sets the type of a field's value. */
export const valueType = <Value>(): PhantomValue<Value> => ({})

/** Declares a field that a caller can set and the service resolves before it stores and returns it. */
export const draftField = <Schema extends z.ZodType, Value = Exclude<z.output<Schema>, undefined>>(
  schema: Schema,
  options: Options & PhantomValue<Value> = {},
): ResolvedField<Schema, NoInfer<Value>> => ({ ...options, schema, isResolved: true })

/** Declares a field that the service sets. */
export const ownField = <Value>(options: Options = {}): OwnField<Value> => options

/** Declares a column that no result includes. */
export const internalField = (options: Options = {}): InternalField => ({ ...options, isInternal: true })

/** Id of a record. */
export const idField = ownField<string>()

/** Columns for the time and user of the creation and of the last change. */
export const auditFields = {
  created_at: ownField<string>(),
  updated_at: ownField<string>(),
  created_by: ownField<string | null>(),
  updated_by: ownField<string | null>(),
}

/** Archive time of a record that is hidden rather than deleted. An erasure sets it. */
export const archivedAt = ownField<string | null>({ erased: sql`coalesce(archived_at, moment_of(tenant_id))` })

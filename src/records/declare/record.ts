import type { z } from 'zod'
import { join, raw, sql, type Sql } from '../../platform/db/database.ts'
import type { RecordFacts } from '../../tools/declare/record_facts.ts'
import type { RecordField, InputField, InternalField } from './field.ts'

type Fields = Readonly<Record<string, RecordField>>

type InputNames<F extends Fields> = { [Name in keyof F]: F[Name] extends InputField ? Name : never }[keyof F]
type StoredNames<F extends Fields> = {
  [Name in InputNames<F>]: F[Name] extends { isResolved: true } ? never : Name
}[InputNames<F>]
type RowNames<F extends Fields> = { [Name in keyof F]: F[Name] extends InternalField ? never : Name }[keyof F]

type ValueOf<F> = F extends { readonly value?: infer Value } ? Value : never

type Inputs<F extends Fields> = { [Name in InputNames<F>]: F[Name] extends InputField<infer Schema> ? Schema : never }

type Row<F extends Fields> = { [Name in RowNames<F>]: ValueOf<F[Name]> }
type Input<F extends Fields> = { [Name in StoredNames<F>]: ValueOf<F[Name]> }
type Draft<F extends Fields> = z.output<z.ZodObject<Inputs<F>>>

/** Row returned by `get`. */
export type RowOf<R> = R extends { fields: infer F extends Fields } ? Row<F> : never
/** Row of a list. */
export type ListRowOf<R> = R extends { fields: infer F extends Fields; listed: readonly (infer Name)[] }
  ? Pick<Row<F>, Name & keyof Row<F>>
  : never
/** All values that a caller can set and that are stored unchanged. */
export type InputOf<R> = R extends { fields: infer F extends Fields } ? Input<F> : never
/** Input to create a record. */
export type DraftOf<R> = R extends { fields: infer F extends Fields } ? Draft<F> : never
/** Input to change a record; undefined fields stay. */
export type PatchOf<R> = { [Name in keyof DraftOf<R>]?: DraftOf<R>[Name] | undefined }

type RecordDeclaration<F extends Fields, Unlisted extends PropertyKey = never> = Omit<RecordFacts, 'fields'> & {
  fields: F
  /** Input schemas of a create. */
  inputs: Inputs<F>
  /** Input schemas of an update: every field is optional. */
  patchInputs: { [Name in keyof Inputs<F>]: z.ZodOptional<Inputs<F>[Name]> }
  /** Returns the columns of `get` for a table alias; `expressions` override how some are read. */
  columns(alias?: string, expressions?: Readonly<Record<string, Sql>>): Sql
  /** Names of the fields of a list. */
  listed: readonly (keyof Omit<Row<F>, Unlisted> & string)[]
  /** Returns the columns of a list. */
  listColumns(alias?: string, expressions?: Readonly<Record<string, Sql>>): Sql
  /** Fills in the defaults of a draft. */
  complete(draft: Draft<F>, defaults?: Partial<Input<F>>): Input<F>
  /** Returns the fields that a caller can set, from values such as a row or a patch. */
  pickInput<Values extends { readonly [Name in keyof Input<F>]?: unknown }>(
    values: Values,
  ): Pick<Values, keyof Values & keyof Input<F>>
  /** Returns the columns to write for an input, including derived ones. */
  toColumns(input: Input<F>): Record<string, unknown>
}

type Options<F extends Fields, Unlisted> = {
  table: string
  fields: F
  parts?: RecordFacts['parts']
  /** Fields that a list omits. */
  unlisted?: readonly Unlisted[]
  /** Returns the columns derived from an input. */
  derive?: (input: Input<F>) => Readonly<Record<string, unknown>>
}

/** Declares an entity's table. Everything about a field except business rules follows from its declaration. */
export function record<const F extends Fields, const Unlisted extends keyof F = never>({
  unlisted = [],
  derive = () => ({}),
  parts = {},
  ...facts
}: Options<F, Unlisted>): RecordDeclaration<F, Unlisted> {
  const fields: Fields = facts.fields
  const entries = Object.entries(fields)
  const readableNames = entries.filter(([, { isInternal }]) => isInternal !== true).map(([name]) => name)
  const settable = entries.filter((entry): entry is [string, InputField] => 'schema' in entry[1])
  const stored = settable.filter(([, one]) => !('isResolved' in one))
  const storedNames = new Set(stored.map(([name]) => name))
  const written = stored.filter(([, { isComputed }]) => isComputed !== true).map(([name]) => name)
  const select = (names: readonly string[]) => {
    const plain = new Map<string, Sql>()
    return (alias = '', expressions?: Readonly<Record<string, Sql>>): Sql => {
      const cachedColumns = expressions === undefined ? plain.get(alias) : undefined
      if (cachedColumns !== undefined) return cachedColumns
      const columns = join(names.map((name) => columnOf(fields[name]!, name, alias, expressions?.[name])))
      if (expressions === undefined) plain.set(alias, columns)
      return columns
    }
  }
  const hidden = new Set<PropertyKey>(unlisted)
  const listed = readableNames.filter((name) => !hidden.has(name))
  const declared: object = {
    ...facts,
    parts,
    inputs: Object.fromEntries(settable.map(([name, { schema }]) => [name, schema])),
    patchInputs: Object.fromEntries(settable.map(([name, { schema }]) => [name, schema.optional()])),
    columns: select(readableNames),
    listed,
    listColumns: select(listed),
    complete: (draft: Readonly<Record<string, unknown>>, defaults: Readonly<Record<string, unknown>> = {}) =>
      Object.fromEntries(stored.map(([name, one]) => [name, draft[name] ?? defaults[name] ?? one.default ?? null])),
    pickInput: (values: object) => Object.fromEntries(Object.entries(values).filter(([name]) => storedNames.has(name))),
    toColumns: (input: Readonly<Record<string, unknown>>) => ({
      ...Object.fromEntries(written.map((name) => [name, input[name]])),
      ...derive(input as Input<F>),
    }),
  } satisfies Omit<RecordDeclaration<Fields>, 'pickInput'> & { pickInput(values: object): object }
  return declared as RecordDeclaration<F, Unlisted>
}

/** Returns a column, named after the field if an expression reads it. */
function columnOf({ reads }: RecordField, name: string, alias: string, expression: Sql | undefined): Sql {
  const column = raw(alias === '' ? name : `${alias}.${name}`)
  const read = expression ?? reads?.(column)
  return read === undefined ? column : sql`${read} as ${raw(name)}`
}

import { z } from 'zod'
import type { Caller } from '../../identity/credentials/caller.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import type { Database, Db, WritableDb } from '../../platform/db/tenant.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { commonFields, type FieldEvent } from './event.ts'
import type { EventJob } from './kinds/job.ts'

/** Environment in which events are applied: the tools and the tenant, with rights checked at each use. */
export type PhoneContext = {
  readonly caller: Caller
  readonly database: Database
  readonly storage: Storage
  readonly baseUrl: string
  may(scope: Scope): boolean
  asCaller<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  write<T>(work: (db: WritableDb) => Promise<T>): Promise<T>
  /** Returns the channels on which the company can send, texts before email. */
  channels(): Promise<('sms' | 'email')[]>
  /** Runs a catalog tool or action in the current transaction, with its audit rows. */
  callInTransaction(
    db: Db,
    wire: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>
}

/** Environment of one event, inside its transaction. */
export type EventContext = Pick<PhoneContext, 'caller' | 'baseUrl' | 'may'> & {
  db: WritableDb
  /** Time of the event by our clock. */
  at: Temporal.Instant
  /** Runs a tool in the event's transaction. */
  call(wire: string, args: Readonly<Record<string, unknown>>): Promise<void>
  /** Runs a tool that creates a record in the event's transaction; returns the record's id. */
  create(wire: string, args: Readonly<Record<string, unknown>>): Promise<string>
}

/** Returns the user of the phone. */
export function phoneOwner({ user }: Caller): { user: string } {
  if (user === null) throw new Error('A phone is of a person')
  return { user }
}

/** Applies an event in its transaction; an error rolls it back. */
type ApplyEvent<Event> = (context: EventContext, event: Event, job: EventJob) => Promise<void>

/** Work to do before an event's transaction, and a function that undoes it. */
export type PreparedEvent = { apply: ApplyEvent<FieldEvent>; discard(): Promise<void> }

/** Kind of event: its own fields, and how it is applied. */
export type EventKind = {
  schema: z.ZodType<FieldEvent>
  apply?: ApplyEvent<FieldEvent>
  prepare?(context: PhoneContext, event: FieldEvent): Promise<PreparedEvent>
}

type Fields<Shape extends z.ZodRawShape> = z.output<z.ZodObject<typeof commonFields & Shape>>

/** Defines a kind that is applied entirely in its transaction. */
export function defineKind<const Shape extends z.ZodRawShape>(
  fields: Shape,
  apply: ApplyEvent<Fields<Shape>>,
): EventKind
export function defineKind(fields: z.ZodRawShape, apply: ApplyEvent<FieldEvent>): EventKind {
  return { schema: z.strictObject({ ...fields, ...commonFields }), apply }
}

/** Defines a kind with work before its transaction. */
export function definePreparedKind<const Shape extends z.ZodRawShape>(
  fields: Shape,
  prepare: (context: PhoneContext, event: Fields<Shape>) => Promise<PreparedEvent>,
): EventKind
export function definePreparedKind(fields: z.ZodRawShape, prepare: NonNullable<EventKind['prepare']>): EventKind {
  return { schema: z.strictObject({ ...fields, ...commonFields }), prepare }
}

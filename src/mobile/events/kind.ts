import { z } from 'zod'
import type { Caller } from '../../identity/credentials/caller.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import type { Database, Db, WritableDb } from '../../platform/db/tenant.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { commonFields, type FieldEvent } from './event.ts'
import type { EventJob } from './kinds/job.ts'

/** Holds what acts are taken with: the tools and the tenant, under the rights of each moment. */
export type PhoneContext = {
  readonly caller: Caller
  readonly database: Database
  readonly storage: Storage
  readonly baseUrl: string
  may(scope: Scope): boolean
  as<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  write<T>(work: (db: WritableDb) => Promise<T>): Promise<T>
  /** Returns by what messages of the company go out, a text before a mail. */
  channels(): Promise<('sms' | 'email')[]>
  /** Runs a tool or act of the catalog in a transaction that is under way, with its audit rows. */
  within(db: Db, wire: string, given: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** Holds what one act is taken with, inside its transaction. */
export type EventContext = Pick<PhoneContext, 'caller' | 'baseUrl' | 'may'> & {
  db: WritableDb
  /** Time of the event by our clock. */
  at: Temporal.Instant
  /** Runs a tool in the act's transaction. */
  call(wire: string, given: Readonly<Record<string, unknown>>): Promise<void>
}

/** Returns whose phone it is. */
export function phoneOwner({ user }: Caller): { user: string } {
  if (user === null) throw new Error('A phone is of a person')
  return { user }
}

/** Does an act in its transaction; what it throws undoes it. */
type ApplyEvent<Act> = (context: EventContext, act: Act, job: EventJob) => Promise<void>

/** Work that must happen before an event's transaction, with a function that undoes it. */
export type PreparedEvent = { take: ApplyEvent<FieldEvent>; giveUp(): Promise<void> }

/** Describes a kind of act: what it carries beside what all have, and how it is done. */
export type EventKind = {
  act: z.ZodType<FieldEvent>
  take?: ApplyEvent<FieldEvent>
  prepare?(context: PhoneContext, act: FieldEvent): Promise<PreparedEvent>
}

type Fields<Shape extends z.ZodRawShape> = z.output<z.ZodObject<typeof commonFields & Shape>>

/** Declares a kind that is done whole in its transaction. */
export function defineKind<const Shape extends z.ZodRawShape>(fields: Shape, take: ApplyEvent<Fields<Shape>>): EventKind
export function defineKind(fields: z.ZodRawShape, take: ApplyEvent<FieldEvent>): EventKind {
  return { act: z.strictObject({ ...fields, ...commonFields }), take }
}

/** Declares a kind that has work before its transaction. */
export function definePreparedKind<const Shape extends z.ZodRawShape>(
  fields: Shape,
  prepare: (context: PhoneContext, act: Fields<Shape>) => Promise<PreparedEvent>,
): EventKind
export function definePreparedKind(fields: z.ZodRawShape, prepare: NonNullable<EventKind['prepare']>): EventKind {
  return { act: z.strictObject({ ...fields, ...commonFields }), prepare }
}

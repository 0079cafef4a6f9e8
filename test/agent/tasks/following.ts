import assert from 'node:assert/strict'
import type { Agent } from '../agent.ts'

/** Reactions of an agent to a refusal. A message that doesn't say what to do fails the task. */

/** Returns the arguments again, with the field that was not known under the name that the message offers. */
export function renameField(message: string, given: object): Record<string, unknown> {
  const [, wrong = '', right = ''] = read(message, /unknown field '(\w+)' \(did you mean '(\w+)'\?\)/)
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name === wrong ? right : name, value]))
}

/** Returns the names that the message says are taken. */
export const fieldsIn = (message: string): string[] => read(message, /\(the fields are ([\w, ]+)\)/)[1]!.split(', ')

/** Returns the values that the message says are taken. */
export const choicesIn = (message: string): string[] =>
  read(message, /must be one of ([\w, ]+)/)[1]!
    .trim()
    .split(', ')

/** Returns the tool that the message points at. */
export function toolIn(message: string, { shown }: Agent): string {
  const [named] = (message.match(/\b[a-z_]+_[a-z]+\b/g) ?? []).filter((word) => shown.has(word))
  assert.ok(named !== undefined, `no tool in: ${message}`)
  return named
}

/** Returns the id that a message gives for a name. */
export const idBehind = (name: string, message: string): string =>
  read(message, new RegExp(`${name} \\(([0-9a-f-]{36})\\)`))[1]!

/** Returns a date that was written day first with dots, as the message asks for it. */
export function dayAsAsked(message: string, dotted: string): string {
  read(message, /must be a date, year-month-day, such as \d{4}-\d\d-\d\d/)
  return dotted.split('.').toReversed().join('-')
}

/** Returns the same with a time of day. */
export function timeAsAsked(message: string, dotted: string): string {
  read(message, /local time such as \d{4}-\d\d-\d\dT\d\d:\d\d/)
  const [day = '', time = ''] = dotted.split(' ')
  return `${day.split('.').toReversed().join('-')}T${time}`
}

/** Returns a message's match for a pattern, with its groups. */
export function read(message: string, pattern: RegExp): string[] {
  const match = message.match(pattern)
  assert.ok(match !== null, `nothing like ${pattern.source} in: ${message}`)
  return [...match]
}

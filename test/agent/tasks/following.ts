import assert from 'node:assert/strict'
import type { Agent } from '../agent.ts'

/** Reactions of an agent to a refusal. A message that doesn't say what to do fails the task. */

/** Renames the unknown field in the arguments to the name that the message suggests. */
export function renameField(message: string, given: object): Record<string, unknown> {
  const [, wrong = '', right = ''] = read(message, /unknown field '(\w+)' \(did you mean '(\w+)'\?\)/)
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name === wrong ? right : name, value]))
}

/** Returns the field names that the message lists. */
export const fieldsIn = (message: string): string[] => read(message, /\(the fields are ([\w, ]+)\)/)[1]!.split(', ')

/** Returns the allowed values that the message lists. */
export const choicesIn = (message: string): string[] =>
  read(message, /must be one of ([\w, ]+)/)[1]!
    .trim()
    .split(', ')

/** Returns the tool that the message names. */
export function toolIn(message: string, { shown }: Agent): string {
  const [named] = (message.match(/\b[a-z_]+_[a-z]+\b/g) ?? []).filter((word) => shown.has(word))
  assert.ok(named !== undefined, `no tool in: ${message}`)
  return named
}

/** Returns the id that a message gives for a name. */
export const idBehind = (name: string, message: string): string =>
  read(message, new RegExp(`${name} \\(([0-9a-f-]{36})\\)`))[1]!

/** Converts a date like 31.12.2027 to the format in the message. */
export function dayAsAsked(message: string, dotted: string): string {
  read(message, /must be a date, year-month-day, such as \d{4}-\d\d-\d\d/)
  return dotted.split('.').toReversed().join('-')
}

/** Converts the same date with a time of day. */
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

import { facts } from '../../platform/html/parts/facts.ts'
import { when, type Html } from '../../platform/html/html.ts'
import { part } from './parts.ts'
import { say } from '../../platform/i18n/say.ts'

/** Renders custom fields, if there are any. */
export const customFacts = (fields: Readonly<Record<string, string | number | boolean | null>>): Html | '' =>
  when(Object.keys(fields).length > 0, () =>
    part(say`Custom fields`, facts(Object.entries(fields).map(([label, value]) => ({ label, value: textOf(value) })))),
  )

const textOf = (value: string | number | boolean | null): string => {
  if (typeof value === 'boolean') return value ? say`Yes` : say`No`
  return value === null || value === '' ? say`Nothing` : String(value)
}

import { invalid } from '../../../platform/errors/refusal.ts'
import { say } from '../../../platform/i18n/say.ts'
import { NOBODY } from '../../../records/jobs/index.ts'

/** Move as a form sends it: visit, version, new crew (`nobody`, or user ids), and new start if it changes. */
export type SentMove = { id: string; version: string; to: string; start: string | undefined }

const PATTERN =
  /^([0-9a-f-]{36})~(\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)~((?:[0-9a-f-]{36},){0,20}[0-9a-f-]{36}|nobody)~(\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)?$/
const MAX_MOVES = 200

/** Formats a move as the value of its checkbox. */
export const moveText = ({ id, version, to, start = '' }: SentMove): string => [id, version, to, start].join('~')

/** Reads the checked moves, in the order in which their rows are locked. */
export function readMoves(form: URLSearchParams): SentMove[] {
  const texts = form.getAll('move')
  if (texts.length > MAX_MOVES) throw invalid(say`Choose at most ${MAX_MOVES} visits.`)
  return texts
    .map((text) => {
      const [, id, version, to, start] = PATTERN.exec(text) ?? []
      if (id === undefined || version === undefined || to === undefined)
        throw invalid(say`That didn't work. Try again.`)
      return { id, version, to, start }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Returns the tool arguments of a move. */
export const argsOf = ({ id, version, to, start }: SentMove): Record<string, unknown> => ({
  id,
  expected_updated_at: version,
  assignees: to === NOBODY ? [] : to.split(','),
  ...(start === undefined ? {} : { scheduled_start: start }),
})

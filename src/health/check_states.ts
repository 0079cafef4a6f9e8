import { statusOf, type CheckState, type CheckStates, type Status } from './report.ts'
import type { Finding } from './finding.ts'

/** Consecutive turns before a status is mailed, so that one lost packet wakes nobody. */
const TURNS_BEFORE_MAIL = 2

/** News to mail to operators: findings that turned wrong, and names of checks that are right again. */
export type HealthNews = { wrong: readonly Finding[]; right: readonly string[] }

/** Returns the standing of each check after a turn. */
export const nextStates = (before: CheckStates, findings: readonly Finding[], now: string): CheckStates =>
  Object.fromEntries(
    findings.map((finding) => [finding.check, nextState(before[finding.check], statusOf(finding), now)]),
  )

const nextState = (before: CheckState | undefined, status: Status, now: string): CheckState =>
  before?.status === status
    ? { ...before, turns: before.turns + 1 }
    : { status, since: now, turns: 1, isMailed: before?.isMailed ?? false }

/** Returns lasting changes that weren't mailed yet. A check that no longer runs counts as right again. */
export function newsOf(states: CheckStates, findings: readonly Finding[], before: CheckStates): HealthNews {
  const hasLasted = ({ turns }: CheckState): boolean => turns >= TURNS_BEFORE_MAIL
  const all = Object.entries(states)
  const turnedWrong = all.flatMap(([check, one]) =>
    one.status === 'wrong' && !one.isMailed && hasLasted(one) ? [check] : [],
  )
  const turnedRight = all.flatMap(([check, one]) =>
    one.status !== 'wrong' && one.isMailed && hasLasted(one) ? [check] : [],
  )
  const fixed = Object.entries(before).flatMap(([check, { isMailed }]) =>
    isMailed && states[check] === undefined ? [check] : [],
  )
  return { wrong: findings.filter(({ check }) => turnedWrong.includes(check)), right: [...turnedRight, ...fixed] }
}

/** Returns the standings with the mailed ones marked. */
export const markMailed = (states: CheckStates, { wrong, right }: HealthNews): CheckStates => {
  const turned = new Map([
    ...wrong.map(({ check }) => [check, true] as const),
    ...right.map((name) => [name, false] as const),
  ])
  return Object.fromEntries(
    Object.entries(states).map(([check, one]) => [check, { ...one, isMailed: turned.get(check) ?? one.isMailed }]),
  )
}

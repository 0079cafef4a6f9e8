import { statusOf, type Standing, type Standings, type Status } from './report.ts'
import type { Finding } from './finding.ts'

/** Consecutive turns before a status is mailed, so that one lost packet wakes nobody. */
const TURNS_BEFORE_MAIL = 2

/** News to mail to operators: findings that turned wrong, and names of checks that are right again. */
export type HealthNews = { wrong: readonly Finding[]; right: readonly string[] }

/** Returns the standing of each check after a turn. */
export const nextStandings = (before: Standings, findings: readonly Finding[], now: string): Standings =>
  Object.fromEntries(
    findings.map((finding) => [finding.check, nextStanding(before[finding.check], statusOf(finding), now)]),
  )

const nextStanding = (before: Standing | undefined, status: Status, now: string): Standing =>
  before?.status === status
    ? { ...before, turns: before.turns + 1 }
    : { status, since: now, turns: 1, isMailed: before?.isMailed ?? false }

/** Returns lasting changes that weren't mailed yet. A check that no longer runs counts as right again. */
export function newsOf(standings: Standings, findings: readonly Finding[], before: Standings): HealthNews {
  const hasLasted = ({ turns }: Standing): boolean => turns >= TURNS_BEFORE_MAIL
  const all = Object.entries(standings)
  const turnedWrong = all.flatMap(([check, one]) =>
    one.status === 'wrong' && !one.isMailed && hasLasted(one) ? [check] : [],
  )
  const turnedRight = all.flatMap(([check, one]) =>
    one.status !== 'wrong' && one.isMailed && hasLasted(one) ? [check] : [],
  )
  const fixed = Object.entries(before).flatMap(([check, { isMailed }]) =>
    isMailed && standings[check] === undefined ? [check] : [],
  )
  return { wrong: findings.filter(({ check }) => turnedWrong.includes(check)), right: [...turnedRight, ...fixed] }
}

/** Returns the standings with the mailed ones marked. */
export const markMailed = (standings: Standings, { wrong, right }: HealthNews): Standings => {
  const turned = new Map([
    ...wrong.map(({ check }) => [check, true] as const),
    ...right.map((name) => [name, false] as const),
  ])
  return Object.fromEntries(
    Object.entries(standings).map(([check, one]) => [check, { ...one, isMailed: turned.get(check) ?? one.isMailed }]),
  )
}

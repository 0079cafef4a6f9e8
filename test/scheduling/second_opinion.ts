import { createRequire } from 'node:module'
import type { PlanProblem } from '../../src/scheduling/planner/problem.ts'

// The same day as a mixed-integer program for a third-party solver.

type Highs = { solve(program: string, options: object): { Status: string; ObjectiveValue: number } }

// The package declares its CommonJS build's types as an ES module.
const loadHighs: () => Promise<Highs> = createRequire(import.meta.url)('highs')

/** Time later than any in a day. */
const BIG = 4_000

/** Returns the minimum cost of a day by HiGHS. Requires one span per person, no pinned visits and no move limit. */
export async function solveByHighs(problem: PlanProblem): Promise<number> {
  const highs = await loadHighs()
  const result = highs.solve(programOf(problem), { output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0.4 })
  if (result.Status !== 'Optimal') throw new Error(`HiGHS ended as ${result.Status}`)
  return Math.round(result.ObjectiveValue)
}

/** Writes the program. `x_p_i_j`: p drives from i to j (`s`: start, `e`: end), `u_i`: unplaced, `t_i`: start time. */
function programOf({ visits, people, travel, places, weights }: PlanProblem): string {
  const [costs, rows, bounds, binaries] = [[] as string[], [] as string[], [] as string[], [] as string[]]
  const drive = (from: number | null, to: number | null): number =>
    from === null || to === null ? 0 : travel[from * places + to]!
  const arc = (person: number, from: number | string, to: number | string): string => `x_${person}_${from}_${to}`
  for (const [p, { spans, start, end, maxOvertime }] of people.entries()) {
    const { from: opens, to: closes } = spans[0]!
    const able = [...visits.keys()].filter((i) => visits[i]!.people?.includes(p) ?? true)
    const arcs: [number | 's', number | 'e'][] = [
      ...able.map((i): ['s', number] => ['s', i]),
      ...able.map((i): [number, 'e'] => [i, 'e']),
      ...able.flatMap((i) => able.filter((j) => j !== i).map((j): [number, number] => [i, j])),
      ['s', 'e'],
    ]
    for (const [from, to] of arcs) {
      const name = arc(p, from, to)
      const isIdle = from === 's' && to === 'e'
      const minutes = isIdle
        ? 0
        : drive(from === 's' ? start : visits[from]!.place, to === 'e' ? end : visits[to]!.place)
      const { before = null, prefers = null } = to === 'e' ? {} : visits[to]!
      const price =
        minutes * weights.driving +
        (before === null || before === p ? 0 : weights.moved) +
        (prefers === null || prefers === p ? 0 : weights.otherPerson)
      costs.push(`${price} ${name}`)
      binaries.push(name)
      if (isIdle) continue
      if (from === 's') rows.push(`t_${to} - ${BIG} ${name} >= ${opens + minutes - BIG}`)
      else if (to === 'e')
        rows.push(`t_${from} + ${BIG} ${name} - o_${p} <= ${BIG + closes - minutes - visits[from]!.minutes}`)
      else rows.push(`t_${to} - t_${from} - ${BIG} ${name} >= ${minutes + visits[from]!.minutes - BIG}`)
    }
    rows.push(
      `${arcs
        .filter(([from]) => from === 's')
        .map(([from, to]) => arc(p, from, to))
        .join(' + ')} = 1`,
    )
    for (const i of able) {
      const into = arcs.filter(([, to]) => to === i).map(([from, to]) => arc(p, from, to))
      const out = arcs.filter(([from]) => from === i).map(([from, to]) => arc(p, from, to))
      rows.push(`${into.join(' + ')} - ${out.join(' - ')} = 0`)
      const latest = closes + maxOvertime - visits[i]!.minutes
      for (const name of into) rows.push(`t_${i} + ${BIG} ${name} <= ${BIG + latest}`)
      for (const name of into) rows.push(`t_${i} - ${BIG} ${name} >= ${opens - BIG}`)
    }
    costs.push(`${weights.overtime} o_${p}`)
    bounds.push(`0 <= o_${p} <= ${maxOvertime}`)
  }
  for (const [i, { from, until, before }] of visits.entries()) {
    const into = binaries.filter((name) => name.endsWith(`_${i}`))
    rows.push(`${[`u_${i}`, ...into].join(' + ')} = 1`)
    costs.push(`${weights.unplaced * (before === null ? 1 : 2)} u_${i}`)
    binaries.push(`u_${i}`)
    bounds.push(`${from} <= t_${i} <= ${until}`)
  }
  const sectionOf = (title: string, lines: readonly string[]): string => `${title}\n ${lines.join('\n ')}\n`
  return `Minimize\n obj: ${costs.join('\n + ')}\n${sectionOf('Subject To', rows)}${sectionOf('Bounds', bounds)}${sectionOf('Binary', binaries)}End`
}

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import { root } from './repository.ts'

type Rule = { alert?: string; record?: string; expr: string }

const RULES = join(root, 'deploy', 'prometheus', 'rules.yaml')

/** Reads every rule of deploy/prometheus. */
export async function rules(): Promise<Rule[]> {
  const { groups }: { groups: { rules: Rule[] }[] } = parse(await readFile(RULES, 'utf8'))
  return groups.flatMap((group) => group.rules)
}

/** Text of a scrape, and its time. */
export type Scrape = { text: string; at: number }

/** Minutes before and during a fault. */
const [SOUND, FAULTY] = [370, 70]

/** Values of a series over time, in promtool's notation. */
type Series = { series: string; values: string }

function samplesOf({ text }: Scrape): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

/** Makes series from two scrapes: 370 minutes of the first, then 70 minutes that lead to the second. */
function seriesOf(sound: Scrape, faulty: Scrape): Series[] {
  const [before, after] = [samplesOf(sound), samplesOf(faulty)]
  return [...new Set([...before.keys(), ...after.keys()])].map((series) => {
    const [from, to] = [before.get(series), after.get(series)]
    if (series.includes('timestamp'))
      return { series, values: clockValues((from ?? 0) - sound.at, (to ?? 0) - faulty.at) }
    const earlier = from === undefined ? `_x${SOUND}` : `${from}x${SOUND}`
    if (to === undefined) return { series, values: earlier }
    const isCounter = /_(?:total|bucket|count|sum)\b/.test(series)
    const step = (to - (from ?? 0)) / FAULTY
    return { series, values: `${earlier} ${isCounter ? `${from ?? 0}+${step}x${FAULTY}` : `${to}x${FAULTY}`}` }
  })
}

/** Returns a timestamp that advances with promtool's clock, which starts at 0. Stops it if the second is stale. */
function clockValues(soundAge: number, faultyAge: number): string {
  const sound = `${soundAge}+60x${SOUND}`
  const end = soundAge + 60 * SOUND
  return faultyAge < -120 ? `${sound} ${end}x${FAULTY}` : `${sound} ${end}+60x${FAULTY}`
}

/** Evaluates the rules over two scrapes. Returns the alerts that fire before the fault and at its end. */
export async function alertsOver(sound: Scrape, faulty: Scrape): Promise<{ before: string[]; after: string[] }> {
  const series = seriesOf(sound, faulty)
  return { before: await firingAt(SOUND - 5, series), after: await firingAt(SOUND + FAULTY, series) }
}

/** Returns the alerts that fire without any scrape. */
export const alertsOfSilence = (): Promise<string[]> => firingAt(SOUND, [])

async function firingAt(minute: number, series: readonly Series[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-rules-'))
  const file = join(folder, 'test.yaml')
  const expected = {
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${minute}m`,
    exp_samples: [],
  }
  const tests = [{ interval: '1m', input_series: series, promql_expr_test: [expected] }]
  await writeFile(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }))
  // promtool fails and prints the unexpected samples.
  const output = await promisify(execFile)('promtool', ['test', 'rules', file], { maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}`,
  )
  await rm(folder, { recursive: true })
  const alerts = (await rules()).flatMap(({ alert = [] }) => alert)
  if (!/SUCCESS|got:/.test(output)) throw new Error(output.slice(0, 2_000))
  return alerts.filter((alert) => output.includes(`alertname="${alert}"`))
}

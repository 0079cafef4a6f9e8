import { parseArgs } from 'node:util'
import { faultOf, startChargeKills, type KillMoment, type KillRound } from '../test/harness/money/charge_kills.ts'

// node bench/charge_kills.ts [--rounds 200]: kills (SIGKILL) a process that charges saved cards before each of its steps in turn,
// and while the provider processes its request. Another process continues, and every event arrives twice. Exits with 1 if a charge
// is missing or duplicated, or if the books differ from the provider.
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } })

const WITHIN: readonly KillMoment[] = [/payment_intents$/, /confirm$/].flatMap((path) => [
  { path, when: 'before' as const },
  { path, when: 'after' as const },
])

const kills = await startChargeKills()
const ended: KillRound[] = []
const begun = performance.now()
let step = 0
for (let i = 0; i < Number(values.rounds); i++) {
  const moment = i % 6 === 5 ? WITHIN[((i - 5) / 6) % WITHIN.length]! : ++step
  const round = await kills.round({ moment, isDeclined: i % 4 === 3, eventsFirst: i % 2 === 0 })
  // A process that survived had no more steps, so the next round starts with the first step.
  if (round.survived) step = 0
  ended.push(round)
  if (faultOf(round) !== '') console.log('wrong:', faultOf(round), JSON.stringify(round))
}
await kills.stop()

const count = (is: (round: KillRound) => boolean): number => ended.filter(is).length
console.table([
  {
    rounds: ended.length,
    killed: count(({ survived }) => !survived),
    'charged once': count(({ taken }) => taken === 1),
    'declined once': count(({ isDeclined, attempts }) => isDeclined && attempts === 1),
    'charged twice': count(({ taken }) => taken > 1),
    wrong: count((round) => faultOf(round) !== ''),
    seconds: Math.round((performance.now() - begun) / 1_000),
  },
])
process.exitCode = count((round) => faultOf(round) !== '') === 0 ? 0 : 1

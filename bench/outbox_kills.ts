import { parseArgs } from 'node:util'
import { startKillRounds, wrongOf, type Moment, type Round } from '../test/harness/processes/kill_rounds.ts'

// node bench/outbox_kills.ts [--rounds 200]: kills (SIGKILL) a process that sends messages before each of its steps in turn, and
// while a provider accepts its message. Another process continues. Exits with 1 if a message was sent twice, or was not sent and is
// not uncertain.
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } })

const WITHIN: readonly Moment[] = ['before it is taken', 'after it was taken']

const killings = await startKillRounds()
const ended: Round[] = []
const steps = new Map([
  ['email', 0],
  ['sms', 0],
])
const begun = performance.now()
for (let i = 0; i < Number(values.rounds); i++) {
  const channel = i % 2 === 0 ? 'email' : 'sms'
  const step = steps.get(channel)! + 1
  const round = await killings.round(channel, step % 5 === 0 ? WITHIN[(step / 5) % 2]! : step)
  // A process that survived had no more steps, so the next round starts with the first step.
  steps.set(channel, round.survived ? 0 : step)
  ended.push(round)
  if (wrongOf(round) !== undefined) console.log('wrong:', JSON.stringify(round))
}
await killings.stop()

const killed = ended.filter(({ survived }) => !survived)
const count = (is: (round: Round) => boolean): number => ended.filter(is).length
console.table([
  {
    rounds: ended.length,
    killed: killed.length,
    'sent once': count(({ taken, state }) => taken === 1 && state === 'handed_over'),
    'sent, uncertain': count(({ taken, state }) => taken === 1 && state === 'uncertain'),
    'not sent, uncertain': count(({ taken, state }) => taken === 0 && state === 'uncertain'),
    duplicated: count((round) => wrongOf(round) === 'doubled'),
    lost: count((round) => wrongOf(round) === 'lost'),
    seconds: Math.round((performance.now() - begun) / 1_000),
  },
])
process.exitCode = count((round) => wrongOf(round) !== undefined) === 0 ? 0 : 1

import { parseArgs } from 'node:util'
import { startKillings, wrongOf, type Moment, type Round } from '../test/harness/processes/killing.ts'

// node bench/outbox_kills.ts [--rounds 200]: a process that sends is killed (SIGKILL) before each of its steps in turn, and while
// a provider takes its message; another goes on after it. A message that was sent twice, or not at all without being uncertain,
// ends it with 1.
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } })

const WITHIN: readonly Moment[] = ['before it is taken', 'after it was taken']

const killings = await startKillings()
const ended: Round[] = []
const ways = new Map([
  ['email', 0],
  ['sms', 0],
])
const begun = performance.now()
for (let i = 0; i < Number(values.rounds); i++) {
  const channel = i % 2 === 0 ? 'email' : 'sms'
  const step = ways.get(channel)! + 1
  const round = await killings.round(channel, step % 5 === 0 ? WITHIN[(step / 5) % 2]! : step)
  // A process that survived had no more steps: the next begins with the first again.
  ways.set(channel, round.survived ? 0 : step)
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
    doubled: count((round) => wrongOf(round) === 'doubled'),
    lost: count((round) => wrongOf(round) === 'lost'),
    seconds: Math.round((performance.now() - begun) / 1_000),
  },
])
process.exitCode = count((round) => wrongOf(round) !== undefined) === 0 ? 0 : 1

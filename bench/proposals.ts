import { parseArgs } from 'node:util'
import { createKey } from '../src/identity/credentials/keys.ts'
import { SCOPES } from '../src/identity/permissions/scopes.ts'
import { callerOf, makeCompany, startTestService } from '../test/harness/harness.ts'

// node bench/proposals.ts [--rounds 40]: the cost of a proposing call compared with the same direct call, in turns: as the first
// call of its plan, and behind many others. Prints medians and ratios.
const { rounds } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } }).values
const ROUNDS = Number(rounds)
const BEHIND = 20

const service = await startTestService()
const company = await makeCompany(service)
const { database, url } = service
const entry = { tenant: company.tenant }

async function proposing() {
  const key = await createKey(database, entry, {
    user: company.owner.id,
    name: 'Bench',
    scopes: SCOPES,
    proposes: SCOPES,
    expires_at: null,
  })
  return callerOf(url, key.key)
}

const person = (n: number) => ({
  customer_type: 'individual',
  first_name: `First${n}`,
  contacts: [{ first_name: 'Kim' }],
})

async function timeWork(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const median = (list: number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!

const times = { acting: [] as number[], first: [] as number[], behind: [] as number[] }
for (let n = 0; n < ROUNDS + 5; n++) {
  const [alone, many] = [await proposing(), await proposing()]
  for (let i = 0; i < BEHIND; i++) await many.refusal('tags_create', { name: `Tag ${n} ${i}` })
  await Promise.all([alone.call('tags_list'), many.call('tags_list')])
  const took = {
    acting: await timeWork(() => company.owner.call('customers_create', person(n))),
    first: await timeWork(() => alone.refusal('customers_create', person(n))),
    behind: await timeWork(() => many.refusal('customers_create', person(n))),
  }
  if (n >= 5) for (const name of Object.keys(times) as (keyof typeof times)[]) times[name].push(took[name])
}
await service.stop()

const acting = median(times.acting)
for (const [name, list] of Object.entries(times))
  console.log(`${name.padEnd(8)} ${median(list).toFixed(1)} ms, ${(median(list) / acting).toFixed(2)} × a direct call`)

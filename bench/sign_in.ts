import { randomBytes, scrypt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { totpAt, stepAt } from '../src/identity/sign_in/passwords/totp.ts'
import { hashPassword, restorePasswordCost } from '../src/identity/sign_in/passwords/passwords.ts'
import { sql } from '../src/platform/db/database.ts'
import { createCompany, startSite, newBrowser } from '../test/harness/web_client.ts'

// node bench/sign_in.ts [--rounds 60]: a sign-in over HTTP by password, and its second step with an authenticator code, each compared
// with one bare scrypt of the same cost in the same process, in turns. Prints median, p95 and processor time, and ratios to the bare hash.
const { rounds } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } }).values
const ROUNDS = Number(rounds)
const PASSWORD = 'four quiet lamps over water'
const WARM_UP = 3

const service = await startSite()
// Test services lower the cost.
restorePasswordCost()
const company = await createCompany(service, 'Bench')
const secret = randomBytes(20)

/** Adds a person with a password hashed at the real cost, and optionally an authenticator app. Returns their email. */
async function person(hasApp: boolean): Promise<string> {
  const { user_id: user, email } = await company.hire('office')
  await service.database.send([
    sql`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${user}`,
    ...(hasApp
      ? [sql`insert into totp_secrets (user_id, secret, confirmed_at) values (${user}, ${secret}, moment())`]
      : []),
  ])
  return email
}

const people = { alone: await person(false), withApp: await person(true) }

/** Deletes sign-in attempts and used TOTP steps, so that limits and earlier codes don't affect the measurement. */
const forget = () => service.database.send([sql`delete from attempts`, sql`update totp_secrets set last_step = 0`])

type Sample = { ms: number; cpu: number }

async function measureWork(work: () => Promise<unknown>): Promise<Sample> {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { ms: performance.now() - begun, cpu: (user + system) / 1000 }
}

const bare = (): Promise<unknown> =>
  new Promise((resolve, reject) =>
    scrypt(PASSWORD, randomBytes(16), 32, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    ),
  )

const samples: Record<string, Sample[]> = { 'bare scrypt': [], password: [], 'app code': [] }
for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  await forget()
  const roundSamples: Record<string, Sample> = { 'bare scrypt': await measureWork(bare) }
  const alone = newBrowser(service)
  roundSamples['password'] = await measureWork(() => alone.signIn(people.alone, '/', PASSWORD))
  if (!alone.jar.has('callout_session')) throw new Error('The sign-in by password failed')
  const twice = newBrowser(service)
  const { location } = await twice.signIn(people.withApp, '/', PASSWORD)
  roundSamples['app code'] = await measureWork(() =>
    twice.post(new URL(location!, service.config.baseUrl).pathname, {
      code: totpAt(secret, stepAt(Date.now())),
      to: '/',
    }),
  )
  if (!twice.jar.has('callout_session')) throw new Error('The sign-in by code failed')
  if (round >= WARM_UP) for (const [name, sample] of Object.entries(roundSamples)) samples[name]!.push(sample)
}
await service.stop()

const at = (part: number, list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))]!
const figures = (list: readonly Sample[]) => ({
  median: at(
    0.5,
    list.map(({ ms }) => ms),
  ),
  p95: at(
    0.95,
    list.map(({ ms }) => ms),
  ),
  cpu: at(
    0.5,
    list.map(({ cpu }) => cpu),
  ),
})
const base = figures(samples['bare scrypt']!)
for (const [name, list] of Object.entries(samples)) {
  const { median, p95, cpu } = figures(list)
  const of = (value: number, whole: number): string => (value / whole).toFixed(2)
  console.log(
    `${name.padEnd(15)} median ${median.toFixed(0)} ms (${of(median, base.median)}), p95 ${p95.toFixed(0)} ms (${of(p95, base.p95)}), processor ${cpu.toFixed(0)} ms (${of(cpu, base.cpu)})`,
  )
}

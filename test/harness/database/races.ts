import assert from 'node:assert/strict'
import { makeCompany, startTestService, type Company, type Result } from '../harness.ts'
import { openWitness } from '../clients/witness.ts'

export const FIFTY = 50
/** Timeout for fifty concurrent calls on a slow machine, in milliseconds. */
export const FULL = 60_000

type Call = readonly [tool: string, given: object]
export type Answers = { ok: Result[]; refused: string[] }

export const fiftyTimes = <T>(one: (i: number) => T): T[] => Array.from({ length: FIFTY }, (_, i) => one(i))

export type RaceScene = Awaited<ReturnType<typeof openRaceScene>>

/** Starts a company with a customer and a database witness. */
export async function openRaceScene() {
  const service = await startTestService()
  const witness = await openWitness(service)
  const company = await makeCompany(service)
  const person = async (given: object = {}): Promise<string> =>
    (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana', ...given })).id
  return {
    witness,
    company,
    person,
    customer: await person(),
    async stop() {
      await witness.close()
      await service.stop()
    },
  }
}

/** Tomorrow's date in the company's time zone. */
export const tomorrow = Temporal.Now.plainDateISO('America/New_York').add({ days: 1 }).toString()
export const visit = { name: 'Visit', unit_price_cents: 100 }

/** Sends all calls concurrently. Every refusal must match one of `refusals`. */
export async function race(company: Company, calls: readonly Call[], ...refusals: RegExp[]): Promise<Answers> {
  const answers = await Promise.all(calls.map(([tool, given]) => company.owner.send(tool, given)))
  const refused = answers.filter(({ isError }) => isError).map(({ text }) => text)
  for (const text of refused)
    assert.ok(
      refusals.some((refusal) => refusal.test(text)),
      text,
    )
  return { ok: answers.filter(({ isError }) => !isError).map(({ text }) => JSON.parse(text) as Result), refused }
}

import type { Caller } from '../../../identity/credentials/caller.ts'
import { openConfirmations } from '../../../identity/credentials/confirm.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import { entities } from '../../../records/index.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { callTool } from '../../../tools/call/call.ts'
import { actionsOf } from '../../../tools/declare/catalog.ts'
import type { Results, Wire } from '../../../tools/declare/results.ts'
import type { PersonName } from '../people.ts'
import { asDeclared } from '../../../tools/declare/inputs.ts'

/** Context for creating the parts of a demo company. */
export type DemoSite = {
  /** Today in the company's time zone. The demo's dates are relative to it. */
  today: Temporal.PlainDate
  /** Ids of the company's people. */
  people: Readonly<Record<PersonName, string>>
  /** Creates a record with a tool, as one of the people. */
  make<W extends Wire>(tool: W, input: object, as?: PersonName): Promise<Results[W]>
  /** Runs an action that only pages have. */
  runAction(action: string, input: object, as?: PersonName): Promise<void>
}

type Settings = { caller: Caller; baseUrl: string; people: DemoSite['people'] }

/** Opens a company for creating records with the tools, as its owner. */
export function openSite(database: Database, { caller, baseUrl, people }: Settings): DemoSite {
  const tools = actionsOf(entities)
  const context = {
    database,
    baseUrl,
    confirm: openConfirmations(database),
    report: (_reference: string, error: unknown): never => {
      throw error
    },
  }
  async function call(tool: string, input: object, as: PersonName): Promise<Record<string, unknown>> {
    const listed = tools.get(tool)
    if (listed === undefined) throw new Error(`The demo needs the tool ${tool}`)
    const answer = await callTool(context, {
      listed,
      caller: { ...caller, user: people[as] },
      client: null,
      input: { ...input },
    })
    if ('refusal' in answer) throw new Error(`${tool} refused the demo's data: ${answer.refusal.message}`)
    if ('fault' in answer) throw new Error(`${tool} failed (reference ${answer.fault.reference})`)
    return answer.result
  }
  return {
    today: todayIn(caller.tenant.timezone),
    people,
    make: (tool, input, as = 'dana') => asDeclared(call(tool, input, as)),
    runAction: async (action, input, as = 'dana') => void (await call(action, input, as)),
  }
}

/** Returns the date a number of working days after another, or before it if negative. */
export function workday(from: Temporal.PlainDate, days: number): Temporal.PlainDate {
  let day = from
  for (let remaining = Math.abs(days); remaining > 0;) {
    day = day.add({ days: Math.sign(days) })
    if (day.dayOfWeek < 6) remaining--
  }
  return day
}

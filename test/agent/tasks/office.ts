import { makeCompany, type Result, type TestService } from '../../harness/harness.ts'
import type { Role } from '../../../src/identity/permissions/areas.ts'
import type { Witness } from '../../harness/clients/witness.ts'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { approveAll } from '../approving.ts'
import { connect, type Agent, type Approver } from '../agent.ts'

/** A task: the initial records, what the agent does, and what the database must contain afterwards. */
export type Task = { name: string; run(office: Office): Promise<void> }

export type Office = Awaited<ReturnType<typeof openOffice>>

const ZONE = 'America/New_York'

/** Makes the agents of an office propose changes. `opensPages` is how the approver gets to the approval page. */
export type Proposing = Pick<Approver, 'opensPages'>

/** Makes a company with people on whose behalf the agents work. */
export async function openOffice(service: TestService, witness: Witness, proposing?: Proposing) {
  const company = await makeCompany(service, { timezone: ZONE })
  const agents: Agent[] = []
  const today = Temporal.Now.plainDateISO(ZONE)

  async function person(name: string, role: Role, scopes?: readonly string[]) {
    const member = await company.member(role, scopes === undefined ? {} : { scopes })
    const email = `${name.toLowerCase().replace(' ', '.')}@${company.tenant.slice(-6)}.example.com`
    await witness.rows('update users set name = $1, email = $2 where id = $3', name, email, member.id)
    return { ...member, name, email, agentKey: await agentKeyOf(member, scopes) }
  }

  /** Makes a key for a person's agent: a proposing key if agents propose, otherwise the person's own. */
  async function agentKeyOf({ id, key }: { id: string; key: string }, scopes: readonly string[] = SCOPES) {
    if (proposing === undefined) return key
    const given = { user: id, name: 'Agent', scopes, proposes: SCOPES, expires_at: null }
    return (await createKey(service.database, { tenant: company.tenant }, given)).key
  }

  async function agentOf({ id, agentKey: key }: { id: string; agentKey: string }): Promise<Agent> {
    const approve = (proposal: string): Promise<void> => approveAll(service, { tenant: company.tenant, id }, proposal)
    const agent = await connect(service.url, key, proposing && { ...proposing, approve })
    agents.push(agent)
    return agent
  }

  return {
    /** Calls a tool as the owner. */
    call: company.call,
    person,
    /** Connects an agent with a person's key. */
    agentOf,
    /** Connects the agent of an office member or of an owner. */
    agent: async (role: Role = 'office'): Promise<Agent> => agentOf(await person('Mia Chen', role)),
    owner: company.owner,
    /** Returns the date a number of days from today. */
    day: (days: number): string => today.add({ days }).toString(),
    /** Returns the first weekday, Monday to Friday, at least that many days from today. */
    workday(days: number): string {
      const { dayOfWeek } = today.add({ days })
      return today.add({ days: days + Math.max(0, 8 - dayOfWeek) * Number(dayOfWeek > 5) }).toString()
    },
    /** Returns the next date on this weekday, at least two days ahead, plus `later` days. 1 is Monday. */
    next: (weekday: number, later = 0): string =>
      today.add({ days: 2 + ((weekday - today.dayOfWeek + 12) % 7) + later }).toString(),
    /** Returns the instant of a time of that day in the office. */
    at: (day: string, time: string): string =>
      Temporal.PlainDateTime.from(`${day}T${time}`)
        .toZonedDateTime(ZONE)
        .toInstant()
        .toString({ smallestUnit: 'millisecond' }),
    /** Reads rows of the company, bypassing every policy. `$1` is the company. */
    rows: (query: string, ...values: unknown[]): Promise<Result[]> => witness.rows(query, company.tenant, ...values),
    /** Digests all tables, to check that nothing was written. */
    digest: witness.digest,
    used: () =>
      agents.reduce((sum, { used }) => ({ calls: sum.calls + used.calls, tokens: sum.tokens + used.tokens }), {
        calls: 0,
        tokens: 0,
      }),
  }
}

/** Formats a date as people in other countries write it. */
export const toDottedDate = (day: string): string => day.split('-').toReversed().join('.')

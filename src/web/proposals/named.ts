import { listedOf, targetOf } from '../../proposals/rehearsal.ts'
import type { ProposedCall } from '../../proposals/proposal.ts'
import { Refusal } from '../../refusal.ts'
import type { Shown } from '../../screens/page_context.ts'
import { wordFor } from '../../screens/states.ts'
import type { MemberContext } from '../member_context.ts'
import { screenOf } from './values.ts'

/** Is what the record of a call is called, the steps of its page where it has one already, and whose it is. */
export type Named = { name: string; href: readonly string[] | undefined; customer: string | undefined }

export const nameOfCall = (names: ReadonlyMap<number, Named>, position: number): string =>
  names.get(position)?.name ?? ''

/** Names the records of calls: those that are there as their pages do, new ones by what they would be called. */
export async function namesOf(context: MemberContext, calls: readonly ProposedCall[]): Promise<Map<number, Named>> {
  const planned = new Map<string, string>()
  const names = new Map<number, Named>()
  for (const call of calls) {
    const { entity, tool } = listedOf(call)
    const { id: made } = call.result as { id?: string }
    const id = made ?? targetOf(call) ?? ''
    const isThere = tool.verb !== 'create' || call.is_applied === true
    const record = isThere ? await recordOf(context, call, id) : undefined
    const own = record === undefined ? plainName(call.result) : screenOf(entity).nameOf(record)
    const name = own ?? planned.get(id) ?? wordFor(entity.singular)
    planned.set(id, name)
    names.set(call.position, {
      name,
      href: record === undefined ? undefined : [entity.name, record.id],
      customer: customerOf(entity.name, call.result) ?? (record && customerOf(entity.name, record)),
    })
  }
  return names
}

async function recordOf(context: MemberContext, call: ProposedCall, id: string): Promise<Shown | undefined> {
  try {
    return await context.callOf(listedOf(call).entity, 'get', { id })
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

type Plain = Readonly<Record<string, unknown>>

function plainName(record: Plain): string | undefined {
  const person = [record['first_name'], record['last_name']].filter((one) => typeof one === 'string').join(' ')
  return [
    record['display_name'],
    record['title'],
    record['name'],
    record['subject'],
    record['formatted_address'],
    person,
    record['body'],
    record['customer_name'],
  ]
    .find((one): one is string => typeof one === 'string' && one !== '')
    ?.slice(0, 80)
}

const customerOf = (entity: string, record: Plain): string | undefined => {
  const name = entity === 'customers' ? record['display_name'] : record['customer_name']
  return typeof name === 'string' ? name : undefined
}

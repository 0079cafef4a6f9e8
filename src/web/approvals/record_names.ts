import { toolOfCall, targetId } from '../../approvals/rehearsal.ts'
import type { ProposedCall } from '../../approvals/proposal.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { RecordView } from '../../records/page/page_context.ts'
import { customerNameIn, nameIn } from '../../records/page/result_card.ts'
import { wordFor } from '../../records/page/states.ts'
import { isDestructive } from '../../tools/declare/define.ts'
import { findNames as namesOfRecords } from '../../undo/names.ts'
import type { MemberContext } from '../member_context.ts'
import { screenOf } from './screen_of.ts'

/** Name of a call's record, the path segments of its page if it exists, and its customer. */
export type RecordLabel = { name: string; href: readonly string[] | undefined; customer: string | undefined }

export const nameOfCall = (names: ReadonlyMap<number, RecordLabel>, position: number): string =>
  names.get(position)?.name ?? ''

/** Names the records of calls: existing ones as on their pages, new ones by the name they would get. */
export async function namesOf(
  context: MemberContext,
  calls: readonly ProposedCall[],
): Promise<Map<number, RecordLabel>> {
  const planned = new Map<string, string>()
  const names = new Map<number, RecordLabel>()
  const removedNames = await findRemovedNames(context, calls)
  for (const call of calls) {
    const { entity, tool } = toolOfCall(call)
    const { id: newId } = call.result as { id?: string }
    const id = newId ?? targetId(call) ?? ''
    const recordExists = tool.verb !== 'create' || call.is_applied === true
    const record = recordExists ? await findRecord(context, call, id) : undefined
    const ownName =
      record === undefined
        ? (nameIn(call.result) ?? removedNames.get(id) ?? removedRecordName(call))
        : screenOf(entity).nameOf(record)
    const name = ownName ?? planned.get(id) ?? wordFor(entity.singular)
    planned.set(id, name)
    names.set(call.position, {
      name,
      href: record === undefined ? undefined : [entity.name, record.id],
      customer: customerNameIn(entity.name, call.result) ?? (record && customerNameIn(entity.name, record)),
    })
  }
  return names
}

async function findRecord(context: MemberContext, call: ProposedCall, id: string): Promise<RecordView | undefined> {
  try {
    return await context.callOf(toolOfCall(call).entity, 'get', { id })
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Finds the names of records that calls removed, which tools no longer return. */
function findRemovedNames(context: MemberContext, calls: readonly ProposedCall[]): Promise<Map<string, string>> {
  const removed = calls.flatMap((call) => {
    const { entity, tool } = toolOfCall(call)
    const id = targetId(call)
    return isDestructive(tool) && id !== undefined ? [{ record_type: entity.singular, record_id: id }] : []
  })
  return removed.length === 0 ? Promise.resolve(new Map()) : context.read((db) => namesOfRecords(db, removed))
}

/** Returns the name of a removed record, from the values its removal recorded. */
const removedRecordName = ({ written }: ProposedCall): string | undefined =>
  nameIn(
    Object.fromEntries(
      Object.entries(written[0]?.changes ?? {}).map(([name, [before, after]]) => [name, before ?? after]),
    ),
  )

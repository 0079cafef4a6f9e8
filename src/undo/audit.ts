import type { Caller } from '../identity/credentials/caller.ts'
import { insertSelected, sql, type Db } from '../platform/db/tenant.ts'
import { entities } from '../records/index.ts'
import { newId } from '../platform/validation/id.ts'
import type { Changes } from '../tools/call/outcome.ts'
import type { AuditedChange, ChangeEntry } from './changes.ts'
import { textBefore } from '../platform/validation/text/before.ts'

/** Writes the audit rows of an undo: one per record, from its values after the changes to those before them. */
export async function auditUndo(db: Db, { user, credential }: Caller, undone: readonly AuditedChange[]): Promise<void> {
  const entries = undone
    .flatMap((auditedChange) => auditedChange.entries)
    .toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1))
  const rows = [...Map.groupBy(entries, ({ record_id }) => record_id)].flatMap(([record, recordEntries]) =>
    recordEntries
      .slice(0, 1)
      .map((first) => ({
        id: newId(),
        tool: toolOf(first),
        type: first.record_type,
        record,
        changed: invertChanges(recordEntries),
      })),
  )
  await db.run(
    insertSelected(sql`insert into audit (tenant_id, id, user_id, credential_id, client, tool, record_type, record_id,
      changed)
    select ${db.tenant}, r.id, ${user}, ${credential.id}, ${authorOf(undone)}, r.tool, r.type, r.record, r.changed
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(id uuid, tool text, type text, record uuid,
      changed jsonb)`),
  )
}

const toolOf = ({ record_type, tool }: ChangeEntry): string =>
  `${entities.find(({ singular }) => singular === record_type)?.name ?? textBefore(tool, '.')}.undo`

/** Merges changes in order into one and reverses it: from the last values to the first. */
function invertChanges(entries: readonly { changed: Changes }[]): Changes {
  const inverted: Record<string, [unknown, unknown]> = {}
  for (const { changed } of entries) {
    for (const [field, [before, after]] of Object.entries(changed))
      inverted[field] = [after, inverted[field] === undefined ? before : inverted[field][1]]
  }
  return Object.fromEntries(
    Object.entries(inverted).filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to)),
  )
}

/** Returns the author of the changes, as the history names them; null if there are several. */
const authorOf = (undone: readonly AuditedChange[]): string | null => {
  const names = new Set(
    undone.flatMap(({ entries }) =>
      entries.map((entry) => (entry.credential_kind === 'browser' ? entry.user_name : entry.credential_name)),
    ),
  )
  const [name = null, ...others] = names
  return others.length === 0 ? name : null
}

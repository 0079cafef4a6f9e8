import { entryOf, type Caller } from '../../identity/credentials/caller.ts'
import { readTenant } from '../../platform/db/tenant.ts'
import { isId } from '../../platform/validation/id.ts'
import { attempt, callTool, isFailed } from '../../tools/call/call.ts'
import type { ToolContext } from '../../tools/call/context.ts'
import type { ToolCatalog, ListedTool } from '../../tools/declare/catalog.ts'
import type { RunContext, Entity, RecentRecord } from '../../tools/declare/define.ts'
import { visibleText } from '../protocol/hidden_characters.ts'
import type { Fields } from '../protocol/jsonrpc.ts'
import { failureReply } from '../protocol/failure_reply.ts'
import type { CallMeta, Reply } from '../protocol/types.ts'
import { customerTextMeta, toolText } from '../words.ts'
import { recordMarkdown } from './record_markdown.ts'

/** Kind of record that can be read by URI: its get tool, its recently changed records, and the prefix of its URIs. */
export type Kind = ListedTool & Required<Pick<Entity, 'recent'>> & { uriPrefix: string }

/** Maximum number of records of each kind in the list (docs/spec/tools.md#resource-list). */
const MAX_LISTED = 25
const mimeType = 'application/json'
const MARKDOWN = '.md'

/** Returns the kinds whose entity lists its recently changed records, in the order of the catalog. */
export const kindsOf = ({ tools }: ToolCatalog, scheme: string): Kind[] =>
  [...tools.values()].flatMap((listed) => {
    const {
      tool,
      entity: { recent, singular },
    } = listed
    return tool.verb === 'get' && recent !== undefined
      ? [{ ...listed, recent, uriPrefix: `${scheme}://${singular}/` }]
      : []
  })

export const templateUri = ({ uriPrefix }: Kind): string => `${uriPrefix}{id}`

export const templateOf = (kind: Kind): Fields => ({
  uriTemplate: templateUri(kind),
  name: kind.entity.singular,
  title: titleOf(kind.entity.singular),
  description: kind.tool.description,
  mimeType,
})

const titleOf = (singular: string): string => singular.charAt(0).toUpperCase() + singular.slice(1).replaceAll('_', ' ')

/** Reads a record with its get tool: as JSON, or as Markdown if `.md` follows the id. */
export async function readRecord(
  context: ToolContext,
  kind: Kind,
  caller: Caller,
  uri: string,
  { client, deadline }: Pick<CallMeta, 'client' | 'deadline'>,
): Promise<Reply> {
  const recordPath = uri.slice(kind.uriPrefix.length).toLowerCase()
  const isText = recordPath.endsWith(MARKDOWN)
  const id = isText ? recordPath.slice(0, -MARKDOWN.length) : recordPath
  if (!isId(id)) {
    await context.confirm(caller)
    return absent
  }
  const call = { listed: kind, caller, client, input: { id }, deadline }
  const answer = await callTool(context, call)
  const { text, code, customerText = [] } = toolText(answer, call)
  if (isFailed(answer)) return code === 'internal' ? { refused: 'internal', message: text } : absent
  const content = isText
    ? { mimeType: 'text/markdown', text: recordMarkdown(kind.entity, answer.result) }
    : { mimeType, text, ...customerTextMeta(customerText) }
  return { result: { contents: [{ uri, ...content }] } }
}

/** Not-found answer. It doesn't reveal whether the resource never existed, is archived or is another tenant's. */
export const absent: Reply = { refused: 'absent', message: 'Resource not found' }

/**
 * Lists recent records of all kinds in one round trip, then `others`. Silently skips kinds outside the caller's scopes.
 */
export async function listRecent(
  context: ToolContext,
  kinds: readonly Kind[],
  caller: Caller,
  others: readonly Fields[],
): Promise<Reply> {
  const readable = kinds.filter(({ scope }) => caller.scopes.has(scope))
  if (readable.length === 0) await context.confirm(caller)
  const done = await attempt(context, caller, async () => {
    const recent = await recentOf(context, readable, caller, MAX_LISTED)
    const records = recent.flatMap(({ kind, records }) => records.map((record) => resourceOf(kind, record)))
    return { result: { resources: [...records, ...others] } }
  })
  return isFailed(done) ? failureReply(done) : done
}

/** Returns the most recently changed records of each kind. */
export const recentOf = (
  { database, baseUrl }: ToolContext,
  kinds: readonly Kind[],
  caller: Caller,
  limit: number,
): Promise<{ kind: Kind; records: RecentRecord[] }[]> =>
  readTenant(database, entryOf(caller), (db) => {
    const context: RunContext = { db, caller, baseUrl }
    return Promise.all(kinds.map(async (kind) => ({ kind, records: await kind.recent(context, limit) })))
  })

/** Describes a record in the few fields a person needs to choose it; a model may receive a hundred of them. */
const resourceOf = ({ uriPrefix }: Kind, { id, title, description }: RecentRecord): Fields => ({
  uri: uriPrefix + id,
  name: visibleText(title),
  description: visibleText(description),
})

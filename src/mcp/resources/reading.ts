import { entryOf, type Caller } from '../../identity/credentials/caller.ts'
import { readTenant } from '../../platform/db/tenant.ts'
import { attempt, isFailed } from '../../tools/call/call.ts'
import type { ToolContext } from '../../tools/call/context.ts'
import type { ToolCatalog } from '../../tools/declare/catalog.ts'
import type { Completer } from '../completions.ts'
import type { Fields } from '../protocol/jsonrpc.ts'
import { failureReply } from '../protocol/failure_reply.ts'
import type { CallMeta, Reply } from '../protocol/types.ts'
import { OVERVIEWS_SCHEME, type Overview } from './overview.ts'
import { OVERVIEWS } from './overviews.ts'
import { absent } from './records.ts'
import { customerTextMeta } from '../words.ts'
import { customerColumnsOf, sheetJson, sheetMarkdown, type OverviewSheet } from './sheet.ts'

type Tools = ToolCatalog['tools']

/** Overview at an address, with its variables and the requested format. */
type RequestedOverview = { overview: Overview; variables: Readonly<Record<string, string>>; isJson: boolean }

/** Maximum length of an address; no overview has a longer one. */
const MAX_URI_LENGTH = 200

/** Returns the overview at an address, or undefined. */
export function overviewAt(uri: string): RequestedOverview | undefined {
  if (!uri.startsWith(OVERVIEWS_SCHEME) || uri.length > MAX_URI_LENGTH) return undefined
  const [, path = '', ending = ''] = /^(.*?)(\.md|\.json)?$/s.exec(uri.slice(OVERVIEWS_SCHEME.length)) ?? []
  for (const overview of OVERVIEWS) {
    const variables = variablesIn(overview.path, path)
    if (variables !== undefined) return { overview, variables, isJson: ending === '.json' }
  }
  return undefined
}

function variablesIn(template: string, path: string): Record<string, string> | undefined {
  const [pattern, steps] = [template.split('/'), path.split('/')]
  if (pattern.length !== steps.length) return undefined
  const variables: Record<string, string> = {}
  for (const [i, step] of pattern.entries()) {
    if (step.startsWith('{')) variables[step.slice(1, -1)] = (steps[i] ?? '').toLowerCase()
    else if (step !== steps[i]) return undefined
  }
  return variables
}

const hasVariables = ({ path }: Overview): boolean => path.includes('{')

/**
 * Checks whether a caller may read an overview: its additional scope and all its tools, or any get tool if it names no
 * tools.
 */
export function mayReadOverview(tools: Tools, caller: Caller, overview: Overview): boolean {
  if (overview.scope !== undefined && !caller.scopes.has(overview.scope)) return false
  if (overview.tools.length > 0) return overview.tools.every((wire) => mayRead(tools, caller, wire))
  return [...tools.values()].some(({ tool, scope }) => tool.verb === 'get' && caller.scopes.has(scope))
}

function mayRead(tools: Tools, caller: Caller, wire: string): boolean {
  const listed = tools.get(wire)
  return listed !== undefined && caller.scopes.has(listed.scope)
}

/** Describes the overviews with a fixed address that a caller may read, for the list of resources. */
export const listOverviews = (tools: Tools, caller: Caller): Fields[] =>
  OVERVIEWS.filter((overview) => !hasVariables(overview) && mayReadOverview(tools, caller, overview)).map(
    (overview) => ({ uri: OVERVIEWS_SCHEME + overview.path, ...describeOverview(overview) }),
  )

/** Describes the overviews with variables that a caller may read, as templates. */
export const overviewTemplates = (tools: Tools, caller: Caller): Fields[] =>
  OVERVIEWS.filter((overview) => hasVariables(overview) && mayReadOverview(tools, caller, overview)).map(
    (overview) => ({ uriTemplate: OVERVIEWS_SCHEME + overview.path, ...describeOverview(overview) }),
  )

/** Returns the overview templates that a caller may read, with the completions of their variables. */
export const readableTemplates = (
  tools: Tools,
  caller: Caller,
): { uri: string; variables: string[]; completes: Readonly<Record<string, Completer | undefined>> }[] =>
  OVERVIEWS.filter((overview) => hasVariables(overview) && mayReadOverview(tools, caller, overview)).map(
    ({ path, completes = {} }) => ({
      uri: OVERVIEWS_SCHEME + path,
      variables: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      completes,
    }),
  )

const describeOverview = ({ name, title, description }: Overview): Fields => ({
  name,
  title,
  description,
  mimeType: 'text/markdown',
})

/** Reads the sheet of an overview in one transaction, under the caller's current rights. */
export async function readSheet(
  { database, baseUrl }: Pick<ToolContext, 'database' | 'baseUrl'>,
  tools: Tools,
  caller: Caller,
  { overview, variables }: RequestedOverview,
  options?: CallMeta['deadline'],
): Promise<OverviewSheet | undefined> {
  const sheet = await readTenant(database, { ...entryOf(caller), ...(options && { options }) }, (db) =>
    overview.read({ db, caller, baseUrl, tools, may: (wire) => mayRead(tools, caller, wire) }, variables),
  )
  return typeof sheet === 'function' ? sheet() : sheet
}

/** Reads an overview as Markdown or JSON. */
export async function readOverview(
  context: ToolContext,
  tools: Tools,
  caller: Caller,
  uri: string,
  requested: RequestedOverview,
  { deadline }: Pick<CallMeta, 'deadline'>,
): Promise<Reply> {
  const reply = await attempt(context, caller, async (): Promise<Reply> => {
    const sheet = mayReadOverview(tools, caller, requested.overview)
      ? await readSheet(context, tools, caller, requested, deadline)
      : undefined
    if (sheet === undefined) {
      await context.confirm(caller)
      return absent
    }
    const content = requested.isJson
      ? { mimeType: 'application/json', text: sheetJson(sheet), ...customerTextMeta(customerColumnsOf(sheet)) }
      : { mimeType: 'text/markdown', text: sheetMarkdown(sheet) }
    return { result: { contents: [{ uri, ...content }] } }
  })
  if (!isFailed(reply)) return reply
  return 'refusal' in reply && reply.refusal.code === 'not_found' ? absent : failureReply(reply)
}

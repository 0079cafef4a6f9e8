import type { Caller } from '../../identity/credentials/caller.ts'
import { invalid, type Refusal } from '../../platform/errors/refusal.ts'
import { nearestName } from '../../platform/validation/text/nearest.ts'
import { attempt, isFailed } from '../../tools/call/call.ts'
import type { ToolContext } from '../../tools/call/context.ts'
import type { ToolCatalog } from '../../tools/declare/catalog.ts'
import type { ToolAccess } from './tool_access.ts'
import { NO_COMPLETION, idsOf, type Completer, type SearchTool } from '../completions.ts'
import { requireScope } from '../prompts.ts'
import type { Prompt } from '../prompts/prompt.ts'
import { failureReply } from '../protocol/failure_reply.ts'
import { readableTemplates } from '../resources/reading.ts'
import { templateUri, type Kind } from '../resources/records.ts'
import type { CompletionRequest, ToolServer } from '../protocol/types.ts'
import { unknownName } from '../protocol/unknown_name.ts'

type CompletionContext = {
  context: ToolContext
  catalog: ToolCatalog
  kinds: readonly Kind[]
  prompts: ReadonlyMap<string, Prompt>
  toolAccessOf(caller: Caller): ToolAccess
}

/**
 * Completes prompt arguments and template ids with what the caller may read. The credential is checked first, since
 * some completions read no tenant row.
 */
export const newCompleter =
  ({ context, catalog, kinds, prompts, toolAccessOf }: CompletionContext): ToolServer<Caller>['complete'] =>
  async (caller, completing) => {
    const done = await attempt(context, caller, async () => {
      await context.confirm(caller)
      const complete =
        completing.of === 'prompt'
          ? promptCompleter(caller, prompts, completing)
          : templateCompleter(caller, kinds, catalog, completing)
      return {
        result: {
          completion:
            complete === undefined
              ? NO_COMPLETION
              : await complete(toolAccessOf(caller), completing.typed, completing.others),
        },
      }
    })
    return isFailed(done) ? failureReply(done) : done
  }

/** Returns the completion of a prompt's argument; undefined if only the person knows the value. */
function promptCompleter(
  caller: Caller,
  prompts: CompletionContext['prompts'],
  { name, argument }: CompletionRequest,
): Completer | undefined {
  const prompt = prompts.get(name)
  if (prompt === undefined) throw unknownRefusal('prompt', name, [...prompts.keys()])
  requireScope(caller, prompt)
  if (!Object.hasOwn(prompt.input.shape, argument))
    throw unknownRefusal('argument', argument, Object.keys(prompt.input.shape))
  return Object.hasOwn(prompt.completes, argument) ? prompt.completes[argument] : undefined
}

/** Returns the completion of a template's variable; undefined for a kind of record that the caller may not read. */
function templateCompleter(
  caller: Caller,
  kinds: readonly Kind[],
  { tools }: ToolCatalog,
  { name, argument }: CompletionRequest,
): Completer | undefined {
  const { scopes } = caller
  const templates = readableTemplates(tools, caller)
  const template = templates.find((one) => one.uri === name)
  if (template !== undefined) {
    if (!template.variables.includes(argument)) throw unknownRefusal('argument', argument, template.variables)
    return template.completes[argument]
  }
  const kind = kinds.find((one) => templateUri(one) === name)
  if (kind === undefined)
    throw unknownRefusal('resource template', name, [...kinds.map(templateUri), ...templates.map(({ uri }) => uri)])
  if (argument !== 'id') throw unknownRefusal('argument', argument, ['id'])
  const search = `${kind.entity.name}_search`
  return scopes.has(kind.scope) ? idsOf(kind.entity.singular, isTool(tools, search) ? search : undefined) : undefined
}

const isTool = (tools: ToolCatalog['tools'], search: string): search is SearchTool => tools.has(search)

function unknownRefusal(kind: string, name: string, names: readonly string[]): Refusal {
  return invalid(unknownName(kind, name, (one) => nearestName(one, names), `valid names: ${names.join(', ')}`))
}

import type { Caller } from '../../identity/credentials/caller.ts'
import { invalid, type Refusal } from '../../platform/errors/refusal.ts'
import { nearestName } from '../../platform/validation/text/nearest.ts'
import { attempt, isFailed } from '../../tools/call/call.ts'
import type { ToolContext } from '../../tools/call/context.ts'
import type { ToolCatalog } from '../../tools/declare/catalog.ts'
import type { Asker } from './asker.ts'
import { NO_COMPLETION, idsOf, type Complete, type SearchTool } from '../completions.ts'
import { requireScope } from '../prompts.ts'
import type { Prompt } from '../prompts/prompt.ts'
import { failureReply } from '../protocol/failure_reply.ts'
import { openTemplates } from '../resources/reading.ts'
import { templateUri, type Kind } from '../resources/records.ts'
import type { CompletionRequest, ToolServer } from '../protocol/types.ts'
import { unknownName } from '../protocol/unknown_name.ts'

type CompletionContext = {
  place: ToolContext
  catalog: ToolCatalog
  kinds: readonly Kind[]
  prompts: ReadonlyMap<string, Prompt>
  askerOf(caller: Caller): Asker
}

/**
 * Completes prompt arguments and template ids with what the caller may read. The credential is checked first, since
 * some completions read no tenant row.
 */
export const newCompleter =
  ({ place, catalog, kinds, prompts, askerOf }: CompletionContext): ToolServer<Caller>['complete'] =>
  async (caller, completing) => {
    const done = await attempt(place, caller, async () => {
      await place.confirm(caller)
      const complete =
        completing.of === 'prompt'
          ? ofPrompt(caller, prompts, completing)
          : ofTemplate(caller, kinds, catalog, completing)
      return {
        result: {
          completion:
            complete === undefined
              ? NO_COMPLETION
              : await complete(askerOf(caller), completing.typed, completing.others),
        },
      }
    })
    return isFailed(done) ? failureReply(done) : done
  }

/** Returns the completion of a prompt's argument; undefined if only the person knows the value. */
function ofPrompt(
  caller: Caller,
  prompts: CompletionContext['prompts'],
  { name, argument }: CompletionRequest,
): Complete | undefined {
  const prompt = prompts.get(name)
  if (prompt === undefined) throw unknownRefusal('prompt', name, [...prompts.keys()])
  requireScope(caller, prompt)
  if (!Object.hasOwn(prompt.input.shape, argument))
    throw unknownRefusal('argument', argument, Object.keys(prompt.input.shape))
  return Object.hasOwn(prompt.completes, argument) ? prompt.completes[argument] : undefined
}

/** Returns the completion of a template's variable; undefined for a kind of record that the caller may not read. */
function ofTemplate(
  caller: Caller,
  kinds: readonly Kind[],
  { tools }: ToolCatalog,
  { name, argument }: CompletionRequest,
): Complete | undefined {
  const { scopes } = caller
  const templates = openTemplates(tools, caller)
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
  return scopes.has(kind.scope) ? idsOf(kind.entity.singular, isThere(tools, search) ? search : undefined) : undefined
}

const isThere = (tools: ToolCatalog['tools'], search: string): search is SearchTool => tools.has(search)

function unknownRefusal(kind: string, name: string, names: readonly string[]): Refusal {
  return invalid(unknownName(kind, name, (one) => nearestName(one, names), `there are ${names.join(', ')}`))
}

import type { Caller } from '../access/credentials/caller.ts'
import { entities } from '../entities/index.ts'
import { callTool } from '../tools/call.ts'
import type { ToolContext } from '../tools/context.ts'
import { catalogueOf, partOf, type Catalogue } from '../tools/catalogue.ts'
import { VERSION } from '../version.ts'
import { askerFor } from './asker.ts'
import { completedBy } from './completing.ts'
import { instructions } from './instructions.ts'
import { promptsFor, promptsOf } from './prompts.ts'
import { kindsOf, resourcesOf } from './resources.ts'
import type { ToolServer } from './types.ts'
import { toolText } from './words.ts'

/** Returns the tools of the service, with the resources and prompts that go with them; `name` is also the scheme of its URIs. */
export function toolServer(
  context: ToolContext,
  name: string,
  catalogue: Catalogue = catalogueOf(entities),
): ToolServer<Caller> {
  const kinds = kindsOf(catalogue, name)
  const prompts = promptsFor(catalogue)
  const askerOf = (caller: Caller) => askerFor(context, catalogue, kinds, caller)
  return {
    name,
    version: VERSION,
    instructions,
    toolsJson: JSON.stringify(catalogue.descriptions),
    hasTool: (tool) => catalogue.tools.has(tool),
    bytesOf: (tool) => catalogue.tools.get(tool)!.tool.extent.bytes,
    nearestTool: catalogue.nearest,
    toolsets: entities.map((entity) => entity.name),
    only: (part) => toolServer(context, name, partOf(catalogue, part)),
    async callTool(caller, tool, given, { client, deadline }) {
      const call = { listed: catalogue.tools.get(tool)!, caller, client, given, deadline }
      const { text, code } = toolText(await callTool(context, call), call)
      return { result: { content: [{ type: 'text', text }], isError: code !== undefined }, code }
    },
    resources: resourcesOf(context, kinds),
    prompts: promptsOf(context, prompts, askerOf),
    complete: completedBy({ place: context, catalogue, kinds, prompts, askerOf }),
  }
}

import { entities } from '../../records/index.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import { words } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { toolCatalogOf, type ListedTool } from '../../tools/declare/catalog.ts'
import type { Entity } from '../../tools/declare/define.ts'

type Schema = {
  type?: string
  description?: string
  enum?: readonly string[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}

/** Returns the reference of an entity's tools, from the same declarations as the tool endpoint. */
export function toolsOf(entity: Entity): Html {
  const { tools, descriptions } = toolCatalogOf(entities)
  const schemas = new Map(descriptions.map(({ name, inputSchema }) => [name, inputSchema as Schema]))
  return html`
<header class="page-head"><h1>${words(entity.name)}</h1></header>
<p class="lead">Permission area: ${entity.area}.</p>
${[...tools.values()]
  .filter((listed) => listed.entity === entity)
  .map((listed) => toolPart(listed, schemas.get(listed.wire)!))}`
}

const toolPart = ({ wire, canonical, scope, tool }: ListedTool, schema: Schema): Html =>
  part(
    wire,
    html`
<p>${tool.title}. ${tool.description}</p>
<p class="help"><code>${canonical}</code> in the audit log. Requires <code>${scope}</code>${
      tool.person ? " and a user: company keys can't call it" : ''
    }.</p>
${table({
  caption: `Fields of ${wire}`,
  isCaptionHidden: true,
  rows: Object.entries(schema.properties ?? {}),
  empty: 'No fields.',
  columns: [
    {
      label: 'Field',
      cell: ([name]) => html`<code>${name}</code>${schema.required?.includes(name) === true ? ' (required)' : ''}`,
    },
    { label: 'Type', cell: ([, field]) => typeOf(field) },
    { label: 'Description', cell: ([, field]) => field.description ?? '' },
  ],
})}`,
  )

const typeOf = ({ type = 'any', enum: names, items }: Schema): string =>
  names !== undefined ? names.join(', ') : type === 'array' ? `list of ${typeOf(items ?? {})}` : type

import { entities } from '../src/records/index.ts'
import { promptsFor } from '../src/mcp/prompts.ts'
import { OVERVIEWS_SCHEME } from '../src/mcp/resources/overview.ts'
import { OVERVIEWS } from '../src/mcp/resources/overviews.ts'
import { kindsOf, templateUri } from '../src/mcp/resources/records.ts'
import { toolCatalogOf, type ToolDescription, type ListedTool } from '../src/tools/declare/catalog.ts'

type Schema = {
  type?: string
  description?: string
  enum?: string[]
  format?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

const catalog = toolCatalogOf(entities)

/** Returns a snapshot per tool, exactly as clients see it, by file name. */
export const snapshots = (): Map<string, string> =>
  new Map(
    catalog.descriptions.map((description) => [
      `${description.name}.json`,
      `${JSON.stringify(description, null, 2)}\n`,
    ]),
  )

/** Returns the tool reference, `docs/tools.md`. */
export function reference(): string {
  const parts = entities.map((entity) => {
    const listed = [...catalog.tools.values()].filter((one) => one.entity === entity)
    return [
      `## ${heading(entity.name)}`,
      '',
      ...listed.flatMap((one) =>
        section(
          one,
          catalog.descriptions.find(({ name }) => name === one.wire)!,
        ),
      ),
    ].join('\n')
  })
  return [
    '# Tools',
    '',
    'Generated from the declarations by `npm run generate`; a test fails when it is stale. A field marked * is required.',
    "U: needs a user; a tenant key can't call it.",
    '',
    'A list with `updated_since` goes from the oldest change to the newest; go on from the `updated_at` of the last row. With `include_removed` every row has',
    'its `updated_at`, and a row `{id, removed: true, updated_at}` tells of each record that left the list since: it was archived, voided or deleted, taken',
    'back by its series, or its customer was archived. One that a filter merely fits no more is not told of. What was deleted is told of for 30 days.',
    '',
    ...parts,
    ...resources(),
    ...prompts(),
  ].join('\n')
}

function resources(): string[] {
  const rows = kindsOf(catalog, 'svc').map(
    (kind) => `| \`${templateUri(kind)}\` | ${kind.canonical} | \`${kind.scope}\` |`,
  )
  return [
    '## Resources',
    '',
    'Records by URI, with the answer of the tool; `resources/list` names the 25 of each kind that changed last.',
    '',
    '| URI | As | |',
    '|---|---|---|',
    ...rows,
    '',
    '## Overviews',
    '',
    'Answers to usual questions, in one read; Markdown, or JSON with `.json` behind the address.',
    '',
    '| URI | Says | For who may call |',
    '|---|---|---|',
    ...OVERVIEWS.map(
      ({ path, says, tools }) =>
        `| \`${OVERVIEWS_SCHEME}${path}\` | ${says} | ${tools.length === 0 ? 'the tool that gets the record' : tools.join(', ')} |`,
    ),
    '',
  ]
}

function prompts(): string[] {
  const rows = [...promptsFor(catalog).values()].map(({ name, says, scopes, input }) => {
    const fields = Object.entries(input.shape).map(([field, type]) =>
      type.safeParse(undefined).success ? field : `${field}*`,
    )
    return `| \`${name}\` | ${fields.join(', ')} | ${says} | ${scopes.map((scope) => `\`${scope}\``).join(', ')} |`
  })
  return ['## Prompts', '', '| Prompt | Arguments | | |', '|---|---|---|---|', ...rows, '']
}

function section(
  { tool, canonical, wire, scope }: ListedTool,
  { inputSchema, annotations }: ToolDescription,
): string[] {
  const marks = [`\`${scope}\``, ...(tool.person ? ['U'] : []), ...(annotations.destructiveHint ? ['destructive'] : [])]
  return [
    `### ${wire}`,
    '',
    `\`${canonical}\`: ${tool.title}. ${tool.description} (${marks.join(', ')})`,
    '',
    ...table(inputSchema),
    '',
  ]
}

function table({ properties = {}, required = [] }: Schema): string[] {
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `| ${name}${required.includes(name) ? '*' : ''} | ${typeOf(field)} | ${field.description ?? ''} |`,
  )
  return rows.length === 0 ? ['No input.'] : ['| Field | Type | |', '|---|---|---|', ...rows]
}

function typeOf({ type, enum: names, format, items, properties }: Schema): string {
  if (names !== undefined) return names.join(', ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeOf(items)}`
  if (properties !== undefined) return `{ ${Object.keys(properties).join(', ')} }`
  return format ?? type ?? ''
}

const heading = (name: string): string => name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' ')

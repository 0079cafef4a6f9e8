import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const src = join(import.meta.dirname, '..', '..', '..', 'src')

/** Files that call a tool and pass on its result as values. */
const CALLERS = [
  'cli/demo/work/site.ts',
  'mcp/resources/records.ts',
  'mcp/rounds/open_tool_access.ts',
  'mcp/tool_server.ts',
  'tools/call/call.ts',
  'web/member_context.ts',
]

async function filesWith(pattern: string, words: RegExp): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob(pattern, { cwd: src })) {
    if (!/\.(test|fake)\.ts$/.test(path) && words.test(await readFile(join(src, path), 'utf8'))) found.push(path)
  }
  return found.sort()
}

describe('tool results', () => {
  it('are never parsed from JSON in records, MCP, pages and the demo, except in four listed files', async () => {
    assert.deepEqual(await filesWith('{records,mcp,web,cli/demo}/**/*.ts', /JSON\.parse/), [
      'records/fields/custom_field.ts',
      'records/line_items/line.ts',
      'web/flash_message.ts',
      // Its own stored progress.
      'web/records/list/bulk_run.ts',
    ])
  })

  it('are requested only in the listed files, never by an untyped tool name', async () => {
    assert.deepEqual(
      await filesWith(
        '**/*.ts',
        /import \{[^}]*\bcallTool\b[^}]*\} from '[./]*(?:tools\/call\/)?call\.ts'|export async function callTool\(context/,
      ),
      CALLERS,
    )
    assert.deepEqual(await filesWith('**/*.ts', /\.call<|\.ask</), [])
  })
})

describe('a refusal', () => {
  it('is assigned to a form field by its path, never by parsing its sentence', async () => {
    assert.deepEqual(
      await filesWith(
        '{records,tools}/**/*.ts',
        /(?<!issue\.)\bmessage\.(match|replace|split|slice|startsWith|indexOf)/,
      ),
      [],
    )
    assert.deepEqual(await filesWith('records/form/problems.ts', /message|\.exec\(|\.match\(/), [])
  })
})

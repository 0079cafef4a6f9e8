import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const src = join(import.meta.dirname, '..', '..', '..', 'src')

/** Files that call a tool and pass its answer on as values. */
const CALLERS = [
  'cli/demo/work/site.ts',
  'mcp/resources/records.ts',
  'mcp/rounds/askers.ts',
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

describe('what a tool answers', () => {
  it('reaches pages, prompts and the demo as values: none of them reads JSON', async () => {
    assert.deepEqual(await filesWith('{records,mcp,web,cli/demo}/**/*.ts', /JSON\.parse/), [
      'records/fields/custom_field.ts',
      'records/line_items/line.ts',
      'web/flash_message.ts',
      // Its own progress, which it stored before.
      'web/records/list/bulk_run.ts',
    ])
  })

  it('is asked for in few places, and pages name it by what the declarations know', async () => {
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
  it('is placed by its paths; no sentence is taken apart', async () => {
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

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '..', '..')
const SOURCES = ['src/**/*.{ts,sql}', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', 'public/**/*.{js,css}']
const PAGES = ['*.md', 'docs/**/*.md']

/** New paths within docs/ of pages that an applied migration cites. A migration's text never changes. */
const MOVED: Readonly<Record<string, string>> = { 'distributed.md': 'operating/citus.md' }

async function textsOf(patterns: readonly string[]): Promise<[path: string, text: string][]> {
  const found: [string, string][] = []
  for await (const path of glob([...patterns], { cwd: root }))
    found.push([path, await readFile(join(root, path), 'utf8')])
  return found
}

/** Returns the anchors of a page as Markdown renderers make them: lower case, dashes for blanks, no punctuation. */
async function anchorsOf(path: string): Promise<ReadonlySet<string>> {
  const text = (await readFile(join(root, path), 'utf8')).replace(/^```.*?^```/gms, '')
  const seen = new Map<string, number>()
  return new Set(
    [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) => {
      const slug = heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-')
      const times = seen.get(slug) ?? 0
      seen.set(slug, times + 1)
      return times === 0 ? slug : `${slug}-${times}`
    }),
  )
}

/** Returns the problem with a reference to a page. Undefined if it resolves. */
async function fault(page: string, anchor: string | undefined): Promise<string | undefined> {
  if (!existsSync(join(root, page))) return `there is no ${page}`
  if (anchor === undefined || !page.endsWith('.md')) return undefined
  return (await anchorsOf(page)).has(anchor) ? undefined : `${page} has no heading for #${anchor}`
}

describe('a citation', () => {
  it('in source code points to an existing page and heading', async () => {
    const wrong: string[] = []
    let cited = 0
    for (const [path, text] of await textsOf(SOURCES)) {
      for (const [, page, anchor] of text.matchAll(/\b(docs\/[\w/.-]+\.md)(?:#([\w-]+))?/g)) {
        cited += 1
        const moved = path.endsWith('.sql') ? MOVED[page!.replace(/^docs\//, '')] : undefined
        const problem = await fault(moved === undefined ? page! : `docs/${moved}`, anchor)
        if (problem !== undefined) wrong.push(`${path}: ${problem}`)
      }
    }
    assert.ok(cited > 100)
    assert.deepEqual(wrong, [])
  })

  it('never names a section of a specification page by its number', async () => {
    const wrong: string[] = []
    for (const [path, text] of await textsOf(SOURCES.filter((pattern) => !pattern.includes('sql')))) {
      for (const [said] of text.matchAll(
        /\b(?:interface|records|money|recurrence|mcp|oauth|webhooks|operation|design|findings)(?:\.md)?,? \d+(?:\.\d+)+\b/g,
      ))
        wrong.push(`${path}: ${said}`)
    }
    assert.deepEqual(wrong, [])
  })
})

describe('a link', () => {
  it('on a documentation page points to an existing file and heading', async () => {
    const wrong: string[] = []
    for (const [path, text] of await textsOf(PAGES)) {
      for (const [, target] of text.replace(/^```.*?^```/gms, '').matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target!)) continue
        const [to = '', anchor] = target!.split('#')
        const problem = await fault(to === '' ? path : relative(root, join(root, dirname(path), to)), anchor)
        if (problem !== undefined) wrong.push(`${path}: ${problem}`)
      }
    }
    assert.deepEqual(wrong, [])
  })
})

import assert from 'node:assert/strict'
import { glob, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { root } from '../harness/repository.ts'

const folder = join(root, 'docs', 'guide')

const MAX_PICTURES = 20
const MAX_PICTURE_BYTES = 60_000
const MAX_WORDS = 500

describe('the guide', () => {
  const pages = new Map<string, string>()
  before(async () => {
    for await (const path of glob('*.md', { cwd: folder })) pages.set(path, await readFile(join(folder, path), 'utf8'))
  })

  it('has only pages of at most 500 words, each linked from its README.md', () => {
    assert.ok(pages.size > 10)
    const first = pages.get('README.md') ?? ''
    for (const [path, text] of pages) {
      assert.ok(text.split(/\s+/).length <= MAX_WORDS, path)
      if (path !== 'README.md') assert.ok(first.includes(`](${path})`), path)
    }
  })

  it('shows each of its at most 20 pictures once, each under 60 kB (node scripts/guide_pictures.ts)', async () => {
    const pictures = [...pages.values()].flatMap((text) =>
      [...text.matchAll(/(?:\]\(|src=")pictures\/([\w-]+\.webp)/g)].map(([, name = '']) => name),
    )
    const names = await readdir(join(folder, 'pictures'))
    assert.ok(names.length <= MAX_PICTURES)
    assert.deepEqual(pictures.toSorted(), names.toSorted())
    for (const name of names) assert.ok((await stat(join(folder, 'pictures', name))).size < MAX_PICTURE_BYTES, name)
  })
})

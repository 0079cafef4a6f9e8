import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const folder = new URL('../../../public/', import.meta.url).pathname

/** Style sheets of pages. Cards are excluded: the assistant's chat sets their colors and sizes. */
const sheets = globSync('**/*.css', { cwd: folder })
  .filter((name) => !name.startsWith('cards/'))
  .map((name) => ({ name, text: readFileSync(folder + name, 'utf8').replace(/\/\*[^]*?\*\//g, '') }))

/** Lists matches of a pattern outside of the tokens, with their sheet. */
const findAll = (pattern: RegExp): string[] =>
  sheets
    .filter(({ name }) => name !== 'tokens.css')
    .flatMap(({ name, text }) => [...text.matchAll(pattern)].map(([match]) => `${name}: ${match}`))

describe('style sheets', () => {
  it('use only declared custom properties', () => {
    const all = sheets.map(({ text }) => text).join('\n')
    const declared = new Set([...all.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name))
    const used = [...all.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name)
    assert.deepEqual(
      used.filter((name) => !declared.has(name)),
      [],
    )
  })

  it('use only the type sizes of the tokens, with one exception', () => {
    const sizes = findAll(/(?:font-size|font): (?:\d+ )?(?:clamp\([^)]*\)|\d*\.?\d+(?:rem|px))/g)
    // Six menu entries fit side by side on the narrowest phone.
    assert.deepEqual(sizes, ['shell.css: font: 500 clamp(.625rem, 3vw, var(--t1)'])
  })

  it('use colors only from the tokens, except for documents and signatures', () => {
    const colors = findAll(/[^\w-](#[0-9a-f]{3,8}\b|rgb\([^)]*\))/g)
    assert.deepEqual(
      colors.filter(
        (one) =>
          !/^(?:pages\/paper\.css|customer_portal\/customer\.css|mobile\/field\.css|pages\/settings\.css): #?/.test(
            one,
          ),
      ),
      [],
    )
    const onPaper = colors.filter((one) => !one.startsWith('pages/paper.css'))
    for (const one of onPaper) assert.match(one, /#fff$|#17211f$/)
  })

  it('use only the shadows of the tokens, outlines and inset shadows', () => {
    const shadows = findAll(/box-shadow: [^;}]*/g).map((one) => one.replace(/^.*: box-shadow: /, '').trim())
    const allowed =
      /^(?:none|var\(--(?:shade|lift)\)|0 0 0 (?:\d+px|100vmax) var\(--[\w-]+\)(?:, var\(--lift\))?|inset .*)$/
    assert.deepEqual(
      shadows.filter((one) => !allowed.test(one)),
      [],
    )
  })
})

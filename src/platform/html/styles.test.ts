import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const folder = new URL('../../../public/', import.meta.url).pathname

/** Style sheets of pages. A card stands in the chat of an assistant, which brings its own colors and sizes. */
const sheets = globSync('**/*.css', { cwd: folder })
  .filter((name) => !name.startsWith('cards/'))
  .map((name) => ({ name, text: readFileSync(folder + name, 'utf8').replace(/\/\*[^]*?\*\//g, '') }))

/** Lists what a pattern finds outside of the tokens, with its sheet. */
const findAll = (pattern: RegExp): string[] =>
  sheets
    .filter(({ name }) => name !== 'tokens.css')
    .flatMap(({ name, text }) => [...text.matchAll(pattern)].map(([match]) => `${name}: ${match}`))

describe('styles', () => {
  it('use no value that is not declared', () => {
    const all = sheets.map(({ text }) => text).join('\n')
    const declared = new Set([...all.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name))
    const used = [...all.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name)
    assert.deepEqual(
      used.filter((name) => !declared.has(name)),
      [],
    )
  })

  it('have six sizes of type, those of a printed document aside', () => {
    const sizes = findAll(/(?:font-size|font): (?:\d+ )?(?:clamp\([^)]*\)|\d*\.?\d+(?:rem|px))/g)
    // Six entries of a menu stand side by side on the narrowest phone.
    assert.deepEqual(sizes, ['shell.css: font: 500 clamp(.625rem, 3vw, var(--t1)'])
  })

  it('take colors from the tokens; paper and what is signed on it are white in the dark too', () => {
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

  it('show depth by a line, and lift only what opens over the page', () => {
    const shadows = findAll(/box-shadow: [^;}]*/g).map((one) => one.replace(/^.*: box-shadow: /, '').trim())
    const allowed =
      /^(?:none|var\(--(?:shade|lift)\)|0 0 0 (?:\d+px|100vmax) var\(--[\w-]+\)(?:, var\(--lift\))?|inset .*)$/
    assert.deepEqual(
      shadows.filter((one) => !allowed.test(one)),
      [],
    )
  })
})

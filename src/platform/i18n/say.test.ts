import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { bareIn, templatesIn, textsSaidIn } from '../../../scripts/said.ts'
import { html } from '../html/html.ts'
import { sayHtml } from '../html/say_html.ts'
import { spanish } from './es/index.ts'
import { GRAMMAR } from './spanish_grammar.ts'
import {
  SUBJECTS,
  languageOf,
  currentLocale,
  currentReader,
  withReader,
  withSubject,
  changeReader,
  type Reader,
} from './reader.ts'
import { say, sayCount, sayFor } from './say.ts'
import { wordFor } from '../../records/page/states.ts'
import type { Texts } from './texts.ts'

const SPANISH: Reader = { language: 'es', country: 'US' }

/** Returns the English part of a key: `Void` of `Void|action`. */
const plainOf = (key: string): string => key.split('|')[0]!

const holes = (text: string): string => [...new Set(text.match(/\{\d\}/g) ?? [])].sort().join('')

describe('a translated text', () => {
  it("is English without a reader's language", () => {
    assert.equal(say`Save`, 'Save')
    assert.equal(
      withReader(SPANISH, () => say`Save`),
      'Guardar',
    )
  })

  it('inserts its values once, without expanding placeholders in them', () => {
    assert.equal(say`From ${'{1}'} to ${'B'}`, 'From {1} to B')
    assert.equal(sayHtml`See ${html`<a href="/x">${'<b>'}</a>`}`.toString(), 'See <a href="/x">&lt;b&gt;</a>')
  })

  it('is English when it has no translation', () => {
    assert.equal(
      withReader(SPANISH, () => say`Only here ${1}`),
      'Only here 1',
    )
  })

  it('agrees in gender and number with its subject', () => {
    const inSpanish = (about: () => string): string => withReader(SPANISH, about)
    assert.deepEqual(
      (['jobs', 'invoices', 'quotes', 'filter'] as const).map((subject) => inSpanish(() => sayFor(subject)`All`)),
      ['Todos', 'Todas', 'Todas', 'Cualquiera'],
    )
    assert.deepEqual(
      [undefined, 'visit', 'invoice', 'work_order'].map((subject) =>
        inSpanish(() => wordFor('cancelled', subject as 'visit' | undefined)),
      ),
      ['Cancelado', 'Cancelada', 'Cancelada', 'Cancelada'],
    )
    assert.deepEqual(
      [inSpanish(() => say`Void`), inSpanish(() => sayFor('action')`Void`), inSpanish(() => sayFor('invoices')`Void`)],
      ['Anulada', 'Anular', 'Anuladas'],
    )
    assert.equal(
      inSpanish(() => sayFor('invoice')`Save`),
      'Guardar',
    )
    assert.equal(sayFor('invoice')`Canceled`, 'Canceled')
    assert.equal(
      inSpanish(() =>
        withSubject('quote', () => [say`${'Ana'} archived it`, say`${'Ana'} moved it to ${1}`].join('; ')),
      ),
      'Ana la archivó; Ana lo movió a 1',
    )
  })

  it('chooses singular or plural and formats the number for the reader', () => {
    assert.equal(sayCount(1, 'one job', '{0} jobs'), 'one job')
    assert.equal(sayCount(1200, 'one job', '{0} jobs of {1}', 'Ana'), '1,200 jobs of Ana')
  })
})

describe('the reader', () => {
  it('is kept across awaits and can change on the way', async () => {
    const said = await withReader({ language: 'en', country: 'US' }, async () => {
      await Promise.resolve()
      changeReader({ language: 'es', country: 'MX' })
      return Promise.resolve().then(() => [currentLocale(), say`Save`])
    })
    assert.deepEqual(said, ['es-MX', 'Guardar'])
    assert.deepEqual(currentReader(), { language: 'en', country: 'US' })
  })

  it('gets the first supported language of the browser', () => {
    assert.equal(languageOf('es-MX,es;q=0.9,en;q=0.5'), 'es')
    assert.equal(languageOf('fr, en;q=0.4, es;q=0.8'), 'es')
    assert.equal(languageOf('es;q=0, en'), 'en')
    assert.equal(languageOf('fr'), 'en')
    assert.equal(languageOf(undefined), 'en')
    assert.equal(languageOf(`${'x,'.repeat(500_000)}es`), 'en')
  })
})

describe('the Spanish texts', () => {
  it('cover every text of the source with the same values, and nothing else', async () => {
    const said = await textsSaidIn(join(import.meta.dirname, '..', '..'))
    assert.ok(said.length > 5)
    assert.deepEqual(
      said.filter(({ template }) => !(template in spanish)).map(({ template, path }) => `${path}: ${template}`),
      [],
      'texts without Spanish',
    )
    assert.deepEqual(
      said.filter(({ template }) => holes(template) !== holes(spanish[template]!)),
      [],
      'texts whose values differ',
    )
    const templates = new Set(said.map(({ template }) => template))
    assert.deepEqual(
      Object.keys(spanish).filter((key) => !templates.has(plainOf(key))),
      [],
      'Spanish that nothing says',
    )
  })

  it('have variants only for existing texts and known subjects, each different from the plain text', () => {
    const names: readonly string[] = [...SUBJECTS, ...GRAMMAR]
    const forms = Object.keys(spanish).filter((key) => plainOf(key) !== key)
    assert.ok(forms.length > 40)
    for (const key of forms) {
      const plain = plainOf(key)
      assert.ok(names.includes(key.slice(plain.length + 1)), key)
      assert.notEqual(spanish[key], spanish[plain], key)
      assert.equal(holes(spanish[key]!), holes(plain), key)
    }
  })

  it('translate equal English equally everywhere', async () => {
    const folder = join(import.meta.dirname, 'es')
    const seen = new Map<string, string>()
    for await (const name of glob('**/*.ts', { cwd: folder })) {
      if (name === 'index.ts') continue
      const texts = Object.values((await import(join(folder, name))) as Record<string, Texts>)[0]!
      for (const [english, text] of Object.entries(texts)) {
        assert.equal(seen.get(english) ?? text, text, `${name}: ${english}`)
        seen.set(english, text)
      }
    }
    assert.equal(seen.size, Object.keys(spanish).length)
  })

  it('are matched to texts found in every tagging form', () => {
    assert.deepEqual(
      templatesIn(
        "x(say`A ${f(`b ${'}'}`)} C\\``, sayHtml`D`, sayFor('job')`E`, sayCount(f(a, [1, 2]), 'it\\'s one', \"{0}\"))",
      ),
      ['A {0} C`', 'D', 'E', "it's one", '{0}'],
    )
  })
})

/** Folders whose files render pages, except the English developer reference. */
const PAGES = '{platform/html,platform/http,customer_portal,identity/oauth,web}/**/*.ts'
const RECORD_PAGES = 'records/**/*.ts'
const NOT_PAGES = /\.test\.ts$|^web\/docs\/|\/(tools|examples)\.ts$|^records\/line_items\//

describe('a page', () => {
  it('translates every text that it shows, except for listed names', async () => {
    const root = join(import.meta.dirname, '..', '..')
    const paths = (await Array.fromAsync(glob([PAGES, RECORD_PAGES], { cwd: root }))).filter((p) => !NOT_PAGES.test(p))
    assert.ok(paths.length > 200)
    const bare = await Promise.all(
      paths.map(async (path) => bareIn(await readFile(join(root, path), 'utf8')).map((text) => `${path}: ${text}`)),
    )
    // Declarations of fields say whose text they hold.
    const untranslated = bare.flat().filter((text) => !/^records\/\S*fields\.ts: (?:company|customer)$/.test(text))
    // Names of languages and companies.
    assert.deepEqual(untranslated.sort(), [
      'web/settings/assistant.ts: Anthropic',
      'web/settings/people/own_provider_parts.ts: Google',
      'web/settings/people/own_provider_parts.ts: Microsoft',
      'web/settings/people/own_provider_parts.ts: Okta',
      'web/settings/you.ts: English',
      'web/settings/you.ts: Español',
    ])
  })

  it('is searched for bare text in every form it can appear', () => {
    const seen = [
      'html`<p>Bare words</p>`',
      'html`<p title="Bare">${x}</p>`',
      "part({ label: 'Bare' })",
      "part({ warning:\n    'Bare' })",
      'part({ help: `Bare ${x}` })',
      'html`<ul>${list.map((one) => html`<li>${one} inside</li>`)}</ul>`',
    ]
    assert.deepEqual(
      seen.map((source) => bareIn(source)),
      [['Bare words'], ['Bare'], ['Bare'], ['Bare'], ['Bare'], ['inside']],
    )
    const unseen = [
      'html`<p class="part">${say`Said`} &amp; Callout <code>npx callout</code></p>`',
      'html` open`',
      'html` aria-current="page"`',
      "part({ label: say`Said`, name: 'email' })",
    ]
    assert.deepEqual(
      unseen.flatMap((source) => bareIn(source)),
      [],
    )
  })
})

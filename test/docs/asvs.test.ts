import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import type { TestService } from '../harness/harness.ts'
import { createCompany, startSite, newBrowser } from '../harness/web_client.ts'

const root = join(import.meta.dirname, '..', '..')
/** Valid states. A blank state means met. */
const STATES = ['', 'not met', 'not applicable']

type Row = { number: string; state: string; paths: string[]; note: string }

const rows = (await readFile(join(root, 'docs/operating/asvs.md'), 'utf8'))
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line): Row => {
    const [number = '', , state = '', by = '', note = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    return { number, state, paths: [...by.matchAll(/`([^`]+)`/g)].map(([, path]) => path!), note }
  })

describe('the ASVS self-assessment', () => {
  it('lists the 35, 18 and 29 requirements of chapters 6, 7 and 10, each once', () => {
    const numbers = rows.map(({ number }) => number)
    assert.equal(new Set(numbers).size, numbers.length)
    const count = (chapter: string) => numbers.filter((number) => number.startsWith(`${chapter}.`)).length
    assert.deepEqual([count('6'), count('7'), count('10')], [35, 18, 29])
  })

  it('gives each requirement a known state, with existing files as evidence or a reason', () => {
    const wrong = rows.filter(
      ({ state, paths, note }) =>
        !STATES.includes(state) ||
        paths.some((path) => !existsSync(join(root, path))) ||
        (state === 'not applicable' ? note === '' : paths.length === 0) ||
        (state === 'not met' && note === ''),
    )
    assert.deepEqual(wrong, [])
  })

  it('is linked from SECURITY.md', async () => {
    assert.match(await readFile(join(root, 'SECURITY.md'), 'utf8'), /\(docs\/operating\/asvs\.md\)/)
  })
})

describe('ASVS requirements that no other test covers', () => {
  let service: TestService
  before(async () => {
    service = await startSite()
  })
  after(() => service.stop())

  it('a new installation has no accounts (6.3.2)', async () => {
    const fresh = await startSite()
    const [found] = await fresh.database.send([sql`select email from users`])
    await fresh.stop()
    assert.deepEqual(found!.rows, [])
  })

  it('the sign-in form masks the password and allows pasting and password managers (6.2.6, 6.2.7)', async () => {
    const { text } = await newBrowser(service).get('/sign-in')
    const field = /<input[^>]*name="password"[^>]*>/.exec(text)![0]
    assert.match(field, /type="password"/)
    assert.match(field, /autocomplete="current-password"/)
    assert.doesNotMatch(field, /onpaste|readonly/)
  })

  it('pages of a signed-in person have a sign-out form (7.4.4)', async () => {
    const company = await createCompany(service, 'Alder Plumbing')
    const browser = newBrowser(service)
    await browser.signIn(company.owner.email)
    for (const path of [`/${company.id}`, `/${company.id}/settings/apps`, '/factors'])
      assert.match((await browser.get(path)).text, /<form[^>]*action="\/sign-out"/, path)
  })
})

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { PASSWORD } from '../harness/web_client.ts'
import { openAssistantScene, type AssistantScene } from '../assistant/scene.ts'
import { passesAxe } from './harness/axe.ts'
import { SIZES, inBrowser, launch, openPage } from './harness/launch.ts'

inBrowser('the assistant in a browser', () => {
  let scene: AssistantScene
  let browser: Browser
  before(async () => {
    scene = await openAssistantScene('anthropic')
    browser = await launch()
  })
  after(async () => {
    await browser?.close()
    await scene.stop()
  })

  const address = (...steps: string[]): string => new URL(scene.at(...steps), scene.service.config.baseUrl).href

  async function open(page: Page): Promise<void> {
    await page.goto(new URL('/sign-in', scene.service.config.baseUrl).href)
    await page.fill('[name=email]', scene.company.owner.email)
    await page.fill('[name=password]', PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
    await page.goto(address('customers'))
  }

  async function ask(page: Page, text: string): Promise<void> {
    await page.fill('#ask-text', text)
    await page.keyboard.press('Enter')
  }

  for (const [name, viewport] of Object.entries(SIZES))
    it(`opens with Ctrl+J, streams an answer and approves a plan in place (${name})`, async () => {
      const { page, complaints, close } = await openPage(browser, { viewport })
      await open(page)
      await page.keyboard.press('Control+j')
      await page.waitForSelector('aside#assistant #ask-text:focus')
      scene.provider.play(
        { text: 'Let me look.', calls: [{ tool: 'jobs_list', input: {} }] },
        { calls: [{ tool: 'customers_create', input: { customer_type: 'individual', first_name: `Ida ${name}` } }] },
        { text: 'It **waits** for you.', pause: 20 },
      )
      await ask(page, 'Add Ida')
      await page.waitForSelector('.plan form')
      await page.getByText('It waits for you.').waitFor()
      assert.equal(await page.locator('.call-line').count(), 2)
      await passesAxe(page, `panel ${name}`)
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await page.waitForSelector('.plan:not(:has(form))')
      assert.equal(new URL(page.url()).pathname, scene.at('customers'))
      assert.equal(await page.locator('.plan').getByText('Approved', { exact: true }).count(), 1)
      await page.keyboard.press('Escape')
      await page.waitForSelector('aside#assistant', { state: 'detached' })
      assert.equal(await page.evaluate("document.activeElement?.matches('.assistant-link')"), true)
      await page.goto(address('customers'))
      await page.getByText(`Ida ${name}`).first().waitFor()
      assert.deepEqual(complaints, [])
      await close()
    })

  it("submits a decision as a form when the script's request fails", async () => {
    const { page, close } = await openPage(browser)
    await open(page)
    await page.keyboard.press('Control+j')
    await page.waitForSelector('aside#assistant')
    scene.provider.play(
      { calls: [{ tool: 'customers_create', input: { customer_type: 'individual', first_name: 'Ute' } }] },
      { text: 'It waits.' },
    )
    await ask(page, 'Add Ute')
    await page.waitForSelector('.plan form')
    await page.route('**/plans/*', (route) =>
      route.request().headers()['x-part'] === 'plan' ? route.abort() : route.continue(),
    )
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.waitForURL(/#plan-/)
    assert.equal(await page.locator('.plan').getByText('Approved', { exact: true }).count(), 1)
    await close()
  })

  it('shows a decision even when the conversation is redrawn as its answer ends', async () => {
    const { page, complaints, close } = await openPage(browser)
    await open(page)
    await page.keyboard.press('Control+j')
    await page.waitForSelector('aside#assistant')
    scene.provider.play(
      { calls: [{ tool: 'customers_create', input: { customer_type: 'individual', first_name: 'Uma' } }] },
      { text: 'It waits.' },
    )
    await ask(page, 'Add Uma')
    await page.waitForSelector('.plan form')
    await page.waitForSelector('#talk:not([aria-busy])')
    const { promise: isAnew, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/plans/*', async (route) => {
      await isAnew
      await route.continue()
    })
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.evaluate(`{
      const talk = document.querySelector('#talk')
      talk.replaceChildren(...talk.cloneNode(true).childNodes)
    }`)
    answer()
    await page.waitForSelector('.plan:not(:has(form))')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('takes the focus on Ctrl+J while the panel is being restored', async () => {
    const { page, complaints, close } = await openPage(browser)
    await open(page)
    await page.keyboard.press('Control+j')
    await page.waitForSelector('aside#assistant #ask-text:focus')
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let asked = 0
    await page.route('**/assistant/panel?*', async (route) => {
      await answers[asked++]?.promise
      await route.continue()
    })
    const restored = page.waitForRequest('**/assistant/panel?*')
    await page.goto(address('jobs'))
    await restored
    await page.keyboard.press('Control+j')
    answers[0]?.resolve()
    await page.waitForSelector('aside#assistant')
    answers[1]?.resolve()
    await page.waitForSelector('aside#assistant #ask-text:focus')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('undoes an approved change without leaving the conversation', async () => {
    const { page, complaints, close } = await openPage(browser)
    await open(page)
    await page.keyboard.press('Control+j')
    await page.waitForSelector('aside#assistant')
    scene.provider.play(
      { calls: [{ tool: 'customers_create', input: { customer_type: 'individual', first_name: 'Udo' } }] },
      { text: 'It waits.' },
    )
    await ask(page, 'Add Udo')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    const undo = page.locator('.plan').getByRole('link', { name: 'Undo', exact: true })
    await undo.click()
    await page.locator('.undo-box form').waitFor()
    await passesAxe(page, 'undo in the panel')
    await page.locator('.undo-box').getByRole('link', { name: 'Cancel' }).click()
    await page.locator('.undo-box').waitFor({ state: 'detached' })
    await undo.click()
    await page.locator('.undo-box').getByRole('button').first().click()
    await page.getByText('One change is undone').waitFor()
    assert.equal(await undo.count(), 0)
    assert.equal(new URL(page.url()).pathname, scene.at('customers'))
    await page.goto(address('customers'))
    assert.equal(await page.locator('main').getByText('Udo').count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('offers dictation only where the browser supports speech recognition', async () => {
    const { page, complaints, close } = await openPage(browser)
    await page.addInitScript(`
      for (const name of ['SpeechRecognition', 'webkitSpeechRecognition'])
        Object.defineProperty(window, name, { value: undefined, writable: true })
      if (!sessionStorage.silent) window.SpeechRecognition = class extends EventTarget {
        start() {
          this.dispatchEvent(Object.assign(new Event('result'), { results: [[{ transcript: 'who is on ' }], [{ transcript: 'today ' + this.lang }]] }))
        }
        stop() { this.dispatchEvent(new Event('end')) }
      }`)
    await open(page)
    await page.keyboard.press('Control+j')
    await page.fill('#ask-text', 'Please,')
    const dictate = page.getByRole('button', { name: 'Dictate', exact: true })
    await dictate.click()
    assert.equal(await page.inputValue('#ask-text'), 'Please, who is on today en-US')
    assert.equal(await dictate.getAttribute('aria-pressed'), 'true')
    await passesAxe(page, 'dictation')
    await dictate.click()
    assert.equal(await dictate.getAttribute('aria-pressed'), 'false')
    await page.evaluate('sessionStorage.silent = 1')
    await page.goto(address('assistant'))
    await page.waitForSelector('#ask-text')
    assert.equal(await page.locator('#ask-speak:visible').count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('opens from the bottom bar on a phone', async () => {
    const { page, complaints, close } = await openPage(browser, { viewport: SIZES.phone })
    await open(page)
    await page.locator('.dock').getByRole('link', { name: 'Assistant' }).click()
    await page.waitForSelector('aside#assistant #ask-text:focus')
    assert.equal(new URL(page.url()).pathname, scene.at('customers'))
    assert.deepEqual(complaints, [])
    await close()
  })

  for (const where of ['panel', 'page'])
    it(`keeps the scroll position in the ${where} while an answer streams, and opened details stay open`, async () => {
      const { page, complaints, close } = await openPage(browser, { viewport: SIZES.phone })
      await open(page)
      if (where === 'page') await page.goto(address('assistant'))
      else await page.keyboard.press('Control+j')
      await page.waitForSelector('#ask-text')
      const lines = Array.from({ length: 60 }, (_, i) => `- Line ${i + 1}`).join('\n')
      scene.provider.play(
        { text: lines, calls: [{ tool: 'jobs_list', input: {} }] },
        { text: `${lines}\n`, pause: 400 },
      )
      await ask(page, 'Tell me all')
      await page.locator('.call-line .call-done').waitFor()
      await page.locator('.call-line summary').first().click()
      await page.locator('.mine').first().scrollIntoViewIfNeeded()
      const isVisible = `(() => {
        const { top } = document.querySelector('.mine').getBoundingClientRect()
        return top >= 0 && top < innerHeight
      })()`
      assert.equal(await page.evaluate(isVisible), true)
      await page.waitForSelector('#talk:not([aria-busy])')
      assert.equal(await page.evaluate(isVisible), true)
      assert.equal(await page.locator('.call-line[open]').count(), 1)
      scene.provider.play({ text: 'Gladly.' })
      await ask(page, 'Thanks')
      await page.getByText('Gladly.').waitFor()
      await page.waitForSelector('#talk:not([aria-busy])')
      assert.equal(
        await page.evaluate(`(() => {
          const { bottom } = document.querySelector('#talk').lastElementChild.getBoundingClientRect()
          return bottom > 0 && bottom <= document.querySelector('#ask').getBoundingClientRect().top
        })()`),
        true,
      )
      assert.deepEqual(complaints, [])
      await close()
    })

  it('stops an answer, and continues the same conversation on the next page', async () => {
    const { page, complaints, close } = await openPage(browser)
    await open(page)
    await page.keyboard.press('Control+j')
    await page.waitForSelector('aside#assistant')
    scene.provider.play({ text: 'A long answer that never ends', hangs: true }, { text: 'Here I am again.' })
    await ask(page, 'Tell me all')
    await page.getByText('A long answer').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('You stopped the answer').waitFor()
    await scene.idle()
    await page.goto(address('jobs'))
    await page.getByText('You stopped the answer').waitFor()
    await ask(page, 'Go on')
    await page.getByText('Here I am again.').waitFor()
    assert.match(JSON.stringify(scene.provider.requests.at(-1)?.body), /They are looking at the page jobs/)
    assert.deepEqual(complaints, [])
    await close()
  })
})

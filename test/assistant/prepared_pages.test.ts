import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { prepareAnswers } from '../../src/assistant/preparing.ts'
import { NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { receiveSms } from '../../src/messaging/inbox/inbound/inbound_sms.ts'
import { freshId } from '../harness/messaging/inbound.ts'
import { openOwnAssistant } from './preparing_scene.ts'
import { openAssistantScene } from './scene.ts'

describe('the pages of prepared answers', () => {
  it('let only owners turn preparation on, and offer the draft only to the owner it was prepared for', async () => {
    const scene = await openAssistantScene('anthropic')
    const { service, company, owner, at } = scene
    try {
      const office = await company.hire('office')
      const other = await scene.signIn(office.email)
      const settings = at('settings', 'assistant')
      assert.equal((await other.post(settings, { act: 'prepare', prepares: 'yes' })).status, 404)
      assert.doesNotMatch((await other.get(settings)).text, /Prepare answers to customers/)
      assert.equal((await owner.post(settings, { act: 'prepare', prepares: 'yes' })).status, 303)
      assert.match((await owner.get(settings)).text, /name="prepares"[^>]* checked/)

      await addChannel(service.database, NUMBERS, company.id, '+16175550100')
      const made = await owner.post(at('customers', 'new'), {
        customer_type: 'individual',
        first_name: 'Ida',
        phone: '617 555 0143',
      })
      const customer = String(made.location?.split('?')[0]?.split('/').at(-1))
      await receiveSms(service.database, {
        sid: freshId(),
        from: '+16175550143',
        to: '+16175550100',
        body: 'Are you open?',
      })
      scene.provider.play({ text: 'Ida asks whether you are open.\nANSWER:\nYes, until 5 <today>.' })
      const own = openOwnAssistant(service.database, service.config, scene.provider.url)
      await prepareAnswers(service.database, own, company.id, new AbortController().signal)
      const thread = at('messages', 'with', customer)
      const page = (await owner.get(thread)).text
      assert.match(page, /The assistant prepared an answer/)
      assert.match(page, new RegExp(`href="${thread}\\?prepared=1#reply"`))
      assert.doesNotMatch(page, /until 5/)
      assert.match((await owner.get(`${thread}?prepared=1`)).text, /<textarea[^>]*>\s*Yes, until 5 &lt;today&gt;\.\s*</)
      assert.doesNotMatch((await other.get(`${thread}?prepared=1`)).text, /prepared an answer|until 5/)
      const from = '+16175550199'
      const strange = { sid: freshId(), from, to: '+16175550100', body: 'Do you fix roofs?' }
      await receiveSms(service.database, strange)
      scene.provider.play({ text: 'Somebody with a roof.\nANSWER:\nWe do.' })
      await prepareAnswers(service.database, own, company.id, new AbortController().signal)
      const unknown = /href="([^"]*\/messages\/[0-9a-f-]{36})"/.exec((await owner.get(at('messages'))).text)?.[1] ?? ''
      assert.match(
        (await owner.get(`${unknown}?prepared=1`)).text,
        /prepared an answer[^]*<textarea[^>]*>\s*We do\.\s*</,
      )
      assert.equal((await owner.post(settings, { act: 'prepare' })).status, 303)
      assert.doesNotMatch((await owner.get(settings)).text, /name="prepares"[^>]* checked/)
    } finally {
      await scene.stop()
    }
  })
})

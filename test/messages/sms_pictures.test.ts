import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, readTenant } from '../../src/platform/db/tenant.ts'
import { COMMAND_LINE } from '../../src/identity/people/review_scope.ts'
import { NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { assignQuarantined } from '../../src/messaging/inbox/quarantine/quarantine_review.ts'
import type { TestService } from '../harness/harness.ts'
import { freshId, messagesOf, quarantinedUnder } from '../harness/messaging/inbound.ts'
import { conversationsOf, openOffice, pageTextOf, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

const NUMBER = '+16175550100'

let service: TestService
let office: Office
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startSite(WEBHOOK_ENV)
  provider = providerOf(service)
  office = await openOffice(service, 'Alder Plumbing')
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
})
after(() => service.stop())

const urlOf = (i: number): string => `https://media.example.com/${i}`
const media = (count: number): Record<string, string> =>
  Object.fromEntries([
    ['NumMedia', String(count)],
    ...Array.from({ length: count }, (_, i) => [
      [`MediaUrl${i}`, urlOf(i)],
      [`MediaContentType${i}`, 'image/jpeg'],
    ]).flat(),
  ]) as Record<string, string>
async function text(more: Record<string, string>, To = NUMBER, MessageSid = freshId()): Promise<string> {
  assert.equal(
    (
      await provider.sms('/api/webhooks/sms/inbound-sms', {
        MessageSid,
        From: '+16175550301',
        To,
        Body: 'Look',
        ...more,
      })
    ).status,
    200,
  )
  return MessageSid
}
const picturesOf = async (
  sid: string,
): Promise<{ id: string; state: string; source_url: string | null; content_type: string; file_name: string }[]> => {
  const { id } = (await messagesOf(service.database, office.id)).find(
    ({ provider_message_id }) => provider_message_id === sid,
  )!
  return readTenant(service.database, { tenant: office.id }, (db) =>
    db.all(
      sql`select id, state, source_url, content_type, file_name from attachments where tenant_id = ${office.id} and communication_id = ${id} order by position`,
    ),
  )
}

describe('pictures of an SMS', () => {
  it('are stored as links and shown as not fetched', async () => {
    const [one, two] = [await text(media(1)), await text(media(2))]
    const [picture] = await picturesOf(one)
    assert.deepEqual(
      [picture!.state, picture!.source_url, picture!.content_type, picture!.file_name],
      ['elsewhere', urlOf(0), 'image/jpeg', 'picture 1.jpg'],
    )
    assert.deepEqual(
      (await picturesOf(two)).map(({ source_url }) => source_url),
      [urlOf(0), urlOf(1)],
    )
    const page = await conversationsOf(office.browser, office.at('messages'))
    assert.ok(
      pageTextOf(page).includes('1 picture, not fetched') &&
        pageTextOf(page).includes('2 pictures, not fetched') &&
        !page.text.includes('media.example.com'),
    )
    assert.equal((await office.browser.get(office.at('attachments', picture!.id))).status, 404)
  })

  it('are limited to ten, and only https URLs are stored', async () => {
    assert.equal((await picturesOf(await text(media(12)))).length, 10)
    for (const NumMedia of ['0', '-1', 'x', ''])
      assert.deepEqual(await picturesOf(await text({ ...media(1), NumMedia })), [])
    for (const MediaUrl0 of ['http://media.example.com/0', 'javascript:alert(1)', '', `https://${'a'.repeat(3_000)}`]) {
      assert.deepEqual(
        (await picturesOf(await text({ ...media(1), MediaUrl0 }))).map(({ state, source_url }) => [state, source_url]),
        [['elsewhere', null]],
      )
    }
  })

  it('are stored once, and stay with a quarantined message when it is assigned', async () => {
    const sid = await text(media(1))
    await text(media(1), NUMBER, sid)
    assert.equal((await picturesOf(sid)).length, 1)
    const held = await text(media(2), '+16175550999')
    await assignQuarantined(
      service.database,
      COMMAND_LINE,
      String((await quarantinedUnder(service.database, held))[0]!['id']),
      office.id,
    )
    assert.deepEqual(
      (await picturesOf(held)).map(({ source_url }) => source_url),
      [urlOf(0), urlOf(1)],
    )
  })
})

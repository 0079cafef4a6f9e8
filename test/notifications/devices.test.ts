import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sweepDevices } from '../../src/messaging/push/device.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { openOffice, pageTextOf } from '../harness/identity/people_pages.ts'
import { phoneOf } from '../harness/messaging/phones.ts'
import { startSite, newBrowser } from '../harness/web_client.ts'
import { startNotifying, type Notifying } from './scene.ts'

let set: Notifying
before(async () => {
  set = await startNotifying()
})
after(() => set.stop())

const endpointsOf = async (user: string): Promise<string[]> =>
  (await set.devices()).filter(({ user_id }) => user_id === user).map(({ endpoint }) => endpoint)

describe('a browser subscription to notifications', () => {
  it('is stored once with its kinds, moves to another user who subscribes, and is deleted with no kinds', async () => {
    const tech = await set.office.signInMember('tech')
    const owner = { user_id: set.office.owner.user_id, browser: set.office.browser }
    const { answer, put, subscription } = await set.turnOn(owner, ['visits', 'messages'])
    assert.deepEqual([answer.status, answer.body], [200, { kinds: ['visits', 'messages'] }])
    await put({ ...subscription, kinds: ['late'] })
    const kept = (await set.devices()).filter(({ endpoint }) => endpoint === subscription.endpoint)
    assert.deepEqual(
      kept.map(({ kinds }) => kinds),
      [['late']],
    )
    // Another user signs in there and subscribes, so the browser is now theirs.
    const phone = phoneOf(set.service, set.office, tech.user_id, tech.browser)
    const taken = await phone.ask('push', {
      method: 'PUT',
      body: JSON.stringify({ ...subscription, kinds: ['visits'] }),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(taken.status, 200)
    assert.deepEqual(await endpointsOf(owner.user_id), [])
    assert.deepEqual(await endpointsOf(tech.user_id), [subscription.endpoint])
    // Only the browser's current user can unsubscribe it.
    await put({ ...subscription, kinds: [] })
    assert.deepEqual(await endpointsOf(tech.user_id), [subscription.endpoint])
    await phone.ask('push', {
      method: 'PUT',
      body: JSON.stringify({ ...subscription, kinds: [] }),
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual(await endpointsOf(tech.user_id), [])
  })

  it('is limited to 10 per person; a new one replaces the oldest', async () => {
    const tech = await set.office.signInMember('tech')
    const endpoints: string[] = []
    for (let i = 0; i < 12; i++) endpoints.push((await set.turnOn(tech, ['visits'])).subscription.endpoint)
    assert.deepEqual(await endpointsOf(tech.user_id), endpoints.slice(2))
  })

  it('is rejected for kinds without permission and for an invalid subscription', async () => {
    const tech = await set.office.signInMember('tech')
    const { put, subscription, answer } = await set.turnOn(tech, ['visits', 'messages'])
    assert.deepEqual([answer.status, answer.body['error']], [403, 'insufficient_scope'])
    const blind = await set.turnOn(await set.office.signInMember('tech', { 'Jobs & scheduling': 'none' }), ['visits'])
    assert.equal(blind.answer.status, 403)
    const wrong: object[] = [
      { endpoint: subscription.endpoint.replace('https', 'http') },
      { endpoint: 'https://127.0.0.1/push' },
      { endpoint: 'https://[::1]/push' },
      { endpoint: 'https://localhost/push' },
      { endpoint: 'https://user:secret@client.test/push' },
      { endpoint: `https://client.test/${'x'.repeat(1000)}` },
      { endpoint: 'no address' },
      { p256dh: Buffer.alloc(65, 4).toString('base64url') },
      { p256dh: subscription.p256dh.slice(0, 40) },
      { auth: 'AAAA' },
      { kinds: ['salaries'] },
      { kinds: Array.from({ length: 5 }, () => 'visits') },
      { more: 1 },
    ]
    for (const part of wrong) {
      const { status, body } = await put({ ...subscription, kinds: ['visits'], ...part })
      assert.deepEqual([status, body['error']], [422, 'invalid_input'], JSON.stringify(part))
    }
    assert.deepEqual(await endpointsOf(tech.user_id), [])
  })

  it('requires a signed-in member and a same-origin request', async () => {
    const tech = await set.office.signInMember('tech')
    const { subscription } = await set.turnOn(tech, ['visits'])
    const body = JSON.stringify({ ...subscription, kinds: ['visits'] })
    const path = `/field/${set.office.id}/push`
    const json = { 'content-type': 'application/json', accept: 'application/json' }
    const put = (browser: typeof tech.browser, headers: Record<string, string>) =>
      browser.send(path, { method: 'PUT', body, headers: { ...json, ...headers } })
    const ours = { origin: set.service.config.baseUrl, 'sec-fetch-site': 'same-origin' }
    assert.equal((await put(newBrowser(set.service), ours)).status, 401)
    const elsewhere = await openOffice(set.service, 'Birch Electric')
    assert.equal((await put(elsewhere.browser, ours)).status, 403)
    assert.equal(
      (await put(tech.browser, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
      403,
    )
    assert.equal((await tech.browser.send(path, { headers: json })).status, 405)
    const plain = await tech.browser.send(path, {
      method: 'PUT',
      body,
      headers: { ...ours, 'content-type': 'text/plain' },
    })
    assert.equal(plain.status, 415)
  })

  it('returns 404 when the service has no push key', async () => {
    const service = await startSite()
    try {
      const office = await openOffice(service, 'Cedar Plumbing')
      const phone = phoneOf(service, office, office.owner.user_id, office.browser)
      assert.equal((await phone.day())['push_key'], null)
      const { subscription } = await set.push.subscribe()
      const { status } = await phone.ask('push', {
        method: 'PUT',
        body: JSON.stringify({ ...subscription, kinds: ['visits'] }),
        headers: { 'content-type': 'application/json' },
      })
      assert.equal(status, 404)
      const page = pageTextOf(await office.browser.get(office.at('settings', 'notifications')))
      assert.match(page, /Notifications are off for this service/)
    } finally {
      await service.stop()
    }
  })
})

describe('browser notifications stop', () => {
  const addDevice = async (kinds = ['visits']) => {
    const tech = await set.office.signInMember('tech')
    const on = await set.turnOn(tech, kinds)
    await set.deliver()
    return {
      ...on,
      tech,
      tell: async () => (await set.book([tech.user_id]), await set.deliver(), on.messages().length),
    }
  }

  it('when the person signs out of the browser', async () => {
    const { tech, tell } = await addDevice()
    assert.equal(await tell(), 1)
    await tech.browser.post('/sign-out', {})
    assert.equal(await tell(), 1)
    assert.deepEqual(await endpointsOf(tech.user_id), [])
  })

  it('when the membership is deactivated', async () => {
    const { tech, messages } = await addDevice()
    await set.book([tech.user_id])
    await set.run((db) =>
      db.run(sql`update members set deactivated_at = moment_of(tenant_id)
        where tenant_id = ${db.tenant} and user_id = ${tech.user_id}`),
    )
    await set.deliver()
    assert.deepEqual(messages(), [])
    assert.deepEqual(await endpointsOf(tech.user_id), [])
  })

  it('when the permission is removed, and resume when it is restored', async () => {
    const { tech, tell } = await addDevice()
    const level = (value: string) =>
      set.run((db) =>
        db.run(sql`update members set ceiling = jsonb_set(ceiling, '{Jobs & scheduling}', ${JSON.stringify(value)}::jsonb)
          where tenant_id = ${db.tenant} and user_id = ${tech.user_id}`),
      )
    await level('none')
    assert.equal(await tell(), 0)
    assert.equal(await set.waiting(), 0)
    await level('view')
    assert.equal(await tell(), 1)
  })

  it('when the push service no longer knows the browser', async () => {
    const { tech, tell, forget } = await addDevice()
    forget()
    assert.equal(await tell(), 0)
    assert.deepEqual(await endpointsOf(tech.user_id), [])
  })

  it('in the periodic cleanup, for an ended session', async () => {
    const { tech } = await addDevice()
    await tech.browser.post('/sign-out', {})
    await set.run(sweepDevices)
    assert.deepEqual(await endpointsOf(tech.user_id), [])
  })

  it('when their owner removes the browser in the settings; nobody else can', async () => {
    const { tech } = await addDevice()
    const page = set.office.at('settings', 'notifications')
    const text = pageTextOf(await tech.browser.get(page))
    assert.match(text, /Your browsers/)
    assert.doesNotMatch(text, /New messages from customers/)
    assert.match(pageTextOf(await set.office.browser.get(page)), /New messages from customers/)
    const today = await tech.browser.get(set.office.at())
    assert.match(
      today.text,
      new RegExp(`data-push-key="[\\w-]{87}" data-company="${set.office.id}" data-user="${tech.user_id}"`),
    )
    assert.match(today.text, /notifications\.[\w-]+\.js/)
    const device = (await set.devices()).find(({ user_id }) => user_id === tech.user_id)?.id ?? ''
    await set.office.browser.post(page, { device })
    assert.equal((await endpointsOf(tech.user_id)).length, 1)
    await tech.browser.post(page, { device })
    assert.deepEqual(await endpointsOf(tech.user_id), [])
  })
})

describe('delivery to a push service', () => {
  const addDeviceWithVisit = async () => {
    const tech = await set.office.signInMember('tech')
    const on = await set.turnOn(tech, ['visits'])
    await set.deliver()
    await set.book([tech.user_id])
    return { ...on, tech }
  }

  it('retries after Retry-After when busy, and gives up after half an hour', async () => {
    const { messages } = await addDeviceWithVisit()
    set.push.answerWith((_req, res) => res.writeHead(429, { 'retry-after': '60' }).end())
    await set.deliver()
    set.push.answerWith(null)
    await set.deliver({ seconds: 30 })
    assert.equal(messages().length, 0)
    await set.deliver({ seconds: 90 })
    assert.equal(messages().length, 1)
    const { messages: late } = await addDeviceWithVisit()
    set.push.answerWith((_req, res) => res.writeHead(503).end())
    await set.deliver()
    set.push.answerWith(null)
    await set.deliver({ seconds: 3600 })
    assert.equal(late().length, 0)
    assert.equal(await set.waiting(), 0)
  })

  it('is not retried after a 403 or a redirect', async () => {
    for (const [status, headers] of [
      [403, {}],
      [307, { location: 'https://other.test/' }],
    ] as const) {
      const { path, messages } = await addDeviceWithVisit()
      set.push.answerWith((_req, res) => res.writeHead(status, headers).end())
      await set.deliver()
      set.push.answerWith(null)
      await set.deliver({ seconds: 600 })
      assert.equal(messages().length, 0)
      assert.equal(set.push.asked.filter((url) => url === path).length, 1, String(status))
    }
  })

  it('never connects to an address in a private network', async () => {
    const { path, messages } = await addDeviceWithVisit()
    const { network } = set.push
    const { isAllowed } = network
    network.isAllowed = () => false
    await set.deliver()
    network.isAllowed = isAllowed
    assert.equal(set.push.asked.includes(path), false)
    assert.equal(messages().length, 0)
  })
})

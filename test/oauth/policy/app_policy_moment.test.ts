import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listApp, setAppPolicy } from '../../../src/identity/apps/policy.ts'
import { listAppRequests } from '../../../src/identity/apps/requests.ts'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import {
  Browser,
  CALLBACK,
  authorizeUrl,
  challengeOf,
  registerPublicClient,
  startAuthorizing,
  startAuthorization,
  verifierOf,
  type AuthorizingService,
} from '../../harness/identity/authorization.ts'
import { makeCompany } from '../../harness/harness.ts'

const DOCUMENT = 'https://assistant.example/oauth/client.json'

let service: AuthorizingService
before(async () => {
  service = await startAuthorizing(
    {},
    {
      fetchDocument: async (url) =>
        JSON.stringify({ client_id: url.href, client_name: 'Documented', redirect_uris: [CALLBACK] }),
    },
  )
})
after(() => service.stop())

/** Returns an app's loaded authorization request for an office member. */
async function loadInteraction(client: string) {
  const made = await makeCompany(service)
  const company = { id: made.tenant }
  const member = await made.member('office')
  const browser = new Browser(service.fetch)
  const id = await startAuthorization(browser, authorizeUrl(client, challengeOf(verifierOf())))
  const interaction = await service.port.load(id, browser.valueOf(service.port.browserCookieName))
  const consent = { user: member.id, tenant: company.id, areas: { Notes: 'view' } } as const
  return { company, interaction: interaction!, consent, owner: { user: made.owner.id } }
}

describe('the app policy at the moment of approval', () => {
  it('refuses an app that the policy no longer allows, in the same transaction', async () => {
    for (const policy of ['listed', 'ask'] as const) {
      const { company, interaction, consent, owner } = await loadInteraction(await registerPublicClient(service))
      await setAppPolicy(service.database, company.id, policy, owner)
      await assert.rejects(service.port.approve(interaction, consent), /app policy doesn't allow/)
      assert.equal(await findGrant(service.database.send, interaction.client.id, consent.user), undefined)
      await setAppPolicy(service.database, company.id, 'anything', owner)
      assert.match(await service.port.approve(interaction, consent), /resume=/)
    }
  })

  it("rejects a request for approval when the policy doesn't ask owners", async () => {
    for (const policy of ['anything', 'listed'] as const) {
      const { company, interaction, consent, owner } = await loadInteraction(await registerPublicClient(service))
      await setAppPolicy(service.database, company.id, policy, owner)
      await assert.rejects(service.port.requestApproval(interaction, consent), /no longer need an owner's approval/)
    }
  })

  it('allows an app with a document at a listed host, and none that only has the host as its name', async () => {
    const [described, said] = [
      await loadInteraction(DOCUMENT),
      await loadInteraction(await registerPublicClient(service, { client_name: 'assistant.example' })),
    ]
    for (const { company, owner } of [described, said]) {
      await setAppPolicy(service.database, company.id, 'listed', owner)
      await listApp(service.database, company.id, 'assistant.example', owner)
    }
    assert.match(await service.port.approve(described.interaction, described.consent), /resume=/)
    await assert.rejects(service.port.approve(said.interaction, said.consent), /app policy doesn't allow/)
    const other = await loadInteraction('https://assistant.example.evil.test/client.json')
    await setAppPolicy(service.database, other.company.id, 'listed', other.owner)
    await listApp(service.database, other.company.id, 'assistant.example', other.owner)
    await assert.rejects(service.port.approve(other.interaction, other.consent), /app policy doesn't allow/)
  })

  it('stores the verified host of a documented app with its request', async () => {
    const { company, interaction, consent, owner } = await loadInteraction(DOCUMENT)
    await setAppPolicy(service.database, company.id, 'ask', owner)
    await service.port.requestApproval(interaction, consent)
    const [asked] = await readTenant(service.database, { tenant: company.id }, listAppRequests)
    assert.deepEqual([asked!.kind, asked!.host, asked!.name], ['document', 'assistant.example', 'Documented'])
  })
})

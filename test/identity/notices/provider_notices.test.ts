import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDataKeys } from '../../../src/identity/data_keys.ts'
import {
  removeCompanyProvider,
  setCompanyProviderRequired,
  saveCompanyProvider,
  setCompanyProviderOn,
} from '../../../src/identity/providers/company/company_provider.ts'
import { openMailScene } from '../../harness/messaging/account_mail.ts'
import {
  providedCompany,
  startCompanyProvider,
  type CompanyProviderServer,
} from '../../harness/identity/company_provider.ts'
import { addPasskey } from '../../harness/identity/factors.ts'
import { newBrowser } from '../../harness/web_client.ts'

let provider: CompanyProviderServer
let mailed: Awaited<ReturnType<typeof openMailScene>>
let company: Awaited<ReturnType<typeof providedCompany>>
let by: { user: string }
let second: { email: string; user: string }
let tech: { email: string }
before(async () => {
  provider = await startCompanyProvider()
  mailed = await openMailScene()
  company = await providedCompany(mailed.service, provider, 'Alder Plumbing')
  by = { user: company.owner.user_id }
  const owner = newBrowser(mailed.service)
  await owner.signIn(company.owner.email)
  await addPasskey(mailed.service, owner)
  const { email, user_id } = await company.hire('owner')
  second = { email, user: user_id }
  tech = await company.hire('tech')
  for (const one of [second.email, tech.email]) await newBrowser(mailed.service).signIn(one)
})
after(async () => {
  await mailed.stop()
  await provider.stop()
})

/** Returns the subject and text of the mails since the last call. */
async function newMails(email: string): Promise<{ subject: string; text: string }[]> {
  const found = (await mailed.mailsTo(email)).map(({ mail }) => ({ subject: mail.subject!, text: mail.text! }))
  mailed.server.taken.length = 0
  return found
}
const subjects = async (email: string): Promise<string[]> => (await newMails(email)).map(({ subject }) => subject)

describe("a change of the company's sign-in provider", () => {
  it('is mailed to the other owners, not to its author or to members', async () => {
    const { database } = mailed.service
    await newMails(second.email)
    await setCompanyProviderRequired(database, company.id, true, by)
    const waiting = await mailed.mailsTo(second.email)
    assert.equal(waiting.length, 1)
    assert.equal(waiting[0]!.mail.subject, "Ana Ruiz made the company's sign-in provider the only way to sign in")
    assert.match(
      waiting[0]!.mail.text!,
      /“Alder Plumbing Login”, at Alder Plumbing\.[^]*See Settings, Sign-in provider/,
    )
    for (const nobody of [company.owner.email, tech.email])
      assert.equal(
        (await mailed.mailsTo(nobody)).filter(({ mail }) => /sign-in provider/.test(mail.subject!)).length,
        0,
      )
  })

  it('is mailed for each change: optional, off, on, replaced and removed', async () => {
    const { database, config } = mailed.service
    await newMails(second.email)
    await setCompanyProviderRequired(database, company.id, false, by)
    await setCompanyProviderOn(database, company.id, false, by)
    await setCompanyProviderOn(database, company.id, true, by)
    const given = { issuer: provider.issuer, clientId: 'another', clientSecret: 'secret', name: 'Another' }
    await saveCompanyProvider(database, openDataKeys(config.dataKey), company.id, given, by)
    await removeCompanyProvider(database, company.id, by)
    assert.deepEqual((await subjects(second.email)).toSorted(), [
      "Ana Ruiz changed the company's sign-in provider",
      "Ana Ruiz made the company's sign-in provider optional",
      "Ana Ruiz removed the company's sign-in provider",
      "Ana Ruiz turned the company's sign-in provider off",
      "Ana Ruiz turned the company's sign-in provider on",
    ])
  })

  it("isn't mailed when nothing but the button's name changes", async () => {
    const { database, config } = mailed.service
    const other = await providedCompany(mailed.service, provider, 'Birch Cleaning')
    await other.join('owner', { email: second.email })
    await newMails(second.email)
    const own = { user: other.owner.user_id }
    await setCompanyProviderOn(database, other.id, true, own)
    await setCompanyProviderRequired(database, other.id, false, own)
    const given = { issuer: provider.issuer, clientId: 'callout-Birch Cleaning', clientSecret: '', name: 'Birch' }
    await saveCompanyProvider(database, openDataKeys(config.dataKey), other.id, given, own)
    assert.deepEqual(await subjects(second.email), [])
  })

  it('is shown to owners on the page when mail fails, and names the administrator', async () => {
    const { database } = mailed.service
    const cedar = await providedCompany(mailed.service, provider, 'Cedar Lawns')
    const owner = newBrowser(mailed.service)
    await owner.signIn(cedar.owner.email)
    mailed.server.how.atRecipient = () => '550 no such person'
    await setCompanyProviderOn(database, cedar.id, false, null)
    await mailed.post.run()
    delete mailed.server.how.atRecipient
    assert.match(
      (await owner.get('/account/notices')).text,
      /This service&#39;s administrator turned the company&#39;s sign-in provider off[^]*at Cedar Lawns/,
    )
  })
})

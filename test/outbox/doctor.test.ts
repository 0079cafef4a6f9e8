import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mailServerFinding } from '../../src/health/checks/mail_server.ts'
import { smsFinding } from '../../src/health/checks/sms.ts'
import { sayFinding } from '../../src/health/finding.ts'
import { startMailServer } from '../harness/messaging/mail_server.ts'
import { startSmsProvider } from '../harness/messaging/sms_provider.ts'

describe('doctor', () => {
  it('signs in to the mail server and shows its reply if that fails', async () => {
    const server = await startMailServer()
    try {
      const at = `127.0.0.1:${server.config.port}`
      assert.deepEqual(sayFinding(await mailServerFinding({ mailServer: server.config })), {
        check: 'mail server',
        ok: true,
        says: `connected to ${at}`,
      })
      const { ok, says } = sayFinding(await mailServerFinding({ mailServer: { ...server.config, password: 'x' } }))
      assert.equal(ok, false)
      assert.match(says, /535 Wrong password/)
      assert.deepEqual(server.taken, [])
    } finally {
      await server.stop()
    }
  })

  it('checks the account with the SMS provider', async () => {
    const { account, stop, taken } = await startSmsProvider()
    try {
      const good = sayFinding(await smsFinding({ smsAccount: account, smsFrom: '+16175550100' }))
      assert.deepEqual(
        [good.ok, good.says],
        [true, "signed in as Alder; texts come from +16175550100 or a company's own number"],
      )
      const bad = sayFinding(await smsFinding({ smsAccount: { ...account, token: 'x' }, smsFrom: null }))
      assert.deepEqual([bad.ok, bad.says], [false, '401 Authenticate'])
      assert.deepEqual(taken, [])
    } finally {
      await stop()
    }
  })
})

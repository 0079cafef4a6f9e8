import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mailServerFinding } from '../../health/checks/mail_server.ts'
import { paymentsFinding } from '../../health/checks/payments.ts'
import { smsFinding } from '../../health/checks/sms.ts'
import { sayFinding } from '../../health/finding.ts'
import { mailDomainFindings, type MailDns } from './doctor_mail.ts'

/** Returns a fake DNS with these records; other names don't exist. */
const dns = (mx: Record<string, string[]>, txt: Record<string, string[]>): MailDns => {
  const resolveRecords = <T>(answer: T[] | undefined): Promise<T[]> =>
    answer === undefined
      ? Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }))
      : Promise.resolve(answer)
  return {
    resolveMx: (name) => resolveRecords(mx[name]?.map((exchange, priority) => ({ exchange, priority }))),
    resolveTxt: (name) => resolveRecords(txt[name]?.map((text) => [text.slice(0, 5), text.slice(5)])),
  }
}

const readFindings = async (
  names: MailDns,
  domain = 'in.alder.example',
  selectors: readonly string[] = [],
): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await mailDomainFindings([domain, domain], selectors, names)).map(({ check, ok, says, mend }) => {
      assert.equal(ok, mend === undefined)
      return [check.split(' ')[0]!, `${ok ? 'ok' : 'WRONG'} ${says}`]
    }),
  )

describe('checks of the mail domains', () => {
  it('pass with an MX record, one SPF record with an ending and a DMARC record on a parent domain', async () => {
    const { DKIM, ...rest } = await readFindings(
      dns(
        { 'in.alder.example': ['mx1.example', 'mx2.example'] },
        {
          'in.alder.example': ['google=1', 'v=spf1 include:mail.example -all'],
          '_dmarc.alder.example': ['v=DMARC1; p=none'],
        },
      ),
    )
    assert.deepEqual(rest, {
      MX: 'ok mx1.example, mx2.example',
      SPF: 'ok v=spf1 include:mail.example -all',
      DMARC: 'ok v=DMARC1; p=none',
    })
    assert.match(DKIM!, /^ok not checked: set DKIM_SELECTOR/)
  })

  it('fail when MX, SPF and DMARC are missing', async () => {
    const { DKIM: _, ...rest } = await readFindings(dns({}, {}))
    assert.deepEqual(rest, { MX: 'WRONG no record', SPF: 'WRONG no record', DMARC: 'WRONG no record' })
  })

  it('fail for a null MX, for two SPF records and for an SPF record that allows every sender', async () => {
    const two = await readFindings(
      dns({ 'in.alder.example': [''] }, { 'in.alder.example': ['v=spf1 a -all', 'v=spf1 mx -all'] }),
    )
    assert.deepEqual([two['MX'], two['SPF']], ['WRONG no record', 'WRONG 2 records'])
    for (const all of ['all', '+all']) {
      const open = await readFindings(dns({}, { 'in.alder.example': [`v=spf1 ${all}`] }))
      assert.equal(open['SPF'], `WRONG v=spf1 ${all} lets anyone send`)
    }
  })

  it('pass with a DKIM key under one selector, and fail when the key is revoked or missing', async () => {
    const of = async (key: string): Promise<string | undefined> =>
      (await readFindings(dns({}, { 's2._domainkey.in.alder.example': [key] }), 'in.alder.example', ['s1', 's2']))[
        'DKIM'
      ]
    assert.equal(await of('v=DKIM1; k=rsa; p=MIGf'), 'ok s2 has a key')
    for (const gone of ['v=DKIM1; k=rsa; p=', 'v=DKIM1; p= ;', 'sp=1'])
      assert.equal(await of(gone), 'WRONG no key under s1, s2')
  })

  it('report a DNS timeout', async () => {
    const fails = (): Promise<never> => Promise.reject(Object.assign(new Error('no'), { code: 'ETIMEOUT' }))
    const rest = await readFindings({ resolveMx: fails, resolveTxt: fails })
    assert.equal(rest['SPF'], 'WRONG DNS lookup failed (ETIMEOUT)')
  })
})

describe('checks of the mail, SMS and payment services', () => {
  it('pass when the service is not configured', async () => {
    const findings = [
      sayFinding(await mailServerFinding({ mailServer: null })),
      sayFinding(await smsFinding({ smsAccount: null, smsFrom: null })),
      sayFinding(await paymentsFinding({ payments: null })),
    ]
    for (const { ok, says } of findings) assert.ok(ok && says.includes('not configured'))
  })

  it('fail when the service is unreachable, and name the setting to check', async () => {
    const from = { name: null, address: 'a@alder.example' }
    const mail = sayFinding(
      await mailServerFinding({
        mailServer: { host: '127.0.0.1', port: 9, tls: 'offered', user: null, password: null, from },
      }),
    )
    const sms = sayFinding(
      await smsFinding({ smsAccount: { id: 'AC1', token: 't', apiUrl: 'http://127.0.0.1:2' }, smsFrom: null }),
    )
    const payments = sayFinding(await paymentsFinding({ payments: { key: 'sk_test_x', apiUrl: 'http://127.0.0.1:2' } }))
    assert.equal(payments.ok, false)
    assert.match(payments.mend!, /^Check PAYMENTS_SECRET_KEY/)
    for (const { ok, says, mend } of [mail, sms]) {
      assert.equal(ok, false)
      assert.match(says, /ECONNREFUSED/)
      assert.match(mend!, /^Check /)
    }
  })
})

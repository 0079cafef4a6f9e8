import { Resolver } from 'node:dns/promises'
import type { TranslatedFinding } from '../../health/finding.ts'

/** DNS lookups, which tests replace. */
export type MailDns = Pick<Resolver, 'resolveMx' | 'resolveTxt'>

/** Reports whether mail from these domains is trusted and can be answered. */
export async function mailDomainFindings(
  domains: readonly string[],
  selectors: readonly string[],
  dns: MailDns = new Resolver({ timeout: 3_000, tries: 2 }),
): Promise<TranslatedFinding[]> {
  const findings = await Promise.all(
    [...new Set(domains)].map(async (domain) => {
      return Promise.all([
        mxFinding(domain, dns),
        spfFinding(domain, dns),
        dmarcFinding(domain, dns),
        dkimFinding(domain, selectors, dns),
      ])
    }),
  )
  return findings.flat()
}

async function mxFinding(domain: string, dns: MailDns): Promise<TranslatedFinding> {
  const check = `MX of ${domain}`
  const reply = await queryDns(() => dns.resolveMx(domain))
  if ('fault' in reply) return unansweredFinding(check, reply.fault)
  const hosts = reply.answer.filter(({ exchange }) => exchange !== '').map(({ exchange }) => exchange)
  if (hosts.length > 0) return { check, ok: true, says: hosts.join(', ') }
  const mend = `Publish an MX record for ${domain} that names your inbound mail provider, or replies are lost.`
  return { check, ok: false, says: 'no record', mend }
}

async function spfFinding(domain: string, dns: MailDns): Promise<TranslatedFinding> {
  const check = `SPF of ${domain}`
  const reply = await queryDns(() => dns.resolveTxt(domain))
  if ('fault' in reply) return unansweredFinding(check, reply.fault)
  const records = reply.answer.map((parts) => parts.join('')).filter((text) => /^v=spf1(?: |$)/i.test(text))
  const [record] = records
  if (record === undefined) {
    const mend = `Publish a TXT record for ${domain} such as "v=spf1 include:<your mail provider> -all".`
    return { check, ok: false, says: 'no record', mend }
  }
  if (records.length > 1)
    return { check, ok: false, says: `${records.length} records`, mend: 'Merge them: only one record is allowed.' }
  if (/\s\+?all\b/i.test(record))
    return { check, ok: false, says: `${record} lets anyone send`, mend: 'End it with -all or ~all.' }
  return { check, ok: true, says: record }
}

async function dmarcFinding(domain: string, dns: MailDns): Promise<TranslatedFinding> {
  const check = `DMARC of ${domain}`
  for (const ancestor of ancestorsOf(domain)) {
    const reply = await queryDns(() => dns.resolveTxt(`_dmarc.${ancestor}`))
    if ('fault' in reply) return unansweredFinding(check, reply.fault)
    const record = reply.answer.map((parts) => parts.join('')).find((text) => /^v=DMARC1\b/i.test(text))
    if (record !== undefined) return { check, ok: true, says: record }
  }
  const mend = `Publish a TXT record for _dmarc.${domain} such as "v=DMARC1; p=none; rua=mailto:you@${domain}".`
  return { check, ok: false, says: 'no record', mend }
}

/** Returns a domain and its parents, as far as they can have a DMARC policy. */
function ancestorsOf(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'))
}

/** Looks up a DKIM key under each of the selectors. An empty key is revoked (RFC 6376, 3.6.1). */
async function dkimFinding(domain: string, selectors: readonly string[], dns: MailDns): Promise<TranslatedFinding> {
  const check = `DKIM of ${domain}`
  if (selectors.length === 0) {
    const says =
      'not checked: set DKIM_SELECTOR to the selector your mail provider signs with, the s= in its signatures'
    return { check, ok: true, says }
  }
  for (const selector of selectors) {
    const reply = await queryDns(() => dns.resolveTxt(`${selector}._domainkey.${domain}`))
    if ('fault' in reply) return unansweredFinding(check, reply.fault)
    const records = reply.answer.map((parts) => parts.join(''))
    if (records.some((text) => /(?:^|;)\s*p=\s*[^;\s]/.test(text)))
      return { check, ok: true, says: `${selector} has a key` }
  }
  const says = `no key under ${selectors.join(', ')}`
  const mend = `Publish the key from your mail provider at ${selectors[0]!}._domainkey.${domain}.`
  return { check, ok: false, says, mend }
}

const unansweredFinding = (check: string, fault: string): TranslatedFinding => ({
  check,
  ok: false,
  says: `DNS lookup failed (${fault})`,
  mend: "Check this machine's DNS servers, then run the doctor again.",
})

/** Queries DNS. A name without records gives an empty answer. */
async function queryDns<T>(query: () => Promise<T[]>): Promise<{ answer: T[] } | { fault: string }> {
  try {
    return { answer: await query() }
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string }
    return code === 'ENOTFOUND' || code === 'ENODATA' ? { answer: [] } : { fault: code }
  }
}

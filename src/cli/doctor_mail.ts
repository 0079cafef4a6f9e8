import { Resolver } from 'node:dns/promises'
import type { Config } from '../config.ts'
import { checkSmtp } from '../outbox/senders/smtp.ts'
import type { Finding } from './finding.ts'

/** Is what is asked of DNS; a test answers itself. */
export type MailNames = Pick<Resolver, 'resolveMx' | 'resolveTxt'>

const WITHIN_MS = 15_000

/** Finds whether the mail server lets us in. */
export async function mailServerFinding({ mailServer }: Pick<Config, 'mailServer'>): Promise<Finding> {
  const check = 'mail server'
  if (mailServer === null)
    return { check, ok: true, says: 'not configured (SMTP_URL); mail is kept under Outbox and not sent' }
  const where = `${mailServer.host}:${mailServer.port}`
  try {
    await checkSmtp(mailServer, AbortSignal.timeout(WITHIN_MS))
    return { check, ok: true, says: `${where} lets us in` }
  } catch (error) {
    const mend = 'Check host, port, user and password of SMTP_URL, and whether this machine may reach the port.'
    return { check, ok: false, says: `${where}: ${(error as Error).message}`, mend }
  }
}

/** Finds whether others believe mail from these domains, and can answer it. */
export async function mailDomainFindings(
  domains: readonly string[],
  names: MailNames = new Resolver({ timeout: 3_000, tries: 2 }),
): Promise<Finding[]> {
  const found = await Promise.all(
    [...new Set(domains)].map((domain) =>
      Promise.all([mx(domain, names), spf(domain, names), dmarc(domain, names), dkim(domain)]),
    ),
  )
  return found.flat()
}

async function mx(domain: string, names: MailNames): Promise<Finding> {
  const check = `MX of ${domain}`
  const found = await answerOf(() => names.resolveMx(domain))
  if ('fault' in found) return unanswered(check, found.fault)
  const hosts = found.answer.filter(({ exchange }) => exchange !== '').map(({ exchange }) => exchange)
  if (hosts.length > 0) return { check, ok: true, says: hosts.join(', ') }
  const mend = `Publish an MX record of ${domain} that names the provider of inbound mail, or answers go nowhere.`
  return { check, ok: false, says: 'there is none', mend }
}

async function spf(domain: string, names: MailNames): Promise<Finding> {
  const check = `SPF of ${domain}`
  const found = await answerOf(() => names.resolveTxt(domain))
  if ('fault' in found) return unanswered(check, found.fault)
  const records = found.answer.map((parts) => parts.join('')).filter((text) => /^v=spf1(?: |$)/i.test(text))
  const [record] = records
  if (record === undefined) {
    const mend = `Publish a TXT record of ${domain} such as "v=spf1 include:<your mail provider> -all".`
    return { check, ok: false, says: 'there is none', mend }
  }
  if (records.length > 1)
    return { check, ok: false, says: `there are ${records.length}`, mend: 'Merge them: only one record is allowed.' }
  if (/\s\+?all\b/i.test(record))
    return { check, ok: false, says: `${record} lets everybody send`, mend: 'End it with -all or ~all.' }
  return { check, ok: true, says: record }
}

async function dmarc(domain: string, names: MailNames): Promise<Finding> {
  const check = `DMARC of ${domain}`
  for (const at of ancestorsOf(domain)) {
    const found = await answerOf(() => names.resolveTxt(`_dmarc.${at}`))
    if ('fault' in found) return unanswered(check, found.fault)
    const record = found.answer.map((parts) => parts.join('')).find((text) => /^v=DMARC1\b/i.test(text))
    if (record !== undefined) return { check, ok: true, says: record }
  }
  const mend = `Publish a TXT record of _dmarc.${domain} such as "v=DMARC1; p=none; rua=mailto:you@${domain}".`
  return { check, ok: false, says: 'there is none', mend }
}

/** Returns a domain and those above it, as far as a policy may stand there. */
function ancestorsOf(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'))
}

const dkim = (domain: string): Finding => ({
  check: `DKIM of ${domain}`,
  ok: true,
  says: 'not looked up: only your mail provider knows its selector; send yourself a message and look for dkim=pass',
})

const unanswered = (check: string, fault: string): Finding => ({
  check,
  ok: false,
  says: `DNS did not answer (${fault})`,
  mend: 'Check the DNS servers of this machine, then ask again.',
})

/** Returns what DNS says; a name without records is an empty answer. */
async function answerOf<T>(ask: () => Promise<T[]>): Promise<{ answer: T[] } | { fault: string }> {
  try {
    return { answer: await ask() }
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string }
    return code === 'ENOTFOUND' || code === 'ENODATA' ? { answer: [] } : { fault: code }
  }
}

import { createKey } from '../../src/access/credentials/keys.ts'
import type { Ceiling, Role } from '../../src/access/rights/areas.ts'
import { SCOPES } from '../../src/access/rights/scopes.ts'
import { readTenant, sql } from '../../src/db/tenant.ts'
import { callerOf, type Result, type TestService } from './harness.ts'
import { foundCompany, visitor, type Browser, type Seen } from './visiting.ts'

type Entry = { tool: string; record_id: string; user_id: string | null; changed: Record<string, [unknown, unknown]> }

/** A company with its owner at a browser, and a key of the owner for what agents do. */
export async function openOffice(service: TestService, name: string) {
  const company = await foundCompany(service, name)
  const { key } = await createKey(service.database, { tenant: company.id }, { user: company.owner.user_id, name: 'Agent', scopes: SCOPES, expires_at: null })
  const at = (...steps: string[]): string => `/${[company.id, ...steps].join('/')}`
  const signedIn = async (email: string): Promise<Browser> => {
    const browser = visitor(service)
    await browser.signIn(email)
    return browser
  }
  const browser = await signedIn(company.owner.email)
  const { call, send } = callerOf(service.url, key)
  return {
    ...company, at, call, send, browser, signedIn,
    hired: async (role: Role, areas?: Partial<Ceiling>) => {
      const member = await company.hire(role, areas)
      return { ...member, browser: await signedIn(member.email) }
    },
    customer: (first_name: string, more: object = {}): Promise<Result> => call('customers_create', { customer_type: 'individual', first_name, ...more }),
    entries: (record: string): Promise<Entry[]> => readTenant(service.database, { tenant: company.id }, (db) =>
      db.all<Entry>(sql`select tool, record_id, user_id, changed from audit where tenant_id = ${company.id} and record_id = ${record} order by id`)),
  }
}

export type Office = Awaited<ReturnType<typeof openOffice>>

const text = (html: string): string => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', '\'').replaceAll('&amp;', '&')

/** What a page says, as people read it. */
export const said = ({ text: html }: Pick<Seen, 'text'>): string => text(html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ')

const valueOf = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : text(found)
}

/** What the form that is sent to an address holds, as a browser would send it. */
export function formAt({ text: html }: Pick<Seen, 'text'>, action: string): [name: string, value: string][] {
  const form = [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([whole]) => whole).find((whole) => valueOf(/^<form[^>]*>/.exec(whole)![0], 'action') === action)
  if (form === undefined) throw new Error(`No form is sent to ${action}`)
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)].filter(([tag]) => !/type="(checkbox|radio)"/.test(tag) || /\schecked/.test(tag))
    .map(([tag]): [string, string] => [valueOf(tag, 'name') ?? '', valueOf(tag, 'value') ?? ''])
  const areas = [...form.matchAll(/<textarea\b([^>]*)>\n?([\s\S]*?)<\/textarea>/g)].map(([, tag, inside]): [string, string] => [valueOf(tag!, 'name')!, text(inside!)])
  const selects = [...form.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)].map(([, tag, inside]): [string, string] => {
    const options = [...inside!.matchAll(/<option\b([^>]*)>/g)].map(([, option]) => option!)
    return [valueOf(tag!, 'name')!, valueOf(options.find((option) => /\sselected/.test(option)) ?? options[0] ?? '', 'value') ?? '']
  })
  return [...inputs, ...areas, ...selects].filter(([name]) => name !== '')
}

/** Sends a form that was opened at a page, with what is typed over it; null takes a field out. */
export async function submit(browser: Browser, page: string, typed: Record<string, string | string[] | null> = {}, action = page): Promise<Seen> {
  const opened = formAt(await browser.get(page), action)
  const kept = opened.filter(([name]) => !(name in typed))
  const over = Object.entries(typed).flatMap(([name, value]): [string, string][] => (value === null ? [] : [value].flat().map((one) => [name, one])))
  return sendForm(browser, action, [...kept, ...over])
}

/** Sends fields of which some have several values. */
export const sendForm = (browser: Browser, action: string, fields: [string, string][]): Promise<Seen> =>
  browser.send(action, { method: 'POST', body: new URLSearchParams(fields), headers: { 'sec-fetch-site': 'same-origin' } })

/** The error beside a field. */
export const errorAt = ({ text: html }: Pick<Seen, 'text'>, name: string): string | undefined => {
  const found = new RegExp(`<p class="error" id="${name}-error">([^<]*)</p>`).exec(html)?.[1]
  return found === undefined ? undefined : text(found)
}

/** The form that a page keeps for a person who has to sign in first, as it was sent. */
export const keptIn = ({ text }: Pick<Seen, 'text'>): string => Buffer.from(/name="typed" value="([^"]*)"/.exec(text)?.[1] ?? '', 'base64url').toString()

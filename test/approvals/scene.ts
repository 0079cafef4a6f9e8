import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import type { Ceiling, Role } from '../../src/identity/permissions/areas.ts'
import { callerOf } from '../harness/harness.ts'
import { createCompany, startSite, newBrowser, type Browser, type BrowserResponse } from '../harness/web_client.ts'

const ALL = SCOPES as readonly string[]

/** Makes a service and companies, with an owner at a browser and agents that propose. */
export async function openScene() {
  const service = await startSite()
  const startCompany = async (name: string) => {
    const company = await createCompany(service, name)
    const signInAs = async (email: string): Promise<Browser> => {
      const browser = newBrowser(service)
      await browser.signIn(email)
      return browser
    }
    const keyOf = async (user: string | null, { scopes = ALL, proposes = ALL } = {}) => {
      const key = await createKey(
        service.database,
        { tenant: company.id },
        { user, name: 'Claude', scopes, proposes, expires_at: null },
      )
      return { id: key.id, key: key.key, ...callerOf(service.url, key.key) }
    }
    const hire = async (role: Role, areas?: Partial<Ceiling>) => {
      const member = await company.hire(role, areas)
      return { id: member.user_id, email: member.email, browser: await signInAs(member.email) }
    }
    return {
      id: company.id,
      ownerId: company.owner.user_id,
      ownerEmail: company.owner.email,
      owner: await signInAs(company.owner.email),
      keyOf,
      hire,
      at: (...steps: string[]) => `/${[company.id, ...steps].join('/')}`,
      /** Key of the owner that acts directly. */
      acting: await keyOf(company.owner.user_id, { proposes: [] }),
      agent: await keyOf(company.owner.user_id),
    }
  }
  return { service, startCompany }
}

export type SceneCompany = Awaited<ReturnType<Awaited<ReturnType<typeof openScene>>['startCompany']>>

type Said = { text: string; isError: boolean }

/** Returns the path of the proposal named in an answer. */
export const planIn = ({ text }: Said): string => new URL(/waits for approval at (\S+);/.exec(text)![1]!).pathname

/** Returns the id under which a record was proposed. */
export const idIn = ({ text }: Said): string => /under the id ([0-9a-f-]{36})/.exec(text)![1]!

/** Returns the fields of a proposal page's form with its preselected calls. */
export const formIn = ({ text }: BrowserResponse): [string, string][] => [
  ...[...text.matchAll(/<input type="hidden" name="(mark\.\d+)" value="([^"]*)"/g)].map(
    ([, name, value]): [string, string] => [name!, value!],
  ),
  ...[...text.matchAll(/name="pick" value="(\d+)"[^>]* checked/g)].map(([, value]): [string, string] => [
    'pick',
    value!,
  ]),
]

/** Returns the same fields with every call selected, including removals. */
export const wholeFormIn = (seen: BrowserResponse): [string, string][] => [
  ...formIn(seen).filter(([name]) => name !== 'pick'),
  ...[...seen.text.matchAll(/name="pick" value="(\d+)"/g)].map(([, value]): [string, string] => ['pick', value!]),
]

/** Sends a form whose fields may repeat. */
export async function decide(
  browser: Browser,
  path: string,
  fields: readonly [string, string][],
  baseUrl: string,
): Promise<BrowserResponse> {
  return browser.send(path, {
    method: 'POST',
    body: new URLSearchParams([...fields]),
    headers: { origin: baseUrl, 'sec-fetch-site': 'same-origin' },
  })
}

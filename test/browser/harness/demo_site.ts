import { findUser } from '../../../src/identity/people/users.ts'
import { makeDemo } from '../../../src/cli/installation/demo_company.ts'
import { emailOf } from '../../../src/cli/demo/people.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { callerOf, type Around } from '../../harness/harness.ts'
import { PASSWORD, givePassword, startSite } from '../../harness/web_client.ts'
import { openPage } from './launch.ts'
import { signInAs } from './sign_in.ts'

/** Members besides the owner who sign in here. The demo gives them no password. */
const COLLEAGUES = ['priya', 'luis'] as const
type Worker = 'dana' | (typeof COLLEAGUES)[number]

export type DemoSite = Awaited<ReturnType<typeof startDemo>>
export type AtWork = Awaited<ReturnType<DemoSite['atWork']>>

/** Starts the service with the demo company, and functions to sign its members in. */
export async function startDemo(env: Record<string, string> = {}, around: Around = {}) {
  const service = await startSite(env, around)
  const demo = await makeDemo(service.database, service.config)
  const { baseUrl } = service.config
  const path = (...steps: string[]): string => `/${[demo.tenant.id, ...steps].join('/')}`
  await Promise.all(
    COLLEAGUES.map(async (person) =>
      givePassword(service.database, demo.tenant.id, (await findUser(service.database, emailOf(person, 1))).id),
    ),
  )

  /** Signs a member in with a new browser profile, on the company's first page. */
  async function atWork(browser: Browser, person: Worker, options: BrowserContextOptions = {}) {
    const opened = await openPage(browser, options)
    complainOfAnswers(opened)
    await signInAs(opened.page, baseUrl, emailOf(person, 1), person === 'dana' ? demo.owner.password : PASSWORD)
    await opened.page.goto(baseUrl + path())
    return { ...opened, open: (...steps: string[]) => opened.page.goto(baseUrl + path(...steps)) }
  }

  return { service, demo, baseUrl, path, atWork, call: callerOf(service.url, demo.key).call, stop: service.stop }
}

/** Collects the failed requests of a page. A very busy machine may answer 503 with Retry-After. */
export function complainOfAnswers({ page, complaints }: { page: Page; complaints: string[] }): void {
  page.context().on('response', (response) => {
    const [status, isOver] = [response.status(), response.headers()['retry-after'] !== undefined]
    if (status >= 400 && !(status === 503 && isOver) && !response.request().isNavigationRequest())
      complaints.push(`${response.status()} ${response.url()}`)
  })
}

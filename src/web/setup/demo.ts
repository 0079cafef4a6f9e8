import { startCompanyAsOperator } from '../../identity/companies/starting/start_company.ts'
import { isOperator } from '../../identity/people/operators.ts'
import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { signInPerson } from '../../identity/sign_in/complete_sign_in.ts'
import { pageResponse, redirect } from '../../platform/http/answer.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { checkbox, field, hidden } from '../../platform/html/parts/field.ts'
import { html, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { deleteDemo } from '../../privacy/erase/demo_company.ts'
import { part } from '../../records/page/parts.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import type { MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { refusalNotice } from '../refusal_notice.ts'
import { requireOwner } from '../settings/settings_page.ts'
import { requireRecent } from '../sign_in/recent.ts'
import { addSessionCookies, originOf } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { mayStart } from './may_start.ts'
import { isZoneElsewhere, readCompany } from './sign_up.ts'
import { personFields } from '../sign_in/join.ts'
import { companyFields } from './sign_up_pages.ts'

/** Maximum resets of one demo in 15 minutes; each creates a thousand records. */
const MAX_RESETS = 5

/** Shows an owner of a demo company how to reset it and how to start their own. */
export async function showDemo(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireDemo(site, request)
  return page(site, request, context)
}

async function requireDemo(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireOwner(site, request)
  if (!context.session.isDemo) throw notFoundRefusal()
  return context
}

type DemoForm = { typed?: URLSearchParams; refusal?: Refusal }

async function page(
  site: Site,
  request: PageRequest,
  context: MemberContext,
  { typed, refusal }: DemoForm = {},
): Promise<Response> {
  const own = (await isOperator(site.database, context.user.id))
    ? operatorForm(context, request, typed)
    : html`<p class="actions">${linkButton(say`Start your company`, startPath(site), 'main')}</p>`
  return pageResponse(
    frame(context, {
      title: say`Demo company`,
      here: context.path(),
      width: 'wide',
      styles: ['setup.css'],
      body: html`
<header class="page-head"><h1>${say`Demo company`}</h1></header>
<p class="lead">${say`Try anything. All data is made up, and you can reset it.`}</p>
${refusal === undefined ? '' : refusalNotice(refusal)}
${part(say`Start over`, resetForm(context))}
${part(say`Your own company`, own)}`,
    }),
    { status: refusal === undefined ? (typed === undefined ? 200 : 422) : statusOf(refusal) },
  )
}

const startPath = (site: Site): string => (mayStart(site) ? '/start' : '/docs/company')

const resetForm = (context: MemberContext): Html => html`
  <p>${say`Creates all demo records again. People, passwords and keys stay. It takes a few seconds.`}</p>
  <form method="post" action="${context.path('demo')}">${hidden('act', 'reset')}
    <p class="actions">${button({ label: say`Reset demo` })}</p>
  </form>`

const regionChoiceOf = (request: PageRequest) => (request.req.query('zones') === 'all' ? 'zones' : 'countries')

const operatorForm = (context: MemberContext, request: PageRequest, form: URLSearchParams | undefined): Html => html`
  <form class="form" method="post" action="${context.path('demo')}">${hidden('act', 'own')}
    ${companyFields(form, regionChoiceOf(request), `${context.path('demo')}?zones=all`)}
    ${field({
      name: 'email',
      label: say`Your email`,
      type: 'email',
      value: form?.get('email') ?? '',
      autocomplete: 'username',
      isRequired: true,
    })}${personFields(form?.get('name') ?? '')}
    ${checkbox({
      name: 'deletes_demo',
      label: say`Delete the demo company`,
      isChecked: form === undefined || form.has('deletes_demo'),
      help: say`With all of its records and people. This can't be undone.`,
    })}
    <p class="actions">${button({ label: say`Start company`, kind: 'main' })}</p>
  </form>`

/** Resets the demo, or starts the user's own company and deletes the demo. */
export async function saveDemo(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireDemo(site, request)
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  return sent.get('act') === 'own' ? startOwnCompany(site, request, context, sent) : resetDemo(site, context)
}

async function resetDemo(site: Site, context: MemberContext): Promise<Response> {
  const { id } = context.company
  const wait = await takeAttempt(site.database, [{ subject: `demo reset ${id}`, max: MAX_RESETS }])
  if (wait > 0)
    return redirectWithMessage(context.path('demo'), { sentence: say`Too many resets. Try again in a few minutes.` })
  await resetOnce(site, id)
  return redirectWithMessage(context.path(), { sentence: say`The demo was reset.` })
}

const runningResets = new Map<string, Promise<void>>()

/** Resets a demo; concurrent requests share one reset. */
function resetOnce(site: Site, tenant: string): Promise<void> {
  const running = runningResets.get(tenant) ?? site.resetDemo(tenant).finally(() => runningResets.delete(tenant))
  runningResets.set(tenant, running)
  return running
}

async function startOwnCompany(
  site: Site,
  request: PageRequest,
  context: MemberContext,
  sent: URLSearchParams,
): Promise<Response> {
  await requireRecent(site, request, context.session, sent)
  const company = readCompany(sent)
  if (isZoneElsewhere(company, sent)) return page(site, request, context, { typed: sent })
  const [email, name, password] = [sent.get('email') ?? '', sent.get('name') ?? '', sent.get('password') ?? '']
  try {
    const {
      tenant,
      isClaimed: _,
      ...person
    } = await startCompanyAsOperator(
      site.database,
      { person: { email, name, password }, company },
      { user: context.user.id },
    )
    if (sent.has('deletes_demo')) await deleteDemo(site.database, context.company.id, site.storage)
    const signInResult = await signInPerson(site.database, person, ['password'], originOf(site, request))
    const to = `/${tenant}/setup`
    return signInResult === null ? redirect(`/sign-in?to=${to}`) : addSessionCookies(site, signInResult, redirect(to))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return page(site, request, context, { typed: sent, refusal: error })
  }
}

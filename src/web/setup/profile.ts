import { changeCompany, findCompany, type CompanyDraft } from '../../identity/companies/company.ts'
import { logoInfo } from '../../files/logo.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, hidden, textArea } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { catchRefusal, requireOwner } from '../settings/settings_page.ts'
import type { Site } from '../site.ts'
import { redirectToNextStep, stepPage, type StepView } from './step_page.ts'

/** Fields of the company profile in this step; the others stay unchanged. */
const FIELD_NAMES = ['address', 'phone', 'email', 'license_number'] as const

/** Renders the letterhead step: address, phone, license and logo. */
export async function drawProfile({ site, context, form }: StepView): Promise<Html> {
  const [company, logo] = await Promise.all([findCompany(site.database, context.company.id), context.read(logoInfo)])
  const value = (name: (typeof FIELD_NAMES)[number]): string => form?.get(name) ?? company[name] ?? ''
  return html`
  <form class="form setup-logo" method="post" enctype="multipart/form-data"
    action="${context.path('settings', 'company', 'logo')}">${hidden('to', context.path('setup', 'profile'))}${when(
      logo,
      ({ id, width, height }) => html`
    <p><img class="company-logo" src="${context.path('logo', id)}" alt="${context.company.name}" width="${width}"
      height="${height}"></p>`,
    )}
    <div class="pair">${field({
      name: 'logo',
      label: say`Logo`,
      type: 'file',
      accepts: 'image/png,image/jpeg',
      help: say`PNG or JPEG, at most 512 kB`,
    })}${button({ label: say`Upload` })}</div>
  </form>
  <form class="form" method="post" action="${context.path('setup', 'profile')}">
    ${textArea({
      name: 'address',
      label: say`Address`,
      value: value('address'),
      help: say`Printed at the top`,
      rows: 3,
    })}
    <div class="pair">${field({ name: 'phone', label: say`Phone`, type: 'tel', value: value('phone') })}${field({
      name: 'email',
      label: say`Email`,
      type: 'email',
      value: value('email'),
    })}</div>
    ${field({
      name: 'license_number',
      label: say`License number`,
      value: value('license_number'),
      help: say`Many states require it on quotes and invoices`,
    })}
    <p class="actions">${button({ label: say`Save and continue`, kind: 'main' })}</p>
  </form>`
}

export async function saveProfile(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const company = await findCompany(site.database, context.company.id)
      const present = Object.entries(company).map(([name, value]) => [name, String(value ?? '')])
      const entered = FIELD_NAMES.map((name) => [name, sent.get(name) ?? ''])
      const draft: CompanyDraft = Object.fromEntries([...present, ...entered])
      await changeCompany(site.database, context.company.id, draft, { user: context.user.id })
      return redirectToNextStep(context, 'profile')
    },
    (refusal) => {
      const view = { site, context, form: sent }
      return stepPage('profile', view, drawProfile(view), refusal)
    },
  )
}

import type { CompanyModel } from '../../assistant/models/model.ts'
import {
  findCompanyModel,
  removeCompanyModel,
  saveCompanyModel,
  type CompanyModelForm,
  type CompanyModelView,
} from '../../assistant/company_models.ts'
import { isPreparing, setPreparing } from '../../assistant/preparing.ts'
import { assistantProposes, setAssistantProposes } from '../../identity/credentials/caller.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { button } from '../../platform/html/parts/button.ts'
import { checkbox, field, select } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { part } from '../../records/page/parts.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { requireRecent } from '../sign_in/recent.ts'
import type { Site } from '../site.ts'
import { usageParts } from './assistant_usage.ts'
import { catchRefusal, isOwner, settingsPage, settingsPath } from './settings_page.ts'

/** Shows the assistant's rights and usage for this person. Owners can connect the company's model. */
export async function showAssistantSettings(site: Site, request: PageRequest): Promise<Response> {
  return page(site, await requireMemberContext(site, request))
}

/** Handles the pressed button: sets whether the assistant proposes, saves the company's model, or removes it. */
export async function saveAssistantSettings(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const sent = await readFormFields(request.req.raw)
  const action = sent.get('act') ?? ''
  if (action !== 'mode' && !isOwner(context)) throw notFoundRefusal()
  if (action !== 'mode' || !sent.has('proposes')) await requireRecent(site, request, context.session, sent)
  return catchRefusal(
    async () => {
      await applyAction(site, context, action, sent)
      return redirectWithMessage(settingsPath(context, 'assistant'), { sentence: say`Saved` })
    },
    (refusal) => page(site, context, { refusal, form: readModelForm(sent) }),
  )
}

async function applyAction(site: Site, context: MemberContext, action: string, sent: URLSearchParams): Promise<void> {
  const { database, dataKeys } = site
  const [tenant, by] = [context.company.id, { user: context.user.id }]
  if (action === 'prepare') return setPreparing(database, tenant, sent.has('prepares'), by)
  if (action === 'mode')
    return context.withCaller((caller) => setAssistantProposes(database, caller, sent.has('proposes')))
  if (action === 'remove') return removeCompanyModel(database, tenant, by)
  return saveCompanyModel(database, dataKeys, tenant, readModelForm(sent), by)
}

const readModelForm = (sent: URLSearchParams): CompanyModelForm => ({
  provider: sent.get('provider') ?? '',
  model: sent.get('model') ?? '',
  url: sent.get('url') ?? '',
  key: sent.get('key') ?? '',
  input_price: sent.get('input_price') ?? '',
  output_price: sent.get('output_price') ?? '',
})

type Failure = { refusal: Refusal; form: CompanyModelForm }

async function page(site: Site, context: MemberContext, failure?: Failure): Promise<Response> {
  const [model, own, prepares] = await Promise.all([
    readModel(site, context),
    isOwner(context) ? context.read(findCompanyModel) : undefined,
    isOwner(context) ? context.read(isPreparing) : undefined,
  ])
  return settingsPage(
    context,
    'assistant',
    say`Assistant`,
    html`
<p class="lead">
  ${say`It answers from your company's records and prepares changes, with your permissions only.`}
</p>
<div class="parts">
<div class="column">${await modePart(context)}${when(isOwner(context), () =>
      modelPart(context, model, own, failure?.form),
    )}${prepares === undefined ? '' : preparePart(context, prepares)}</div>
<div class="column">${await usageParts(site, context)}</div>
</div>`,
    failure?.refusal,
  )
}

const readModel = async ({ assistant }: Site, { company }: MemberContext): Promise<CompanyModel | null> =>
  (await assistant?.modelOf(company.id)) ?? null

async function modePart(context: MemberContext): Promise<Html> {
  const proposes = await context.read((db) => assistantProposes(db, context.user.id))
  return part(
    say`Changes`,
    html`
<form class="form" method="post" action="${settingsPath(context, 'assistant')}">
  ${checkbox({
    name: 'proposes',
    label: say`Ask me before every change`,
    help: say`Otherwise it makes changes at once. Either way you can undo them, and your company's rules hold.`,
    isChecked: proposes,
  })}
  <p class="actions">${button({ label: say`Save`, name: 'act', value: 'mode' })}</p>
</form>`,
  )
}

/** Draws the setting that prepares answers to new messages. */
const preparePart = (context: MemberContext, isOn: boolean): Html =>
  part(
    say`New messages`,
    html`
<form class="form" method="post" action="${settingsPath(context, 'assistant')}">
  ${checkbox({
    name: 'prepares',
    label: say`Prepare answers to customers`,
    help: say`It drafts an answer, and proposes the visit or new customer. You send and approve.`,
    isChecked: isOn,
  })}
  <p class="actions">${button({ label: say`Save`, name: 'act', value: 'prepare' })}</p>
</form>`,
  )

/** Draws the company's model, and the form in which owners connect their own. */
const modelPart = (
  context: MemberContext,
  model: CompanyModel | null,
  own: CompanyModelView | undefined,
  form: CompanyModelForm = toForm(own),
): Html =>
  part(
    say`Language model`,
    html`
<p>${modelText(model)}</p>
${modelForm(context, own, form)}${when(
      own,
      () => html`
<form method="post" action="${settingsPath(context, 'assistant')}">
  <p class="actions">${button({ label: say`Remove model`, kind: 'danger', name: 'act', value: 'remove' })}</p>
</form>`,
    )}`,
  )

const modelForm = (context: MemberContext, own: CompanyModelView | undefined, form: CompanyModelForm): Html => html`
<form class="form" method="post" action="${settingsPath(context, 'assistant')}">
  ${select({
    name: 'provider',
    label: say`Provider`,
    chosen: form.provider,
    options: [
      { value: 'anthropic', label: 'Anthropic' },
      { value: 'openai-compatible', label: say`OpenAI-compatible` },
    ],
  })}
  ${field({ name: 'model', label: say`Model`, value: form.model, isRequired: true })}
  ${field({
    name: 'url',
    label: say`Address of the API`,
    type: 'url',
    value: form.url,
    help: say`Only for OpenAI-compatible. It must be public and begin with https://.`,
  })}
  ${field({
    name: 'key',
    label: say`API key`,
    type: 'password',
    help: own?.has_key === true ? say`Leave it empty to keep the key that is saved.` : say`It is stored encrypted.`,
  })}
  ${field({
    name: 'input_price',
    label: say`Dollars per million input tokens`,
    value: form.input_price,
    keys: 'decimal',
    help: say`Optional. With both prices, costs are shown.`,
  })}
  ${field({
    name: 'output_price',
    label: say`Dollars per million output tokens`,
    value: form.output_price,
    keys: 'decimal',
  })}
  <p class="help">${say`The provider gets your messages and the records that are looked up, but no files.`}</p>
  <p class="actions">${button({ label: say`Save model`, kind: 'main', name: 'act', value: 'model' })}</p>
</form>`

function modelText(model: CompanyModel | null): string {
  if (model === null) return say`No model is connected, so there is no assistant on your pages.`
  return model.isOwn
    ? say`Your company uses its own model, ${model.config.model}.`
    : say`Your company uses the model of this installation, ${model.config.model}. You can connect your own.`
}

const toForm = (own: CompanyModelView | undefined): CompanyModelForm => ({
  provider: own?.provider ?? 'anthropic',
  model: own?.model ?? '',
  url: own?.url ?? '',
  key: '',
  input_price: own?.input_price == null ? '' : String(own.input_price),
  output_price: own?.output_price == null ? '' : String(own.output_price),
})

import { startAutopay, stopAutopay } from '../../../payments/saved/autopay_consent.ts'
import type { CustomerConsent } from '../../../payments/saved/consent.ts'
import { removeSavedMethod } from '../../../payments/saved/saved_method.ts'
import { settleSetups, startSetup } from '../../../payments/saved/setup.ts'
import { redirect } from '../../../platform/http/answer.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { currentReader } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { isId, newId } from '../../../platform/validation/id.ts'
import { redirectWithMessage, takeFlashMessage, type FlashMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { LINK_HEADERS } from '../customer_page.ts'
import { openLinkContext, type LinkContext } from '../link_context.ts'
import { unknownLinkPage } from '../link_errors.ts'
import { autopayText, savingText } from './consent_texts.ts'
import { hasSavedPage, readSavedPayments, methodPage, setupRefusalText, type SavedPaymentsView } from './saved_page.ts'

/** Shows the saved payment method of the link's customer. Links to quotes have no such page. */
export async function showSavedMethod(site: Site, request: PageRequest): Promise<Response> {
  const opened = await openSavedPayments(site, request)
  return opened instanceof Response
    ? opened
    : methodPage(opened.context, opened.view, { flashMessage: takeFlashMessage(request) })
}

/** Handles the return from the provider's page, and asks the provider what was saved. */
export async function returnFromSetup(site: Site, request: PageRequest): Promise<Response> {
  const opened = await openSavedPayments(site, request)
  if (opened instanceof Response) return opened
  const { context } = opened
  if (site.savedPayments !== null) await settleSetups(context.write, site.savedPayments, context.link.customer_id)
  const { method } = await readSavedPayments(context)
  return redirectWithMessage(`${context.base}/saved`, {
    sentence:
      method !== undefined ? say`Saved. Thank you.` : say`Your bank is checking the account. It will show here.`,
  })
}

/** Handles the pressed button: saves or removes a method, starts or stops autopay. */
export async function changeSavedMethod(site: Site, request: PageRequest): Promise<Response> {
  const opened = await openSavedPayments(site, request)
  if (opened instanceof Response) return opened
  const { context, view } = opened
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  if (sent.get('act') === 'save') return saveMethod(site, opened, consentOf(request, context), sent)
  const message = await applyAction(context, view, consentOf(request, context), sent)
  return message === undefined ? unknownLinkPage() : redirectWithMessage(`${context.base}/saved`, message)
}

async function applyAction(
  { company, link, write }: LinkContext,
  { settings, method, plans }: SavedPaymentsView,
  consent: Omit<CustomerConsent, 'text'>,
  sent: URLSearchParams,
): Promise<FlashMessage | undefined> {
  const customer = link.customer_id
  const by = { by: 'customer', link: link.id, name: link.customer_name } as const
  switch (sent.get('act')) {
    case 'remove':
      await write((db) => removeSavedMethod(db, customer, by))
      return { sentence: say`Removed. It isn’t charged anymore.` }
    case 'stop': {
      const id = sent.get('id') ?? ''
      if (!isId(id)) return undefined
      await write((db) => stopAutopay(db, customer, id, by))
      return { sentence: say`Automatic payments have stopped.` }
    }
    case 'autopay': {
      const plan = plans.find(({ id }) => id === sent.get('plan'))
      if (!settings.offers_autopay || method === undefined) return undefined
      if (plan === undefined && sent.get('plan') !== '') return undefined
      const text = autopayText(company.name, plan?.name ?? null)
      const isOn = await write((db) => startAutopay(db, customer, plan?.id ?? null, { ...consent, text }))
      return isOn ? { sentence: say`Automatic payments are on.` } : undefined
    }
    default:
      return undefined
  }
}

type SavedPaymentsContext = { context: LinkContext; view: SavedPaymentsView }

async function saveMethod(
  site: Site,
  { context, view }: SavedPaymentsContext,
  consent: Omit<CustomerConsent, 'text'>,
  sent: URLSearchParams,
): Promise<Response> {
  const idempotencyKey = sent.get('press') ?? ''
  const pageUrl = `${site.baseUrl}${context.base}/saved`
  const setup =
    site.savedPayments === null || !view.settings.saves_methods
      ? 'unavailable'
      : await startSetup(context.write, site.savedPayments, {
          idempotencyKey: isId(idempotencyKey) ? idempotencyKey : newId(),
          customer: context.link.customer_id,
          currency: context.currency,
          language: currentReader().language,
          consent: { ...consent, text: savingText(context.company.name) },
          savedUrl: `${pageUrl}/done`,
          backUrl: pageUrl,
        })
  if (typeof setup === 'object') return redirect(setup.url, LINK_HEADERS)
  const status = setup === 'unreachable' ? 503 : 409
  return methodPage(context, view, { status, problem: setupRefusalText(setup, context) })
}

async function openSavedPayments(site: Site, request: PageRequest): Promise<SavedPaymentsContext | Response> {
  const context = await openLinkContext(site, request)
  if (context instanceof Response) return context
  if (context.link.kind === 'quotes') return unknownLinkPage()
  const view = await readSavedPayments(context)
  return hasSavedPage(view) ? { context, view } : unknownLinkPage()
}

const consentOf = ({ req }: PageRequest, { link, clientAddress }: LinkContext): Omit<CustomerConsent, 'text'> => ({
  link: link.id,
  address: clientAddress.slice(0, 64),
  userAgent: req.header('user-agent')?.slice(0, 300) ?? null,
  name: link.customer_name.slice(0, 100),
})

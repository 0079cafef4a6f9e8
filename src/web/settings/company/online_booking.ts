import {
  DEFAULT_RULES,
  findBookingPage,
  saveBookingRules,
  saveServices,
  type BookingRules,
} from '../../../customer_portal/booking/booking_page.ts'
import { listWaiting } from '../../../customer_portal/booking/book.ts'
import { readRules } from '../../../customer_portal/booking/rules_draft.ts'
import { listServices, readService, withService } from '../../../customer_portal/booking/bookable_service.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { listBookableItems } from '../../../records/catalog_items/index.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { requireOfficeMember, catchRefusal, settingsPage, settingsPath } from '../settings_page.ts'
import { addressPart, rulesPart, servicesPart, waitingPart } from './online_booking_parts.ts'

/** Shows the booking page's rules and services, and the rules for customers who change visits. */
export async function showOnlineBooking(site: Site, request: PageRequest): Promise<Response> {
  return page(site, await requireOfficeMember(site, request))
}

/** Saves the rules or a service, depending on the form. */
export async function saveOnlineBooking(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOfficeMember(site, request)
  const sent = await readFormFields(request.req.raw)
  const by = { user: context.user.id }
  return catchRefusal(
    async () => {
      if (sent.get('act') === 'rules') await context.write((db) => saveBookingRules(db, readRules(sent), by))
      else await saveOneService(context, sent)
      return redirectWithMessage(settingsPath(context, 'booking'), { sentence: say`Saved` })
    },
    (refusal) => page(site, context, refusal, sent),
  )
}

const saveOneService = (context: MemberContext, sent: URLSearchParams): Promise<void> =>
  context.write(async (db) => {
    const by = { user: context.user.id }
    const id = sent.get('catalog_item_id') ?? ''
    if (sent.get('act') === 'remove')
      return saveServices(db, by, (before) => before.filter(({ catalog_item_id }) => catalog_item_id !== id))
    const service = await readService(db, {
      catalog_item_id: id,
      minutes: sent.get('minutes') ?? '',
      price: sent.get('price') ?? '',
      questions: [1, 2, 3].map((n) => sent.get(`question_${n}`) ?? ''),
    })
    return saveServices(db, by, (before) => withService(before, service))
  })

async function page(site: Site, context: MemberContext, refusal?: Refusal, sent?: URLSearchParams): Promise<Response> {
  const { stored, services, items, waiting } = await context.read(async (db) => {
    const [stored, items, waiting] = await Promise.all([findBookingPage(db), listBookableItems(db), listWaiting(db)])
    return { stored, waiting, services: await listServices(db, stored?.services ?? []), items }
  })
  const rules = stored ?? DEFAULT_RULES
  const address = rules.name === null ? undefined : `${site.baseUrl}/book/${rules.name}`
  const isListed = (id: string): boolean => services.some(({ catalog_item_id }) => catalog_item_id === id)
  return settingsPage(
    context,
    'booking',
    say`Online booking`,
    html`
<h2>${say`Online booking`}</h2>
<p class="lead">${say`Let new and existing customers book visits on your own page. They see only free times.`}</p>
${waitingPart(context, waiting)}
${addressPart(rules, address, services.length)}
${rulesPart(context, rulesFromForm(rules, sent), site.baseUrl)}
${servicesPart(
  context,
  services,
  items.filter(({ id }) => !isListed(id)),
)}`,
    refusal,
  )
}

/** Returns the rules to show in the form: those just refused, else the saved ones. */
const rulesFromForm = (rules: BookingRules, sent: URLSearchParams | undefined): BookingRules =>
  sent?.get('act') !== 'rules'
    ? rules
    : {
        ...rules,
        name: (sent.get('name') ?? '').slice(0, 60),
        is_on: sent.has('is_on'),
        needs_approval: sent.get('needs_approval') === 'yes',
        frame_origins: (sent.get('frame_origins') ?? '').slice(0, 2_000).split(/\s+/),
        changes_bookable_only: sent.get('changes') === 'bookable',
      }

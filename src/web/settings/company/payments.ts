import { savePaymentSettings } from '../../../payments/saved/payment_settings.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { readMoney } from '../../../records/fields/fields.ts'
import { money } from '../../../records/format/formats.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { refusals } from '../../refusals.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, requireRecentOwner, settingsPath } from '../settings_page.ts'
import { showCompany } from './company.ts'

/** Saves the company's card payment settings, for an owner who recently authenticated. */
export async function savePayments(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireRecentOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => {
      const settings = {
        saves_methods: sent.get('saves_methods') === 'yes',
        offers_autopay: sent.get('offers_autopay') === 'yes',
        takes_parts: sent.get('takes_parts') === 'yes',
        takes_tips: sent.get('takes_tips') === 'yes',
        max_charge_cents: readMaxCharge(sent.get('max_charge') ?? '', context.company.currency),
      }
      await context.write((db) => savePaymentSettings(db, settings, { user: context.user.id }))
      return redirectWithMessage(settingsPath(context, 'company'), { sentence: say`Card payments saved.` })
    },
    (refusal) => showCompany(site, request, refusal),
  )
}

/** Upper bound of the charge limit in minor units: the provider's maximum for one charge. */
const MAX_LIMIT_CENTS = 99_999_999

function readMaxCharge(text: string, currency: string): number {
  const cents = readMoney('max_charge', text.trim() === '' ? '0' : text.trim(), currency) ?? 0
  if (cents < 0 || cents > MAX_LIMIT_CENTS)
    throw invalidField('max_charge', refusals.maxCharge({ max: money(MAX_LIMIT_CENTS, currency) }))
  return cents
}

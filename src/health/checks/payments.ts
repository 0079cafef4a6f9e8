import type { Config } from '../../platform/config/config.ts'
import { openPaymentsApi } from '../../payments/payments_api.ts'
import { phrase } from '../../platform/i18n/phrase.ts'
import { wrongFinding, type Finding } from '../finding.ts'

/** Reports whether the payments provider accepts our key. */
export async function paymentsFinding({ payments }: Pick<Config, 'payments'>): Promise<Finding> {
  const check = 'Payments key'
  if (payments === null)
    return { check, ok: true, says: phrase`not configured (PAYMENTS_SECRET_KEY); links show other ways to pay` }
  try {
    const { livemode } = await openPaymentsApi(payments).get('/v1/balance')
    return {
      check,
      ok: true,
      says: livemode
        ? phrase`accepted by the provider, for live payments`
        : phrase`accepted by the provider, for test payments`,
    }
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 200) : phrase`the provider did not respond`
    const fix = phrase`Check PAYMENTS_SECRET_KEY, and that this machine can reach PAYMENTS_API_URL.`
    return wrongFinding(check, message, fix)
  }
}

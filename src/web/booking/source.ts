import type { BookingStep } from '../../customer_portal/booking/step_token.ts'
import { normalizeText } from '../../platform/validation/text/text.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'

const MAX_LENGTH = 120

/**
 * Returns where a visitor came from: the referring page without its query, and the campaign in the URL. Both are
 * untrusted: truncated, on one line, without control characters.
 */
export function sourceOf(request: PageRequest): BookingStep['source'] {
  const { searchParams, origin } = new URL(request.req.url)
  const named = searchParams.get('page')
  const referrer = URL.parse(named ?? request.req.header('referer') ?? '')
  const isExternal = referrer !== null && /^https?:$/.test(referrer.protocol) && referrer.origin !== origin
  const campaign = ['utm_campaign', 'utm_source', 'utm_medium']
    .map((name) => clean(searchParams.get(name) ?? ''))
    .filter((part) => part !== '')
  return {
    page: isExternal ? clean(referrer.host + referrer.pathname.replace(/\/$/, '')) : '',
    campaign: clean(searchParams.get('campaign') ?? campaign.join(' / ')),
  }
}

function clean(text: string): string {
  const line = normalizeText(text.slice(0, 4 * MAX_LENGTH).replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' '), 4 * MAX_LENGTH)
  return 'text' in line ? Array.from(line.text).slice(0, MAX_LENGTH).join('').trim() : ''
}

/** Returns the query that passes a source on to the next page. */
export const toQuery = ({ page, campaign }: BookingStep['source']): Record<string, string> => ({
  ...(page === '' ? {} : { page: `https://${page}` }),
  ...(campaign === '' ? {} : { campaign }),
})

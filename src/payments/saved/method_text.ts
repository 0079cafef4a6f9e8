import { currentLocale } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'

type Method = { kind: string | null; brand: string | null; last_four: string | null; expires_on?: string | null }

/** Returns the description of a saved method: brand or bank, and the last digits. */
export function methodText({ kind, brand, last_four: digits }: Method): string {
  const name = brand === null ? (kind === 'card' ? say`Card` : say`Bank account`) : (BRANDS[brand] ?? capitalize(brand))
  return digits === null ? name : say`${name} ending in ${digits}`
}

/** Returns the expiry text of a card, with a month such as 08/2028. */
export const expiryText = ({ expires_on }: Method): string | undefined =>
  expires_on == null
    ? undefined
    : say`Good until ${new Intl.DateTimeFormat(currentLocale(), {
        month: '2-digit',
        year: 'numeric',
        timeZone: 'UTC',
      }).format(Date.parse(`${expires_on.slice(0, 10)}T00:00:00Z`))}`

/** Display names of card brands that differ from their codes. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

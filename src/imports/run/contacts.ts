import type { MappedRow } from '../reading/incoming.ts'
import { omitUndefined, splitList } from '../reading/values.ts'

type Fields = Record<string, unknown>

/** Returns a customer's main email and phone, and any others as separate contacts. */
export function parseContacts(cells: MappedRow['cells']): { main: Fields; others: Fields[] } {
  const emails = parseEmails(cells['email'])
  const phones = [
    ...parsePhones(cells['phone']),
    ...parsePhones(cells['mobile_phone'], 'Mobile'),
    ...parsePhones(cells['home_phone'], 'Home'),
    ...parsePhones(cells['work_phone'], 'Work'),
  ]
  const digits = new Set<string>()
  const distinct = phones.filter(({ phone }) => {
    const key = phone.replace(/\D/g, '')
    return !digits.has(key) && Boolean(digits.add(key))
  })
  return {
    main: omitUndefined({ email: emails[0], phone: distinct[0]?.phone }),
    others: [...distinct.slice(1).map(omitUndefined), ...[...new Set(emails.slice(1))].map((email) => ({ email }))],
  }
}

/** Checks whether a cell's text means that it is empty. */
const isEmptyMarker = (text: string): boolean =>
  /^(?:n\/?a|#n\/a|none|null|nil|unknown|no (?:e-?mail|phone)|noemail|nophone|0|[-.?x]+)$/i.test(text)

/** Parses the email addresses of a cell: `ana@example.com; Ana <ana@example.net>`. */
export function parseEmails(text = ''): string[] {
  const bracketed = [...text.slice(0, MAX_CELL_LENGTH).matchAll(/<([^<>@\s]{1,100}@[^<>@\s]{1,200})>/g)].map(
    ([, address = '']) => address,
  )
  if (bracketed.length > 0) return bracketed
  if (isEmptyMarker(text.trim())) return []
  return splitList(text, /[;,\s]+/).map((one) => one.replace(/^mailto:/i, ''))
}

type Phone = { phone: string; role_label?: string | undefined }

/**
 * Parses the phone numbers of a cell with their labels: `512-555-0101 / 512-555-0102`, `Phone:(512) 555-0101
 * Mobile:(512) 555-0102`, `512-555-0103 (wife)`.
 */
export function parsePhones(text = '', label?: string): Phone[] {
  const parts = text
    .slice(0, MAX_CELL_LENGTH)
    .replaceAll(/\b(?:phone|mobile|cell|home|work|office|main|other|fax):/gi, ';$&')
    .split(/\s*[;,|\n]\s*|\s+(?:or|\/)\s+|(?<=\d{4})\//i)
  const phones = parts.map((part) => part.trim()).filter((part) => part !== '' && !/^fax:/i.test(part))
  return isEmptyMarker(text.trim())
    ? []
    : phones.filter((part) => !isEmptyMarker(part)).map((part) => parsePhone(part, label))
}

function parsePhone(part: string, label: string | undefined): Phone {
  const [, prefix, number = part] = /^([a-z]{4,6}):\s*(.+)$/i.exec(part) ?? []
  const [, bare, suffix] = /^([^a-z]*\d)\s*\(([a-z][a-z .'-]{0,39})\)$/i.exec(number) ?? []
  const role = prefix === undefined || /^(?:phone|main)$/i.test(prefix) ? undefined : prefix
  const role_label = label ?? suffix ?? (role && role.charAt(0).toUpperCase() + role.slice(1).toLowerCase())
  return { phone: dropDecimals(bare ?? number), role_label }
}

/** Removes the decimals of a phone number that a spreadsheet took for an amount: `5125550104.0`. */
const dropDecimals = (number: string): string => number.replace(/^(\d{7,15})\.0+$/, '$1')

const MAX_CELL_LENGTH = 500

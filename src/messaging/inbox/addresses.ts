import { domainToASCII } from 'node:url'
import { toStorableText } from '../../platform/validation/text/storable.ts'
import { normalizeText } from '../../platform/validation/text/text.ts'

/** Maximum length of an address (RFC 5321 4.5.3.1.3). */
const MAX_ADDRESS_LENGTH = 254

/**
 * Returns the bare, lower-case addresses in header texts, without display names, comments and quotes. Each address
 * appears once. Parses leniently (RFC 5322 3.4).
 */
export function parseAddressList(texts: string | readonly string[]): string[] {
  const lists = truncateTexts([texts].flat())
    .flatMap(mailboxesOf)
    .map(bareAddress)
    .filter((address) => address !== undefined)
  return [...new Set(lists)]
}

/** Maximum characters to parse, more than any real header has; the rest is ignored. */
const MAX_TEXT = 2 ** 17

function truncateTexts(texts: readonly string[]): string[] {
  let remaining = MAX_TEXT
  return texts.map((text) => {
    const part = text.slice(0, remaining)
    remaining -= part.length
    return part
  })
}

/** Returns the addresses to look a recipient up by: as written, then without the plus-tag. */
export function addressVariants(address: string): string[] {
  const at = address.lastIndexOf('@')
  const plus = address.indexOf('+')
  return plus > 0 && plus < at ? [address, address.slice(0, plus) + address.slice(at)] : [address]
}

/**
 * Splits a header into mailboxes: at commas, at semicolons and after group names, where these are outside quotes,
 * comments and angle brackets.
 */
function mailboxesOf(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let depth = 0
  let isQuoted = false
  let isAngled = false
  const end = (): void => {
    parts.push(part)
    part = ''
    isAngled = false
  }
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (char === '\\' && (isQuoted || depth > 0)) {
      if (depth === 0) part += text.slice(i, i + 2)
      i++
    } else if (depth === 0 && char === '"') {
      isQuoted = !isQuoted
      part += char
    } else if (isQuoted) part += char
    else if (char === '(') depth++
    else if (char === ')') depth = Math.max(0, depth - 1)
    else if (depth > 0) continue
    else if ((char === ',' && !isAngled) || char === ';') end()
    else if (char === ':' && !isAngled && !part.includes('@')) part = ''
    else {
      if (char === '<') isAngled = true
      if (char === '>') isAngled = false
      part += char
    }
  }
  end()
  return parts
}

const ANGLED = /<([^<>]*)>[^<>]*$/

function bareAddress(mailbox: string): string | undefined {
  const text = (ANGLED.exec(mailbox)?.[1] ?? mailbox).trim().replace(/^mailto:/i, '')
  const at = text.lastIndexOf('@')
  const domain = at > 0 ? domainToASCII(text.slice(at + 1).trim()) : ''
  const read = normalizeText(toStorableText(text.slice(0, Math.max(at, 0)), MAX_ADDRESS_LENGTH), MAX_ADDRESS_LENGTH)
  const local = 'text' in read ? read.text.toLowerCase() : ''
  const address = `${local}@${domain}`
  return domain === '' || local === '' || /[\s\p{Cc}]/u.test(local) || address.length > MAX_ADDRESS_LENGTH
    ? undefined
    : address
}

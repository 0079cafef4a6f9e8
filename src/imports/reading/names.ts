/** First and last name of a person, if known. `isSwapped` marks a name whose last name came first. */
type SplitName = { first_name: string | undefined; last_name: string | undefined; isSwapped: boolean }

const MAX_NAME = 200

/**
 * Splits `Ana Ruiz`, and `Ruiz, Ana` if both parts look like a person's. Any other name with a comma keeps its order,
 * so that it reads as written.
 */
export function splitName(name: string): SplitName {
  const [last = '', first = '', ...more] = name.split(',').map((part) => part.trim())
  if (name.length <= MAX_NAME && more.length === 0 && isPersonPart(last) && isPersonPart(first) && !isTitle(first))
    return { first_name: first, last_name: last, isSwapped: true }
  const words = name.split(/\s+/).filter((word) => word !== '' && word !== ',')
  return {
    first_name: words.slice(0, -1).join(' ') || words[0],
    last_name: words.length > 1 ? words.at(-1) : undefined,
    isSwapped: false,
  }
}

/** Checks for one to four words of letters, none of them typical of a company or a place. */
const isPersonPart = (part: string): boolean =>
  /^\p{L}[\p{L}\p{M}.'’-]*(?: (?:[&y] )?\p{L}[\p{L}\p{M}.'’-]*){0,3}$/u.test(part) &&
  !part.split(' ').some((word) => BUSINESS.has(word.toLowerCase().replaceAll('.', '')))

/** Checks for a name suffix: `Jr.`, `III`, `MD`. */
const isTitle = (part: string): boolean => /^(?:jr|sr|i{2,3}|iv|v|esq|m\.?d|d\.?d\.?s|ph\.?d|cpa|p\.?e)\.?$/i.test(part)

/** Words of company names that don't occur in names of people. */
const BUSINESS: ReadonlySet<string> = new Set(
  `llc llp lp pllc pc pa inc incorporated corp corporation co company ltd limited gmbh hoa dba trust estate assoc associates
  association group holdings partners partnership enterprises mgmt management property properties realty rentals homes
  apartments condos condominiums residences services service solutions systems supply construction contractors contracting
  builders plumbing heating cooling hvac electric electrical roofing restaurant cafe bakery hotel inn motel church school
  university college hospital clinic dental center centre bank store shop market city county town state department dept
  unit suite apt bldg building floor north south east west`.split(/\s+/),
)

/**
 * Checks whether a name ends in a company's legal form, optionally followed by a number or a place: `Hill Dental,
 * Inc.`, `Acme LLC`, `Acme Property Mgmt, LLC #31`, `Acme LLC (Austin)`.
 */
export const isCompanyName = (name: string): boolean => {
  const bare = name
    .slice(0, MAX_NAME)
    .trim()
    .replace(/\s*\([^()]*\)$/, '')
    .replace(/\s*(?:[-–:]\s*)?(?:#|no\.?|unit|suite|ste\.?|bldg\.?)?\s*\d[\w-]*$/i, '')
  return [name.trim(), bare].some((one) =>
    /[\s,](?:inc|incorporated|l\.?l\.?c|l\.?l\.?p|p\.?l\.?l\.?c|corp|corporation|company|ltd|limited|hoa|gmbh)\.?$/i.test(
      one,
    ),
  )
}

import { toFields } from '../../platform/validation/json_fields.ts'
import { parseCode, readEvent, type ProviderEvent } from './event_object.ts'

type Fields = ProviderEvent['object']

/** What an event says of one part of a connected account. */
export type ReportedPart = { part: string; status: string; detail: object | null }

/** The part whose status is how much the newest event said: `told`, `changed` (without saying to what) or `closed`. */
export const ACCOUNT_PART = 'account'

/** Begins the part of a capability. */
export const CAPABILITY_PREFIX = 'capability:'

/** Lists events about a connected account: of v1 by their types, of v2 by the beginning of them. */
export const ACCOUNT_TYPES: readonly string[] = ['account.updated', 'capability.updated']
export const ACCOUNT_TYPE_PREFIXES: readonly string[] = ['v2.core.account.', 'v2.core.account[']

export const isAccountEvent = (type: string | null): boolean =>
  type !== null &&
  (ACCOUNT_TYPES.includes(type) || ACCOUNT_TYPE_PREFIXES.some((beginning) => type.startsWith(beginning)))

/**
 * Returns the parts that an event reports, and when it happened; null when it doesn't say. An event of v2 may name what
 * changed and nothing more.
 */
export function readAccountEvent(raw: Buffer): { parts: ReportedPart[]; at: string | null } {
  const { event, type, object } = readEvent(raw)
  const after = toFields(toFields(event['changes'])['after'])
  const known = new Map([
    ...accountParts(object),
    ...capabilityParts(object),
    ...partsOfConfigurations(object),
    ...partsOfConfigurations(after),
  ])
  const named = parseCode(toFields(event['data'])['updated_capability'])
  if (named !== undefined && isName(named) && !known.has(CAPABILITY_PREFIX + named))
    known.set(CAPABILITY_PREFIX + named, { status: 'changed', detail: null })
  const told = [...known.values()].some(({ status }) => status !== 'changed')
  const account: ReportedPart = {
    part: ACCOUNT_PART,
    status: type === 'v2.core.account.closed' ? 'closed' : told ? 'told' : 'changed',
    detail: null,
  }
  return {
    parts: [account, ...[...known].slice(0, MAX_PARTS).map(([part, rest]) => ({ part, ...rest }))],
    at: momentOf(event['created']),
  }
}

type Entry = [part: string, told: Omit<ReportedPart, 'part'>]

const MAX_PARTS = 200
const MAX_DUE = 50

/** Returns the account as v1 sends it. */
function accountParts({
  charges_enabled,
  payouts_enabled,
  details_submitted,
  requirements,
  capabilities,
}: Fields): Entry[] {
  return [
    ...flag('charges', charges_enabled, 'active', 'inactive'),
    ...flag('payouts', payouts_enabled, 'active', 'inactive'),
    ...flag('details', details_submitted, 'submitted', 'missing'),
    ...requirementParts(requirements),
    ...Object.entries(toFields(capabilities)).flatMap(([name, status]) => capability(name, status)),
  ]
}

const flag = (part: string, value: unknown, yes: string, no: string): Entry[] =>
  typeof value === 'boolean' ? [[part, { status: value ? yes : no, detail: null }]] : []

function requirementParts(requirements: unknown): Entry[] {
  const { currently_due, past_due, disabled_reason } = toFields(requirements)
  if (!Array.isArray(currently_due) && !Array.isArray(past_due)) return []
  const detail = {
    due: namesIn(currently_due),
    past_due: namesIn(past_due),
    disabled_reason: parseCode(disabled_reason) ?? null,
  }
  return [
    [
      'requirements',
      { status: detail.past_due.length > 0 ? 'past_due' : detail.due.length > 0 ? 'due' : 'none', detail },
    ],
  ]
}

const namesIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.flatMap((name) => parseCode(name) ?? []).slice(0, MAX_DUE) : []

/** Returns one capability as v1 sends it. */
const capabilityParts = ({ object, id, status }: Fields): Entry[] =>
  object === 'capability' ? capability(parseCode(id) ?? '', status) : []

/** Returns the capabilities of an account as v2 nests them, under the configurations they belong to. */
function partsOfConfigurations({ configuration }: Fields): Entry[] {
  return Object.values(toFields(configuration)).flatMap((one) =>
    partsWithin('', toFields(toFields(one)['capabilities']), 3),
  )
}

function partsWithin(under: string, capabilities: Fields, depth: number): Entry[] {
  if (depth === 0) return []
  return Object.entries(capabilities).flatMap(([name, value]) => {
    const { status } = toFields(value)
    return typeof status === 'string'
      ? capability(under + name, status)
      : partsWithin(`${under}${name}.`, toFields(value), depth - 1)
  })
}

const isName = (name: string): boolean => /^[a-z0-9_.]{1,100}$/.test(name)

const capability = (name: string, status: unknown): Entry[] =>
  isName(name) && typeof status === 'string' && /^[a-z_]{1,50}$/.test(status)
    ? [[CAPABILITY_PREFIX + name, { status, detail: null }]]
    : []

/** Reads seconds since 1970 in v1, RFC 3339 in v2. */
function momentOf(created: unknown): string | null {
  try {
    const at =
      typeof created === 'number'
        ? Temporal.Instant.fromEpochMilliseconds(Math.round(created * 1000))
        : Temporal.Instant.from(created as string)
    return at.epochMilliseconds > 0 ? at.toString({ smallestUnit: 'millisecond' }) : null
  } catch {
    return null
  }
}

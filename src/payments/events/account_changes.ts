import { toFields } from '../../platform/validation/json_fields.ts'
import { parseCode, readEvent, type ProviderEvent } from './event_object.ts'

type Fields = ProviderEvent['object']

/** An event's report of one part of a connected account. */
export type ReportedPart = { part: string; status: string; detail: object | null }

/** Part of the account itself. Its status is `told` (values given), `changed` (no values given) or `closed`. */
export const ACCOUNT_PART = 'account'

/** Prefix of a capability's part. */
export const CAPABILITY_PREFIX = 'capability:'

/** Event types about a connected account: exact types in v1, prefixes in v2. */
export const ACCOUNT_TYPES: readonly string[] = ['account.updated', 'capability.updated']
export const ACCOUNT_TYPE_PREFIXES: readonly string[] = ['v2.core.account.', 'v2.core.account[']

export const isAccountEvent = (type: string | null): boolean =>
  type !== null && (ACCOUNT_TYPES.includes(type) || ACCOUNT_TYPE_PREFIXES.some((prefix) => type.startsWith(prefix)))

/**
 * Returns the parts that an event reports, and its time (null if it states none). A v2 event may name only what
 * changed.
 */
export function readAccountEvent(raw: Buffer): { parts: ReportedPart[]; at: string | null } {
  const { event, type, object } = readEvent(raw)
  const after = toFields(toFields(event['changes'])['after'])
  const existing = new Map([
    ...accountParts(object),
    ...capabilityParts(object),
    ...partsOfConfigurations(object),
    ...partsOfConfigurations(after),
  ])
  const updatedCapability = parseCode(toFields(event['data'])['updated_capability'])
  if (
    updatedCapability !== undefined &&
    isName(updatedCapability) &&
    !existing.has(CAPABILITY_PREFIX + updatedCapability)
  )
    existing.set(CAPABILITY_PREFIX + updatedCapability, { status: 'changed', detail: null })
  const hasValues = [...existing.values()].some(({ status }) => status !== 'changed')
  const account: ReportedPart = {
    part: ACCOUNT_PART,
    status: type === 'v2.core.account.closed' ? 'closed' : hasValues ? 'told' : 'changed',
    detail: null,
  }
  return {
    parts: [account, ...[...existing].slice(0, MAX_PARTS).map(([part, rest]) => ({ part, ...rest }))],
    at: momentOf(event['created']),
  }
}

type Entry = [part: string, report: Omit<ReportedPart, 'part'>]

const MAX_PARTS = 200
const MAX_DUE = 50

/** Returns the parts of a v1 account. */
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

/** Returns the part of a v1 capability. */
const capabilityParts = ({ object, id, status }: Fields): Entry[] =>
  object === 'capability' ? capability(parseCode(id) ?? '', status) : []

/** Returns the capabilities of a v2 account, which nests them under their configurations. */
function partsOfConfigurations({ configuration }: Fields): Entry[] {
  return Object.values(toFields(configuration)).flatMap((one) =>
    partsWithin('', toFields(toFields(one)['capabilities']), 3),
  )
}

function partsWithin(prefix: string, capabilities: Fields, depth: number): Entry[] {
  if (depth === 0) return []
  return Object.entries(capabilities).flatMap(([name, value]) => {
    const { status } = toFields(value)
    return typeof status === 'string'
      ? capability(prefix + name, status)
      : partsWithin(`${prefix}${name}.`, toFields(value), depth - 1)
  })
}

const isName = (name: string): boolean => /^[a-z0-9_.]{1,100}$/.test(name)

const capability = (name: string, status: unknown): Entry[] =>
  isName(name) && typeof status === 'string' && /^[a-z_]{1,50}$/.test(status)
    ? [[CAPABILITY_PREFIX + name, { status, detail: null }]]
    : []

/** Parses Unix seconds (v1) or an RFC 3339 timestamp (v2). */
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

import type { ProposedCall } from './proposal.ts'
import { requireValue } from '../platform/errors/require_value.ts'

type DependentCall = Pick<ProposedCall, 'position' | 'given' | 'ids' | 'written'>

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** Returns every id in the arguments. */
export const findIds = (input: unknown): Set<string> =>
  new Set((JSON.stringify(input) ?? '').match(UUID)?.map((id) => id.toLowerCase()))

/**
 * Returns the earlier calls that each call builds on: calls that create a record it names, and calls that write the
 * same record (docs/spec/proposals.md#dependent-calls).
 */
export function findDependencies(calls: readonly DependentCall[]): Map<number, number[]> {
  return new Map(
    calls.map((call, i) => {
      const [namedIds, writes] = [findIds(call.given), new Set(call.written.map(({ record }) => record))]
      const dependencies = calls
        .slice(0, i)
        .filter(
          ({ ids, written }) => ids.some((id) => namedIds.has(id)) || written.some(({ record }) => writes.has(record)),
        )
      return [call.position, dependencies.map(({ position }) => position)]
    }),
  )
}

/** Returns the first chosen call that builds on a call that isn't chosen, if any. */
export function findUnsupported(calls: readonly DependentCall[], chosen: ReadonlySet<number>): number | undefined {
  const dependencies = findDependencies(calls)
  return [...chosen].find((position) =>
    requireValue(dependencies.get(position), 'A chosen call').some((needed) => !chosen.has(needed)),
  )
}

import { sum } from './rounding.ts'

/**
 * Divides a total in proportion to weights, to the cent and without loss: each part gets its floor, the leftover cents
 * go to the largest remainders, ties to the lower position. No argument may be negative, and weights may all be 0 only
 * for a total of 0.
 */
export function spread(total: bigint, weights: readonly bigint[]): bigint[] {
  if (total === 0n) return weights.map(() => 0n)
  const totalWeight = sum(weights)
  const shares = weights.map((weight) => (total * weight) / totalWeight)
  const leftover = Number(total - sum(shares))
  if (leftover === 0) return shares
  const roundedUp = new Set(byRemainder(total, weights, totalWeight).slice(0, leftover))
  return shares.map((share, position) => (roundedUp.has(position) ? share + 1n : share))
}

/** Returns positions, largest remainder first; the sort is stable, so equal remainders stay in order of position. */
function byRemainder(total: bigint, weights: readonly bigint[], totalWeight: bigint): number[] {
  const remainders = weights.map((weight, position) => ({ position, size: (total * weight) % totalWeight }))
  remainders.sort((a, b) => (a.size === b.size ? 0 : a.size < b.size ? 1 : -1))
  return remainders.map(({ position }) => position)
}

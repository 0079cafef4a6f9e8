/** Returns R(x) of a ratio with a positive denominator: the nearest integer, exact halves away from zero. */
export function round(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator
  const nearest = (2n * size + denominator) / (2n * denominator)
  return numerator < 0n ? -nearest : nearest
}

/**
 * Returns R(amount x rate); a rate in millionths is the same integer as its percentage in ten-thousandths of a percent.
 */
export const percentOf = (amount: bigint, millionths: bigint): bigint => round(amount * millionths, 1_000_000n)

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

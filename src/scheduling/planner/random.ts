/** Source of random numbers that repeats for the same seed. */
export type Random = {
  /** Returns a number from 0 to below 1. */
  fraction(): number
  /** Returns a whole number from 0 to below `count`. */
  below(count: number): number
}

/** Creates a SplitMix32 generator, whose state is 32 bits. */
export function newRandom(seed: number): Random {
  let state = seed | 0
  const fraction = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296
  }
  return { fraction, below: (count) => Math.floor(fraction() * count) }
}

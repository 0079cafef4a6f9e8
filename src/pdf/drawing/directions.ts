const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const STRONG = /[\p{L}]/u

/**
 * Returns the parts of a line in visual order, left to right (UAX 9, without embeddings). Right-to-left words are
 * reversed in order, each drawn whole.
 */
export function toVisualOrder(line: string): { parts: string[]; isRightToLeft: boolean } {
  if (!RIGHT_TO_LEFT.test(line)) return { parts: [line], isRightToLeft: false }
  const words = line.split(/( +)/).filter((word) => word !== '')
  const isRightToLeft = directionOf(line) === 'right'
  const directions = resolveDirections(words.map(directionOf), isRightToLeft ? 'right' : 'left')
  const runs: { direction: Direction; words: string[] }[] = []
  for (const [i, word] of words.entries()) {
    const direction = directions[i] ?? 'left'
    const run = runs.at(-1)
    if (run?.direction === direction) run.words.push(word)
    else runs.push({ direction, words: [word] })
  }
  const parts = (isRightToLeft ? runs.toReversed() : runs).flatMap(({ direction, words }) =>
    direction === 'right' ? words.toReversed() : words,
  )
  return { parts, isRightToLeft }
}

type Direction = 'left' | 'right'

/** Returns the direction of the first letter; undefined for spaces, numbers and punctuation. */
function directionOf(word: string): Direction | undefined {
  for (const char of word) {
    if (RIGHT_TO_LEFT.test(char)) return 'right'
    if (STRONG.test(char)) return 'left'
  }
  return undefined
}

/** Gives words without a direction the direction that both neighbors share, else the line's. */
function resolveDirections(directions: readonly (Direction | undefined)[], ofLine: Direction): Direction[] {
  const nearestDirection = (from: number, step: 1 | -1): Direction => {
    for (let i = from; i >= 0 && i < directions.length; i += step) {
      const direction = directions[i]
      if (direction !== undefined) return direction
    }
    return ofLine
  }
  return directions.map((direction, i) => {
    if (direction !== undefined) return direction
    const [before, after] = [nearestDirection(i, -1), nearestDirection(i, 1)]
    return before === after ? before : ofLine
  })
}

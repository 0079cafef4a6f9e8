/**
 * Returns the known name closest to a misspelled one, with up to one letter in three missing, added, changed or swapped
 * (optimal string alignment).
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const word = name.slice(0, 64).toLowerCase()
  let best: string | undefined
  let minDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const one of names) {
    const distance = distanceBetween(word, one.toLowerCase(), minDistance)
    if (distance < minDistance) [best, minDistance] = [one, distance]
  }
  return best
}

function distanceBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) >= max) return max
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(before, j - 2) + 1 : Infinity
      const changed = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, changed, swapped))
    }
    ;[before, row] = [row, next]
  }
  return at(row, b.length)
}

const at = (distances: readonly number[], index: number): number => distances[index] ?? Infinity

import { textOf, valueOf, type Gene } from '../cost/genes.ts'

type Step = string | number

/** Lists the paths in a JSON value, such as `line_items/0/quantity`, and an unknown field in each of its objects. */
export function listPaths(value: unknown, before: readonly Step[] = []): string[] {
  const inside = (name: Step, inner: unknown): string[] => [
    [...before, name].join('/'),
    ...listPaths(inner, [...before, name]),
  ]
  if (Array.isArray(value)) return value.flatMap((inner, i) => inside(i, inner))
  if (typeof value !== 'object' || value === null) return []
  return [...Object.entries(value).flatMap(([name, inner]) => inside(name, inner)), [...before, 'strange'].join('/')]
}

/**
 * Returns a JSON value with the genes applied. A gene's exact text is written unchanged, even a number that no program
 * can parse.
 */
export function applyGenes(usual: unknown, genes: readonly Gene[]): string {
  const marks = genes.map((_, i) => `\u0011${i}\u0011`)
  const marked = genes.reduce<unknown>((value, { field }, i) => withAt(value, field.split('/'), marks[i]), usual)
  return genes.reduce(
    (text, gene, i) =>
      text.replace(JSON.stringify(marks[i]), () =>
        gene.shape === 'exact' ? gene.unit : JSON.stringify(valueOf(gene, at(usual, gene.field.split('/')))),
      ),
    JSON.stringify(marked),
  )
}

/** Returns the fields of a form or a query with the genes applied. */
export function applyGenesToFields(usual: readonly [string, string][], genes: readonly Gene[]): URLSearchParams {
  const changed = genes.map((gene): [string, string] => [
    gene.field,
    gene.shape === 'exact' ? plain(gene.unit) : textOf(gene),
  ])
  const names = new Set(changed.map(([name]) => name))
  return new URLSearchParams([...usual.filter(([name]) => !names.has(name)), ...changed])
}

const plain = (json: string): string => {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : json
}

function withAt(value: unknown, [step, ...rest]: readonly string[], replacement: unknown): unknown {
  if (step === undefined) return replacement
  if (Array.isArray(value))
    return value.map((inner, i) => (String(i) === step ? withAt(inner, rest, replacement) : inner))
  if (typeof value !== 'object' || value === null) return value
  const inner = (value as Record<string, unknown>)[step]
  return Object.fromEntries([...Object.entries(value), [step, withAt(inner, rest, replacement)]])
}

const at = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce((inner, step) => (Object(inner) as Record<string, unknown>)[step], value)

/** Expensive value for a field: what repeats, its shape, and how many bytes it grows to. */
export type Gene = { field: string; shape: Shape; unit: string; before: string; after: string; size: number }

/** `exact` is a value as JSON in `unit`, which doesn't grow. */
export type Shape = 'text' | 'keys' | 'items' | 'objects' | 'nest' | 'fields' | 'same' | 'rows' | 'exact'

const SHAPES: readonly Shape[] = [
  'text',
  'text',
  'text',
  'text',
  'keys',
  'items',
  'objects',
  'nest',
  'fields',
  'same',
  'rows',
]

/**
 * Units that malformed texts repeat: misordered marks, characters that grow when normalized, white space, quotes,
 * digits, separators, and pieces of the fields' own grammars.
 */
const UNITS: readonly string[] = [
  '\u0315\u0300',
  'a\u0315\u0300',
  '\u0344',
  '\u1f82',
  '\uff9e',
  '\ufdfa',
  '\uac01',
  'Σ',
  'İ',
  'ß',
  '👩‍👩‍👧',
  '\u200d',
  '\ud83d',
  '名',
  'a',
  'A',
  'a ',
  ' ',
  '\t',
  '\n',
  '\r\n',
  'a\n',
  '\n\n',
  '"',
  "'",
  '\\',
  '\\"',
  '<',
  '>',
  '<a>',
  '<!--',
  '&',
  '&amp;',
  '&#38;',
  '0',
  '9',
  '1,',
  '1.',
  '.',
  ',',
  ';',
  ':',
  'a:',
  '-',
  '_',
  'a_',
  '+',
  '=',
  '/',
  '../',
  '@',
  'a@',
  '.a',
  '<a@b.c>,',
  '(',
  ')',
  '[',
  '{',
  '%',
  '%00',
  '%_',
  '\\%',
  '|',
  '*',
  '?',
  '#',
  '\u0000',
  'FREQ=DAILY;',
  'BYDAY=MO,',
  'a=b&',
  'a=b; ',
  'http://',
  'boundary=',
  '5125550100',
  'q1 ',
]

export type Random = { next(): number; of<T>(all: readonly T[]): T }

/** Returns pseudorandom numbers that are the same in each run (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, of: (all) => all[Math.floor(next() * all.length)]! }
}

export const freshGene = (random: Random, fields: readonly string[], maxBytes: number): Gene => ({
  field: random.of(fields),
  shape: random.of(SHAPES),
  unit: random.of(UNITS),
  before: random.next() < 0.5 ? '' : random.of(UNITS),
  after: random.next() < 0.5 ? '' : random.of(UNITS),
  size: Math.floor(maxBytes * random.of([0.002, 0.05, 0.3, 0.95])),
})

/** Changes one thing about a gene: its length, unit, ends, shape or position. */
export function mutateGene(random: Random, gene: Gene, fields: readonly string[], maxBytes: number): Gene {
  const fresh = freshGene(random, fields, maxBytes)
  return random.of<() => Gene>([
    () => ({ ...gene, size: Math.min(maxBytes, gene.size * 2) }),
    () => ({ ...gene, size: Math.ceil(gene.size / 2) }),
    () => ({ ...gene, unit: fresh.unit }),
    () => ({ ...gene, unit: (gene.unit + fresh.unit).slice(-24) }),
    () => ({ ...gene, before: fresh.before }),
    () => ({ ...gene, after: fresh.after }),
    () => ({ ...gene, shape: fresh.shape }),
    () => ({ ...gene, field: fresh.field }),
    () => fresh,
  ])()
}

const bytes = (text: string): number => Math.max(1, Buffer.byteLength(text))
const times = (size: number, each: number): number => Math.max(1, Math.floor(size / each))

export const textOf = ({ unit, before, after, size }: Gene): string =>
  before + unit.repeat(times(size, bytes(unit))) + after

/** Returns the gene as a JSON value. `like` is the usual value there. */
export function valueOf(gene: Gene, like: unknown): unknown {
  const { shape, unit, size } = gene
  const item = (Array.isArray(like) ? (like[0] as unknown) : like) ?? unit
  switch (shape) {
    case 'exact':
      return JSON.parse(unit)
    case 'keys':
    case 'fields':
      return Object.fromEntries(Array.from({ length: times(size, 10 + bytes(unit)) }, (_, i) => [`${unit}${i}`, 0]))
    case 'items':
    case 'same':
      return Array.from({ length: times(size, JSON.stringify(item).length + 1) }, () => item)
    case 'objects':
    case 'rows':
      return Array.from({ length: times(size, 12 + bytes(unit)) }, (_, i) => ({ [`${unit}${i % 50}`]: i }))
    case 'nest':
      return Array.from({ length: 50 }).reduce<unknown>(
        (inner, _, i) => (i % 2 === 0 ? [inner] : { a: inner }),
        textOf(gene),
      )
    default:
      return Array.isArray(like) && typeof item === 'string' ? [textOf(gene)] : textOf(gene)
  }
}

/** Returns the gene as form fields, which replace those with the same name. */
export function fieldsOf(gene: Gene): [string, string][] {
  const { shape, field, unit, before, size } = gene
  const all = (length: number, one: (i: number) => [string, string]): [string, string][] =>
    Array.from({ length }, (_, i) => one(i))
  switch (shape) {
    case 'exact':
      return [[field, asText(JSON.parse(unit))]]
    case 'fields':
    case 'keys':
    case 'nest':
      return all(times(size, 10 + bytes(unit)), (i) => [`${unit}${i}`, ''])
    case 'same':
    case 'items':
      return all(times(size, field.length + 2 + bytes(unit)), () => [field, unit])
    case 'rows':
    case 'objects':
      return all(Math.min(10_000, times(size, 24 + bytes(unit))), (i) => [
        field.replace(/\.\d+\./, `.${i}.`),
        before + unit,
      ])
    default:
      return [[field, textOf(gene)]]
  }
}

/** Returns a JSON value as a form sends it. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

import fc, { type Arbitrary, type StringConstraints } from 'fast-check'

/** Number of surrogate code points, and the first one. */
const [HALVES, FIRST_HALF] = [0x800, 0xd800]

/** Any Unicode character. fast-check's own arbitrary keeps a map of all 1.1 million. */
const anyCharacter = fc.nat({ max: 0x10ffff - HALVES }).map(
  (n) => String.fromCodePoint(n < FIRST_HALF ? n : n + HALVES),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one character')
    return code < FIRST_HALF ? code : code - HALVES
  },
)

/** Strings of any characters without lone surrogates. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter })

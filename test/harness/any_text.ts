import fc, { type Arbitrary, type StringConstraints } from 'fast-check'

/** Number of the half characters, and the first of them. */
const [HALVES, FIRST_HALF] = [0x800, 0xd800]

/** Any character. That of fast-check itself keeps a map of all 1.1 million of them. */
const anyCharacter = fc.nat({ max: 0x10ffff - HALVES }).map(
  (n) => String.fromCodePoint(n < FIRST_HALF ? n : n + HALVES),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one character')
    return code < FIRST_HALF ? code : code - HALVES
  },
)

/** Strings of any characters, none of them halved. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter })

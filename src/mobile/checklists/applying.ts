import { fold } from '../../platform/validation/text/fold.ts'

/** Visits to which a template applies. */
export type TemplateScope = 'every' | 'words' | 'chosen'

/** Checks whether a template applies to a visit automatically: one of its words starts a word in the title. */
export const isTemplateFor = (
  { applies, words }: { applies: TemplateScope; words: readonly string[] },
  title: string,
): boolean =>
  applies === 'every' ||
  (applies === 'words' && words.some((word) => hasWordPrefix(normalizeTitle(word), normalizeTitle(title))))

const hasWordPrefix = (word: string, title: string): boolean => word !== '' && ` ${title}`.includes(` ${word}`)

const normalizeTitle = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

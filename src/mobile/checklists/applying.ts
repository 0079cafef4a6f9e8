import { fold } from '../../platform/validation/text/fold.ts'

/** Says which visits a template is for. */
export type TemplateScope = 'every' | 'words' | 'chosen'

/** Tells whether a template is for a visit by itself: one of its words begins a word of the title. */
export const isTemplateFor = (
  { applies, words }: { applies: TemplateScope; words: readonly string[] },
  title: string,
): boolean =>
  applies === 'every' ||
  (applies === 'words' && words.some((word) => begins(normalizeTitle(word), normalizeTitle(title))))

const begins = (word: string, title: string): boolean => word !== '' && ` ${title}`.includes(` ${word}`)

const normalizeTitle = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

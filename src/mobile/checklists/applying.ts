import { fold } from '../../platform/validation/text/fold.ts'

/** Says which visits a template is for. */
export type Applies = 'every' | 'words' | 'chosen'

/** Tells whether a template is for a visit by itself: one of its words begins a word of the title. */
export const isFor = ({ applies, words }: { applies: Applies; words: readonly string[] }, title: string): boolean =>
  applies === 'every' || (applies === 'words' && words.some((word) => begins(bare(word), bare(title))))

const begins = (word: string, title: string): boolean => word !== '' && ` ${title}`.includes(` ${word}`)

const bare = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

import { sayPhrase, type Phrase } from '../platform/i18n/phrase.ts'

/** Result of a check. `mend` is the fix for a failed check or, with `warning`, for one that will soon fail. */
export type Finding = { check: string; ok: boolean; warning?: true; says: Phrase | string; mend?: Phrase | string }

/** Returns the finding for a failed check. */
export const wrongFinding = (check: string, says: Finding['says'], mend: Phrase | string): Finding => ({
  check,
  ok: false,
  says,
  mend,
})

/** Returns the finding for a check that will soon fail. */
export const warningFinding = (check: string, says: Finding['says'], mend: Phrase | string): Finding => ({
  check,
  ok: true,
  warning: true,
  says,
  mend,
})

/** Finding with its texts in one language: the reader's, or English. */
export type SpokenFinding = Omit<Finding, 'says' | 'mend'> & { says: string; mend?: string }

/** Translates a finding into the reader's language. */
export const sayFinding = ({ says, mend, ...finding }: Finding): SpokenFinding => ({
  ...finding,
  says: sayPhrase(says),
  ...(mend === undefined ? {} : { mend: sayPhrase(mend) }),
})

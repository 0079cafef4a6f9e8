/**
 * Returns a function that turns a name into a label. An unknown name becomes `other`, since clients can invent any
 * number of them; a missing one becomes empty.
 */
export const toLabel =
  (isKnown: (name: string) => boolean) =>
  (name: string | null | undefined): string =>
    name === null || name === undefined ? '' : isKnown(name) ? name : 'other'

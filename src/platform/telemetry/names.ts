/**
 * Turns a name into a label: one that is not known counts as `other`, since a client may invent any number of them;
 * none is empty.
 */
export const toLabel =
  (isKnown: (name: string) => boolean) =>
  (name: string | null | undefined): string =>
    name === null || name === undefined ? '' : isKnown(name) ? name : 'other'

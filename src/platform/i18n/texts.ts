/** Holds texts of a language by their English; `{0}` and so on stand for values, in the order that the language wants. */
export type Texts = Readonly<Record<string, string>>

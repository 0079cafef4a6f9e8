/** Translations by English text. `{0}` and so on are values, in any order. */
export type Texts = Readonly<Record<string, string>>

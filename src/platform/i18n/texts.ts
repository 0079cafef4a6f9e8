/** Texts of a language by their English text. `{0}` and so on are values, in whatever order the language needs. */
export type Texts = Readonly<Record<string, string>>

/** Thrown if the embedded database can't be used. The message gives the reason and the fix in one sentence. */
export class EmbeddedError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'EmbeddedError'
  }
}

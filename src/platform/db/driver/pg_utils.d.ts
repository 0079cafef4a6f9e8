declare module 'pg/lib/utils.js' {
  const utils: {
    /** Encodes a value for a statement, as the driver does for its own queries. */
    prepareValue(value: unknown): unknown
  }
  export default utils
}

/** A bucket of an S3-compatible service at an origin; `prefix` stands before every key. */
export type Bucket = {
  endpoint: string
  bucket: string
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
}

/** Where it is configured to be. */
export type StoragePlace = { kind: 'directory'; directory: string } | ({ kind: 'bucket' } & Bucket)

/** Where the bytes of attachments are kept, by key. */
export type Storage = {
  /** Durable when it resolves; the same key again replaces what is there. */
  put(key: string, bytes: Buffer, type: string): Promise<void>
  /** Undefined: there is nothing under this key. */
  get(key: string): Promise<ReadableStream<Uint8Array> | undefined>
  remove(key: string): Promise<void>
}

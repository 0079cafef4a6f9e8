/** Bucket of an S3-compatible service. `prefix` comes before every key. */
export type Bucket = {
  endpoint: string
  bucket: string
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
}

/** Configured storage. */
export type StorageLocation = { kind: 'directory'; directory: string } | ({ kind: 'bucket' } & Bucket)

/** Stores the bytes of attachments, by key. */
export type Storage = {
  /** Stores bytes, durable when it resolves; the same key again replaces them. */
  save(key: string, bytes: Buffer, type: string): Promise<void>
  /** Returns undefined when there is nothing under this key. */
  get(key: string): Promise<ReadableStream<Uint8Array> | undefined>
  remove(key: string): Promise<void>
}

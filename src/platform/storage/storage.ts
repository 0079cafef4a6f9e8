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
  /** Stores bytes, durable once it resolves. Replaces those of the same key. */
  save(key: string, bytes: Buffer, type: string): Promise<void>
  /** Returns undefined if the key doesn't exist. */
  get(key: string): Promise<ReadableStream<Uint8Array> | undefined>
  remove(key: string): Promise<void>
}

import { resolve } from 'node:path'
import { database } from './database.ts'
import { address, text } from '../parsers.ts'
import { ConfigError, setting, topic } from '../setting.ts'

/** Bucket and its access keys. */
export type BucketConfig = {
  /** Origin of the S3-compatible service. */
  endpoint: string
  bucket: string
  /** Prefix of every key; may be empty. */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
}

/** Where to store attachments. */
export type StorageConfig = { kind: 'directory'; directory: string } | ({ kind: 'bucket' } & BucketConfig)

const ACCESS = { parse: text, ignoredWithout: 'STORAGE_URL' }

export const storage = topic(
  'Files',
  {
    bucket: setting('STORAGE_URL', {
      parse: bucketUrl,
      default: null,
      defaultText: 'DATA_DIR/files',
      requires: {
        AWS_ACCESS_KEY_ID: 'AWS_ACCESS_KEY_ID must be set when STORAGE_URL names a bucket',
        AWS_SECRET_ACCESS_KEY: 'AWS_SECRET_ACCESS_KEY must be set when STORAGE_URL names a bucket',
      },
      about:
        'Bucket for attachments and photos: `s3://bucket/prefix?endpoint=https://s3.example.com&region=us-east-1`.',
    }),
    accessKeyId: setting('AWS_ACCESS_KEY_ID', { ...ACCESS, default: '', about: 'Access key ID for the bucket.' }),
    secretAccessKey: setting('AWS_SECRET_ACCESS_KEY', {
      ...ACCESS,
      isSecret: true,
      default: '',
      about: 'Secret of that access key.',
    }),
    sessionToken: setting('AWS_SESSION_TOKEN', {
      ...ACCESS,
      isSecret: true,
      default: null,
      about: 'Session token of that access key, if it has one.',
    }),
    region: setting('AWS_REGION', {
      ...ACCESS,
      default: 'us-east-1',
      about: 'Region of the bucket, if `STORAGE_URL` has none.',
    }),
  },
  ({ bucket, ...access }, env): { storage: StorageConfig } => {
    if (bucket === null)
      return { storage: { kind: 'directory', directory: resolve(database.settings.dataDir.read(env), 'files') } }
    const region = bucket.region ?? access.region
    const endpoint = bucket.endpoint ?? `https://s3.${region}.amazonaws.com`
    return { storage: { kind: 'bucket', ...bucket, ...access, region, endpoint } }
  },
)

type BucketUrl = { bucket: string; prefix: string; endpoint: string | null; region: string | null }

/** Parses `s3://bucket[/prefix][?endpoint=…][&region=…]`. */
export function bucketUrl(value: string, name: string): BucketUrl {
  const url = URL.parse(value)
  if (url === null || url.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,62}$/.test(url.host)) {
    throw new ConfigError(`${name} must look like s3://bucket?endpoint=https://s3.example.com`)
  }
  const endpoint = url.searchParams.get('endpoint')?.trim() || null
  return {
    bucket: url.host,
    prefix: url.pathname.replace(/^\/+|\/+$/g, ''),
    endpoint: endpoint === null ? null : address(endpoint, name),
    region: url.searchParams.get('region'),
  }
}

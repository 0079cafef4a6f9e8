import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }

describe('file storage settings', () => {
  it('default to the folder "files" in the data directory', () => {
    assert.deepEqual(readConfig({}).storage, { kind: 'directory', directory: resolve('data', 'files') })
    assert.deepEqual(readConfig({ DATA_DIR: '/srv/callout', STORAGE_URL: ' ' }).storage, {
      kind: 'directory',
      directory: '/srv/callout/files',
    })
  })

  it('use a bucket when STORAGE_URL names one', () => {
    assert.deepEqual(readConfig({ ...KEYS, STORAGE_URL: 's3://files?endpoint=http://localhost:9000/' }).storage, {
      kind: 'bucket',
      endpoint: 'http://localhost:9000',
      bucket: 'files',
      prefix: '',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: null,
    })
    assert.deepEqual(
      readConfig({
        ...KEYS,
        AWS_SESSION_TOKEN: 'token',
        AWS_REGION: 'eu-west-1',
        STORAGE_URL: 's3://files.example/a/b/',
      }).storage,
      {
        kind: 'bucket',
        endpoint: 'https://s3.eu-west-1.amazonaws.com',
        bucket: 'files.example',
        prefix: 'a/b',
        region: 'eu-west-1',
        accessKeyId: 'id',
        secretAccessKey: 'secret',
        sessionToken: 'token',
      },
    )
    assert.equal(
      (readConfig({ ...KEYS, STORAGE_URL: 's3://files?region=auto' }).storage as { region: string }).region,
      'auto',
    )
  })

  it('are rejected with the name of the variable when unusable', () => {
    for (const STORAGE_URL of [
      'files',
      'https://files',
      's3://',
      's3://Files!',
      's3://files?endpoint=ftp://x',
      's3://files?endpoint=x',
    ]) {
      assert.throws(
        () => readConfig({ ...KEYS, STORAGE_URL }),
        (error) => error instanceof ConfigError && error.message.startsWith('STORAGE_URL'),
        STORAGE_URL,
      )
    }
    assert.throws(() => readConfig({ STORAGE_URL: 's3://files' }), /^Error: AWS_ACCESS_KEY_ID must be set/)
    assert.throws(
      () => readConfig({ ...KEYS, AWS_SECRET_ACCESS_KEY: ' ', STORAGE_URL: 's3://files' }),
      /AWS_SECRET_ACCESS_KEY/,
    )
  })
})

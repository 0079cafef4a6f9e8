import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { ConfigError, TOPICS, readConfig } from './config.ts'

const settings = TOPICS.flatMap((topic) => Object.values(topic.settings))
const names = settings.map(({ name }) => name)

/** Values of every setting that requires another one or is required. */
const BASE: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://localhost/callout',
  DATABASE_APP_URL: 'postgres://service@localhost/callout',
  DATA_KEY: Buffer.alloc(32).toString('base64'),
  DATA_KEY_PREVIOUS: Buffer.alloc(32, 1).toString('base64'),
  STORAGE_URL: 's3://files',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  SMTP_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'office@example.com',
  SMS_ACCOUNT_SID: 'id',
  SMS_AUTH_TOKEN: 'token',
  SMS_FROM: '+16175550100',
  QUICKBOOKS_CLIENT_ID: 'callout',
  QUICKBOOKS_CLIENT_SECRET: 'secret',
  XERO_CLIENT_ID: 'callout',
  XERO_CLIENT_SECRET: 'secret',
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_CLIENT_ID: 'callout',
  ASSISTANT_PROVIDER: 'anthropic',
  ASSISTANT_MODEL: 'model',
  ASSISTANT_KEY: 'key',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
}

describe('the settings declarations', () => {
  it('list every variable that the configuration reads, exactly once', () => {
    assert.equal(new Set(names).size, names.length)
    const read = new Set<string>()
    readConfig(
      new Proxy(BASE, {
        get: (env, name) => {
          read.add(String(name))
          return env[String(name)]
        },
      }),
    )
    assert.deepEqual([...read].sort(), names.toSorted())
  })

  it('name existing settings as requirements, and the error names the missing one', () => {
    for (const { name, requires = {}, ignoredWithout, read } of settings) {
      for (const [other, message] of Object.entries(requires)) {
        assert.ok(names.includes(other) && message.includes(other), `${name} requires ${other}`)
        assert.ok(name in BASE, name)
        assert.throws(() => read({ ...BASE, [other]: ' ' }), new ConfigError(message))
      }
      if (ignoredWithout !== undefined) assert.ok(names.includes(ignoredWithout), `${name} with ${ignoredWithout}`)
    }
  })

  it('have one sentence of description and a default equal to setting it explicitly', () => {
    for (const { name, about, defaultText } of settings) {
      assert.match(about, /^[A-Z`].*\.$/, name)
      assert.doesNotMatch(about.replaceAll(/`[^`]*`/g, ''), /\. /, name)
      if (/^\d+$/.test(defaultText)) assert.deepEqual(readConfig({ [name]: defaultText }), readConfig({}), name)
    }
  })

  it('validate a default derived from another setting', () => {
    assert.equal(readConfig(BASE).identityProvider?.name, 'id.example.com')
    const OIDC_ISSUER = `https://${'a'.repeat(40)}.example.com`
    assert.throws(
      () => readConfig({ ...BASE, OIDC_ISSUER }),
      new ConfigError('OIDC_NAME must have at most 40 characters'),
    )
  })

  it('keep secret values out of errors', () => {
    const secrets = settings.filter(({ isSecret }) => isSecret === true)
    assert.ok(secrets.length > 10)
    for (const { name } of secrets) {
      try {
        readConfig({ ...BASE, [name]: 'hunter2://u:hunter2@hunter2?hunter2#hunter2' })
      } catch (error) {
        assert.ok(error instanceof ConfigError && !error.message.includes('hunter2'), `${name}: ${String(error)}`)
      }
    }
  })

  it('are the only place that reads environment variables, apart from listed exceptions', async () => {
    const variables: string[] = []
    for await (const path of glob('src/**/*.ts', { cwd: new URL('../../../', import.meta.url).pathname }))
      if (!path.endsWith('.test.ts') && !path.startsWith('src/platform/config/')) {
        const text = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
        for (const [, name] of text.matchAll(/\benv\.?\[?'?([A-Z][A-Z0-9_]{2,})\b/g))
          variables.push(`${path}: ${name!}`)
      }
    assert.deepEqual(variables.sort(), ELSEWHERE)
  })
})

/** Variables that aren't settings of the service. */
const ELSEWHERE = ['src/cli/installation/config_command.ts: CALLOUT_ENV_FILE']

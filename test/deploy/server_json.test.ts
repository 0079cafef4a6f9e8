import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { json } from '../harness/repository.ts'

/** The registry's schema of 2025-12-11 for a server with remotes, made strict to reject misspelled fields. */
const input = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
}
const variables = z.record(z.string(), z.strictObject(input)).optional()
const icon = z.strictObject({
  src: z.url({ protocol: /^https$/ }).max(255),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp']).optional(),
  sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)).optional(),
  theme: z.enum(['light', 'dark']).optional(),
})
const serverJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/),
  websiteUrl: z.url().optional(),
  icons: z.array(icon).optional(),
  repository: z
    .strictObject({ url: z.url(), source: z.string(), id: z.string().optional(), subfolder: z.string().optional() })
    .optional(),
  remotes: z.array(
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string().regex(/^https:\/\/[^\s]+$/),
      headers: z.array(z.strictObject({ name: z.string(), variables, ...input })).optional(),
      variables,
    }),
  ),
})

describe('server.json', () => {
  it("matches the registry's schema", async () => {
    const found = serverJson.safeParse(await json('server.json'))
    assert.ok(found.success, String(found.error))
  })

  it('fails the schema with an invalid name, description, version, remote or extra field', async () => {
    const good = (await json('server.json')) as Record<string, unknown>
    for (const bad of [
      { name: 'callout' },
      { name: 'a/b/c' },
      { description: 'x'.repeat(101) },
      { version: '^1.0.0' },
      { remotes: [{ type: 'stdio' }] },
      { homepage: 'https://callout.example.com' },
    ])
      assert.equal(serverJson.safeParse({ ...good, ...bad }).success, false, JSON.stringify(bad))
  })
})

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../config.ts'
import { baseUrlFinding, directoryFinding } from './doctor_host.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-doctor-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const baseUrl = (env: Record<string, string>) => baseUrlFinding(readConfig(env))

/** Returns the finding on a base URL where something answers with a status. */
async function answering(status: number) {
  const server = createServer((_, res) => res.writeHead(status).end()).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  try {
    return await baseUrl({ PORT: String(address.port), BASE_URL: `http://127.0.0.1:${address.port}` })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

describe('well', () => {
  it('is an address that answers, or that nothing listens at', async () => {
    const answered = await answering(200)
    assert.equal(answered.ok, true)
    assert.match(answered.says, /answers$/)
    const silent = await baseUrl({ PORT: '1' })
    assert.deepEqual([silent.ok, silent.says], [true, 'http://localhost:1 (the service is not running now)'])
  })

  it('is a directory that can be written, made when it is missing, with nothing left in it', async () => {
    const made = join(folder, 'new', 'data')
    assert.equal((await directoryFinding(made)).ok, true)
    assert.deepEqual(await readdir(made), [])
  })
})

describe('wrong', () => {
  it("is an address that others can't use, that is not encrypted, or of another port", async () => {
    for (const [env, says] of [
      [{ NODE_ENV: 'production' }, /is this machine only/],
      [{ BASE_URL: 'http://callout.test' }, /is not encrypted/],
      [{ PORT: '3000', BASE_URL: 'http://localhost:8080' }, /names another port than the 3000/],
      [{ PORT: '3000', BASE_URL: 'https://localhost' }, /names another port/],
    ] as const) {
      const found = await baseUrl(env)
      assert.equal(found.ok, false)
      assert.match(found.says, says)
      assert.ok(found.mend)
    }
  })

  it('is an address where something else answers', async () => {
    const { ok, says } = await answering(404)
    assert.equal(ok, false)
    assert.match(says, /answers 404, which is not this service/)
  })

  it('is a directory that cannot be', async () => {
    await writeFile(join(folder, 'file'), '')
    const { ok, mend } = await directoryFinding(join(folder, 'file', 'data'))
    assert.equal(ok, false)
    assert.match(mend!, /DATA_DIR/)
  })
})

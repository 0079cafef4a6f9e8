import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Unavailable } from '../../platform/errors/refusal.ts'
import { isPublic } from '../public_addresses.ts'
import { publicFetch } from './public_fetch.ts'

const asked = { method: 'GET', headers: {} }

/** Creates a network whose lookups finish when `answer` is called, all at one private address. */
function slowNetwork() {
  const waiting: (() => void)[] = []
  const resolve = (): Promise<string[]> => new Promise((found) => waiting.push(() => found(['10.0.0.1'])))
  return { network: { resolve, isAllowed: isPublic }, answer: () => waiting.splice(0).forEach((found) => found()) }
}

const outcome = (answer: Promise<Response>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: Error) => (error instanceof Unavailable ? 'full' : (error.cause as Error).message),
  )

describe('publicFetch', () => {
  it('rejects private addresses, plain http and URLs with an IP address', async () => {
    const network = { resolve: async () => ['10.0.0.1'], isAllowed: isPublic }
    const fetch = publicFetch(network, 'alder', new Map())
    assert.match(await outcome(fetch('https://login.example.com/', asked)), /not public/)
    assert.match(await outcome(fetch('http://login.example.com/', asked)), /Not an https address/)
    assert.match(await outcome(fetch('https://127.0.0.1/', asked)), /instead of a name/)
  })

  it('allows four concurrent requests per company, independent of other companies', async () => {
    const { network, answer } = slowNetwork()
    const under = new Map<string, number>()
    const [alder, birch] = [publicFetch(network, 'alder', under), publicFetch(network, 'birch', under)]
    const slow = [1, 2, 3, 4].map(() => outcome(alder('https://slow.example.com/', asked)))
    assert.equal(await outcome(alder('https://slow.example.com/', asked)), 'full')
    const other = outcome(birch('https://login.example.com/', asked))
    answer()
    assert.match(await other, /not public/)
    assert.equal(new Set(await Promise.all(slow)).size, 1)
    assert.equal(under.size, 0)
    const again = outcome(alder('https://slow.example.com/', asked))
    answer()
    assert.match(await again, /not public/)
  })

  it('allows a hundred concurrent requests in total', async () => {
    const { network, answer } = slowNetwork()
    const under = new Map<string, number>()
    const all = Array.from({ length: 100 }, (_, i) =>
      outcome(publicFetch(network, `company ${i % 25}`, under)('https://slow.example.com/', asked)),
    )
    assert.equal(await outcome(publicFetch(network, 'alder', under)('https://slow.example.com/', asked)), 'full')
    answer()
    await Promise.all(all)
    assert.equal(under.size, 0)
  })
})

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { processorTime } from './trees/processor_time.ts'
import type { Served } from './trees/serve.ts'

// node bench/trees.ts --against ../other --minutes 7: compares this checkout with another, in turns of a third of a second, so that
// a noisy machine is noisy for both. Prints the medians of the ratios, with 95% bootstrap intervals.
const { values } = parseArgs({ options: { against: { type: 'string' }, minutes: { type: 'string', default: '5' } } })
if (values.against === undefined) throw new Error('--against must be the folder of another checkout')

const TURN_MS = 300
const WARMING = 300
const DRAWS = 1_000

type Tree = Served & { child: ChildProcess; agent: Agent }
/** Milliseconds per call: wall clock and CPU. */
type Cost = { clock: number; processors: number }
type Turn = { tool: string; here: Cost; there: Cost }

let turn = 0
const TOOLS: Record<string, (tree: Tree) => object> = {
  customers_get: ({ customers }) => ({ id: customers[turn++ % customers.length] }),
  customers_search: ({ customers }) => ({ query: `Lee ${turn++ % customers.length}` }),
  jobs_list: () => ({}),
  customers_update: ({ customers }) => ({ id: customers[turn++ % customers.length], lead_source: `Source ${turn}` }),
}

const [here, there] = [await serve(fileURLToPath(new URL('..', import.meta.url))), await serve(resolve(values.against))]
for (const tree of [here, there])
  for (const tool of Object.keys(TOOLS)) for (let i = 0; i < WARMING; i++) await call(tree, tool)
const turns: Turn[] = []
const end = Date.now() + Number(values.minutes) * 60_000
while (Date.now() < end) {
  for (const tool of Object.keys(TOOLS)) {
    const isFirst = Math.random() < 0.5
    const first = await cost(isFirst ? here : there, tool)
    const second = await cost(isFirst ? there : here, tool)
    turns.push(isFirst ? { tool, here: first, there: second } : { tool, here: second, there: first })
  }
}
console.table(
  Object.fromEntries(
    [...Object.keys(TOOLS), 'all'].map((tool) => {
      const own = turns.filter((one) => tool === 'all' || one.tool === tool)
      return [tool, { turns: own.length, clock: compareCost(own, 'clock'), processors: compareCost(own, 'processors') }]
    }),
  ),
)
for (const { child, agent } of [here, there]) {
  agent.destroy()
  child.send('stop')
  await once(child, 'exit')
}

async function serve(folder: string): Promise<Tree> {
  const child = fork(fileURLToPath(new URL('trees/serve.ts', import.meta.url)), [folder], { cwd: folder })
  const [served] = (await once(child, 'message')) as [Served]
  return { ...served, child, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }
}

/** Calls a tool for a turn, one call after the other. */
async function cost(tree: Tree, tool: string): Promise<Cost> {
  const readUsage = (): number => processorTime(tree.child.pid!, tree.database)
  const [before, began] = [readUsage(), performance.now()]
  let calls = 0
  for (; performance.now() - began < TURN_MS; calls++) await call(tree, tool)
  const clock = performance.now() - began
  return { clock: clock / calls, processors: (readUsage() - before) / calls }
}

function call(tree: Tree, tool: string): Promise<void> {
  const params = { name: tool, arguments: TOOLS[tool]!(tree) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return new Promise((done, failed) => {
    request(`${tree.origin}/api/mcp`, {
      agent: tree.agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${tree.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': Buffer.byteLength(body),
      },
    })
      .on('response', (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (piece: string) => (text += piece))
          .on('end', () =>
            response.statusCode === 200 && !text.includes('"isError":true')
              ? done()
              : failed(new Error(`${tool}: ${response.statusCode} ${text.slice(0, 300)}`)),
          )
      })
      .on('error', failed)
      .end(body)
  })
}

/** Returns the median ratio of this checkout to the other, with its 95% interval. */
function compareCost(own: readonly Turn[], what: keyof Cost): string {
  const ratios = own.map((one) => one.here[what] / one.there[what])
  const draws = Array.from({ length: DRAWS }, () =>
    median(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)]!)),
  ).toSorted((a, b) => a - b)
  const [low, high] = [draws[Math.floor(DRAWS * 0.025)]!, draws[Math.floor(DRAWS * 0.975)]!]
  return `${median(ratios).toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

import { Readable } from 'node:stream'
import { spec, type TestEvent } from 'node:test/reporters'
import { keepTimes, type Times } from './test_queue.ts'

const root = new URL('../..', import.meta.url).pathname

const MAX_LONGEST = 20

/** Whether whole files run. Times of partial files would mislead the next run. */
const isWhole = !process.execArgv.some((argument) => /^--test-(name|skip)-pattern/.test(argument))

/** Reports like node:test's own `spec`, with the slowest test files before its closing lines. Saves each file's time. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(addTimes(source)).pipe(new spec()) as AsyncIterable<string>
}

async function* addTimes(source: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const times: Times = {}
  let isClosing = false
  for await (const event of source) {
    const isResult = event.type === 'test:pass' || event.type === 'test:fail'
    if (isResult && event.data.nesting === 0 && event.data.name.endsWith('.test.ts'))
      times[event.data.name] = Math.round(event.data.details.duration_ms)
    if (event.type === 'test:diagnostic' && !isClosing && /^tests \d+$/.test(event.data.message)) {
      isClosing = true
      for (const message of longestOf(times)) yield { ...event, data: { ...event.data, message } }
      if (isWhole) await keepTimes(root, times)
    }
    yield event
  }
}

function longestOf(times: Times): string[] {
  const longest = Object.entries(times)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_LONGEST)
  return longest.length < 2
    ? []
    : [
        `the ${longest.length} slowest test files, in seconds`,
        ...longest.map(([name, ms]) => `${(ms / 1_000).toFixed(1).padStart(6)} ${name}`),
      ]
}

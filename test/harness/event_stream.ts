import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { readConfig } from '../../src/platform/config/config.ts'
import { newPageRouter } from '../../src/platform/http/page_request.ts'
import { pages } from '../../src/web/pages.ts'
import { openChanges, type WatchIntervals } from '../../src/scheduling/changes.ts'
import { openSite } from '../../src/web/site.ts'
import type { TestService } from './harness.ts'
import { freePort, type Browser } from './web_client.ts'

/** Starts the pages on the same database, with another polling pace for schedules. */
export async function startSchedulePages({ database }: Pick<TestService, 'database'>, pace: WatchIntervals) {
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const config = readConfig({ BASE_URL: baseUrl })
  const changes = openChanges(database, pace)
  const place = {
    database,
    confirm: () => Promise.resolve(),
    baseUrl,
    report: (_: string, error: unknown) => {
      throw error
    },
  }
  const listener = getRequestListener(pages({ ...openSite(place, config, () => {}), changes }, newPageRouter()).fetch, {
    overrideGlobalObjects: false,
  })
  const server = createServer((req, res) => void listener(req, res))
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const close = (): void => {
    changes.close()
    server.close()
  }
  return { baseUrl, changes, close }
}

export type SchedulePages = Awaited<ReturnType<typeof startSchedulePages>>

/** Opens an event stream and reads it incrementally. */
export async function openEventStream(
  baseUrl: string,
  { jar }: Pick<Browser, 'jar'>,
  path: string,
  headers: Record<string, string> = {},
) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(new URL(path, baseUrl), { headers: { accept: 'text/event-stream', cookie, ...headers } })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let read = ''
  const more = async (): Promise<boolean> => {
    const { done, value = '' } = await reader.read()
    read += value
    return !done
  }
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    /** Reads until a pattern matches. Keeps the rest for later reads. */
    until: async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const found = pattern.exec(read)
        if (found !== null) {
          read = read.slice(found.index + found[0].length)
          return found
        }
        if (!(await more())) throw new Error(`it ended after: ${read}`)
      }
    },
    /** Reads to the end. Returns the remaining text. */
    ended: async (): Promise<string> => {
      while (await more());
      return read
    },
    close: () => reader.cancel(),
  }
}

export type Following = Awaited<ReturnType<typeof openEventStream>>
